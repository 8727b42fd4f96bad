//! Anchors, and the imports and instances that they place (`language.md` §1.4).

use super::Vector;
use crate::parse::coerce::{text, word};
use crate::parse::record::checked;
use crate::parse::{Object, Reader, record, value};
use crate::schema::names::NameKind;
use crate::schema::{Form, Rule};
use crate::yaml::NodeId;
use rigy_base::diag::{Span, Spanned, Text};

record! {
    /// A named point.
    pub struct Anchor: ANCHOR("anchor", "anchor") {
        /// The name of the point, unique among anchors.
        id: Text = required.defines(NameKind::Anchor),
        /// Its place, in metres.
        translation: Vector = required,
        /// A note for readers, without effect.
        scope: () = nullable(Form::Text, checked::<String>),
    }
}

record! {
    /// Another document, as a part of this one.
    pub struct Import: IMPORT("import", "import") of namespace {
        /// The path of the document, from the directory of this one.
        source: Text = required.path(),
        /// The path of a contract that the document has to satisfy.
        contract: Option<Text> = nullable(Form::Text, path).path(),
    } made {
        /// True if there need be no file at the path of the contract.
        contract_may_be_missing: bool = |_| false,
    }
}

/// Reads a path; an empty one is none.
fn path(r: &Reader, id: NodeId) -> Option<Option<Text>> {
    Some(Some(text(r, id)?).filter(|path| !path.value.is_empty()))
}

impl Import {
    /// Returns the paths of its document and of its contract, if it has one.
    pub fn references(&self) -> impl Iterator<Item = &Text> {
        std::iter::once(&self.source).chain(self.contract.as_ref())
    }
}

/// Three ids of anchors.
pub type Anchors = [Text; 3];

/// The import or mesh that an instance places.
#[derive(Clone, Debug)]
pub enum Instanced {
    /// An import, by namespace.
    Import(Text),
    /// A mesh of this document.
    Mesh(Text),
}

/// A placed import or mesh.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Unique among instances.
    pub id: Text,
    /// The import or mesh.
    pub of: Instanced,
    /// Its placement; only a local mesh may have none.
    pub attach3: Option<Attach3>,
    /// The span of the whole instance.
    pub span: Span,
}

record! {
    /// A placed copy of an imported document or of a mesh.
    struct InstanceFields: INSTANCE("instance", "instance") {
        /// The name of the instance, unique among instances.
        id: Text = required.defines(NameKind::Instance),
        /// The import that is placed; it needs an `attach3`.
        import: Option<Text> = dependent.refers(NameKind::Import),
        /// The mesh of this document that is placed.
        mesh_id: Option<Text> = dependent.refers(NameKind::Mesh),
        /// Where it is placed: three anchors are brought to three others.
        attach3: Option<Attach3> = dependent,
    } rules [
        Rule::ExactlyOne(&["import", "mesh_id"]),
        Rule::Needs("import", "attach3")
    ] check placed(import, mesh_id, attach3) then instance => Instance
}

/// Checks what an instance places; a field that has a fault of its own is `None`.
fn placed(
    o: &Object,
    import: &Option<Option<Text>>,
    mesh_id: &Option<Option<Text>>,
    attach3: &Option<Option<Attach3>>,
) -> Option<()> {
    let (import, mesh_id, attach3) = (import.as_ref()?, mesh_id.as_ref()?, attach3.as_ref()?);
    if ["import", "mesh_id", "attach3"]
        .into_iter()
        .any(|field| o.is_misspelt(field))
    {
        return None; // the misspelling has been reported
    }
    match (import, mesh_id) {
        (Some(_), None) if attach3.is_none() => {
            o.fail("an instance of an import needs an `attach3`")
        }
        (Some(_), None) | (None, Some(_)) => Some(()),
        _ => o.fail("an instance has exactly one of `import` and `mesh_id`"),
    }
}

fn instance(fields: InstanceFields, o: &Object) -> Option<Instance> {
    Some(Instance {
        id: fields.id,
        of: match fields.import {
            Some(import) => Instanced::Import(import),
            None => Instanced::Mesh(fields.mesh_id?),
        },
        attach3: fields.attach3,
        span: o.span,
    })
}

record! {
    /// Brings three anchors to three others.
    pub struct Attach3: ATTACH3("attach3", "attach3") {
        /// Three anchors of the part, such as `part.a`; of this document where a mesh is placed.
        from: Spanned<Anchors> = required.refers(NameKind::Anchor),
        /// Three anchors of this document, to which the others are brought.
        to: Spanned<Anchors> = required.refers(NameKind::Anchor),
        /// Turns and moves the part (rigid), scales it too (uniform), or scales it along the first line and across it (affine).
        mode: Spanned<AttachMode> = required,
    }
}

/// The kinds of transforms that attach a part.
#[derive(Clone, Copy, Debug)]
pub enum AttachMode {
    /// Rotation and translation.
    Rigid,
    /// Rotation, translation and one scale.
    Uniform,
    /// Rotation, translation, and two scales: along the line from the first anchor to the second, and across it.
    Affine,
}

/// The words of the field `mode` of `attach3`.
const ATTACH_MODES: &[&str] = &["rigid", "uniform", "affine"];

value! {
    AttachMode: Form::Word(ATTACH_MODES), |r, id| {
        Some([Self::Rigid, Self::Uniform, Self::Affine][word(r, id, ATTACH_MODES)?])
    };
}
