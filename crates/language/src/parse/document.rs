//! The schema of a document, with its poses, imports and instances.

use super::coerce::{number, plain, solver_field, text, vector, word};
use super::meshes::{materials, mesh};
use super::reader::Reader;
use super::rigging::{armature, binding};
use crate::base::diag::{Code, Diagnostic, Span, Spanned};
use crate::model::{
    Anchor, Attach3, AttachMode, Contract, DEFAULT_PROFILE, Document, Import, Instance, Instanced,
    MirrorX, Pose, PoseBone, Rotation,
};
use crate::schema::document as schema;
use crate::schema::scenes::CONTRACT;
use crate::yaml::NodeId;

pub(super) fn document(r: &Reader<'_, '_>) -> Option<Document> {
    let o = r.object(r.root(), &schema::DOCUMENT)?;
    let units = o.optional("units", |r: &Reader<'_, '_>, id| word(r, id, schema::UNITS));
    let axes = o.optional("coordinate_system", coordinate_system);
    let profile = o.optional("tessellation_profile", text);
    let materials = o.optional("materials", materials);
    let meshes = o.list("meshes", mesh);
    let armatures = o.list("armatures", armature);
    let bindings = o.list("bindings", binding);
    let symmetry = o.nullable("symmetry", symmetry);
    let skinning_solver = solver_field(&o);
    let poses = o.list("poses", pose);
    if poses.as_ref().is_some_and(|poses| !poses.is_empty()) {
        o.uses_feature("poses", "poses");
    }
    let anchors = o.list("anchors", anchor);
    let imports = o.optional("imports", imports);
    let instances = o.list("instances", instance);
    units?;
    axes?;
    let default_profile = || Spanned::new(DEFAULT_PROFILE.to_owned(), Span::default());
    Some(Document {
        version: r.version,
        tessellation_profile: profile?.unwrap_or_else(default_profile),
        materials: materials?.unwrap_or_default(),
        meshes: meshes?,
        armatures: armatures?,
        bindings: bindings?,
        symmetry: symmetry?.flatten(),
        skinning_solver: skinning_solver?,
        poses: poses?,
        anchors: anchors?,
        imports: imports?.unwrap_or_default(),
        instances: instances?,
        later_features: r.take_later_features(),
        warnings: Vec::new(),
    })
}

/// Checks the coordinate system. Only one is allowed, so it is not kept.
fn coordinate_system(r: &Reader<'_, '_>, id: NodeId) -> Option<()> {
    let o = r.object(id, &schema::COORDINATE_SYSTEM)?;
    let literal = |field, only: &'static [&'static str]| {
        o.required(field, move |r: &Reader<'_, '_>, id| word(r, id, only))
    };
    let (up, forward, hand) = (
        literal("up", schema::UP),
        literal("forward", schema::FORWARD),
        literal("handedness", schema::HANDEDNESS),
    );
    up?;
    forward?;
    hand?;
    Some(())
}

fn symmetry(r: &Reader<'_, '_>, id: NodeId) -> Option<Option<MirrorX>> {
    let o = r.object(id, &schema::SYMMETRY)?;
    o.nullable("mirror_x", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, &schema::MIRROR)?;
        let from = o.required("prefix_from", text);
        let to = o.required("prefix_to", plain);
        let from = from?;
        Some(MirrorX {
            prefix_from: from.value,
            prefix_to: to?,
            span: from.span,
        })
    })
}

fn pose(r: &Reader<'_, '_>, id: NodeId) -> Option<Pose> {
    let o = r.object(id, &schema::POSE)?;
    let id = o.required("id", text);
    let bones = o.required("bones", |r: &Reader<'_, '_>, id| {
        r.entries(id, "bone ids to rotation and translation", pose_bone)
    });
    Some(Pose {
        id: id?,
        bones: bones?,
        span: o.span,
    })
}

fn pose_bone(r: &Reader<'_, '_>, bone_id: Spanned<String>, id: NodeId) -> Option<PoseBone> {
    let o = r.object(id, &schema::POSE_BONE)?;
    let rotation = o.nullable("rotation", |r: &Reader<'_, '_>, id| {
        let wxyz = r.tuple(id, "numbers, w x y z", number)?;
        let span = r.span(id);
        Some(Rotation { wxyz, span })
    });
    let translation = o.nullable("translation", |r: &Reader<'_, '_>, id| {
        Some((vector(r, id)?, r.span(id)))
    });
    let (translation, span) = translation?.unzip();
    Some(PoseBone {
        bone_id,
        rotation: rotation?,
        translation,
        span: span.unwrap_or(o.span),
    })
}

fn anchor(r: &Reader<'_, '_>, id: NodeId) -> Option<Anchor> {
    let o = r.object(id, &schema::ANCHOR)?;
    let id = o.required("id", text);
    let translation = o.required("translation", vector);
    let scope = o.nullable("scope", text);
    scope?;
    Some(Anchor {
        id: id?,
        translation: translation?,
    })
}

fn imports(r: &Reader<'_, '_>, id: NodeId) -> Option<Vec<Import>> {
    r.entries(
        id,
        "namespaces to `source` and `contract`",
        |r, namespace, id| {
            let o = r.object(id, &schema::IMPORT)?;
            let source = o.required("source", text);
            let contract = o.nullable("contract", text);
            Some(Import {
                namespace,
                source: source?,
                contract: contract?.filter(|path| !path.value.is_empty()),
                contract_may_be_missing: false,
            })
        },
    )
}

fn instance(r: &Reader<'_, '_>, id: NodeId) -> Option<Instance> {
    let o = r.object(id, &schema::INSTANCE)?;
    let id = o.required("id", text);
    let import = o.nullable("import", text);
    let mesh = o.nullable("mesh_id", text);
    let attach3 = o.nullable("attach3", attach3);
    let (import, mesh, attach3) = (import?, mesh?, attach3?);
    if ["import", "mesh_id", "attach3"]
        .iter()
        .any(|field| o.is_misspelt(field))
    {
        return None; // the misspelling has been reported
    }
    let fail = |message: &str| r.fail(Diagnostic::new(Code::U10, o.span, message));
    let of = match (import, mesh) {
        (Some(_), None) if attach3.is_none() => {
            return fail("an instance of an import needs an `attach3`");
        }
        (Some(import), None) => Instanced::Import(import),
        (None, Some(mesh)) => Instanced::Mesh(mesh),
        _ => return fail("an instance has exactly one of `import` and `mesh_id`"),
    };
    Some(Instance {
        id: id?,
        of,
        attach3,
        span: o.span,
    })
}

fn attach3(r: &Reader<'_, '_>, id: NodeId) -> Option<Attach3> {
    let o = r.object(id, &schema::ATTACH3)?;
    let anchors = |r: &Reader<'_, '_>, id| {
        let ids = r.tuple(id, "anchor ids", text)?;
        Some(Spanned::new(ids, r.span(id)))
    };
    let from = o.required("from", anchors);
    let to = o.required("to", anchors);
    let mode = o.required("mode", |r: &Reader<'_, '_>, id| {
        let modes = [AttachMode::Rigid, AttachMode::Uniform, AttachMode::Affine];
        let mode = modes[word(r, id, schema::ATTACH_MODES)?];
        Some(Spanned::new(mode, r.span(id)))
    });
    Some(Attach3 {
        from: from?,
        to: to?,
        mode: mode?,
    })
}

pub(super) fn contract(r: &Reader<'_, '_>) -> Option<Contract> {
    let o = r.object(r.root(), &CONTRACT)?;
    let version = o.required("contract_version", text);
    let required_anchors = o.list("required_anchors", text);
    let required_frame3_sets = o.list("required_frame3_sets", text);
    let frame3_sets = o.optional("frame3_sets", |r: &Reader<'_, '_>, id| {
        r.entries(id, "names to three anchors", |r, set, anchors| {
            Some((set, r.tuple(anchors, "anchor ids", text)?))
        })
    });
    version?;
    Some(Contract {
        required_anchors: required_anchors?,
        required_frame3_sets: required_frame3_sets?,
        frame3_sets: frame3_sets?.unwrap_or_default(),
    })
}
