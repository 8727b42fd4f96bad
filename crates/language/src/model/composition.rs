//! Imports and instances, with the anchors that place them, and scenes.

use super::Vector;
use crate::base::diag::{Span, Spanned};

/// A named point.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// Unique among anchors.
    pub id: Spanned<String>,
    /// Its position in metres.
    pub translation: Vector,
}

/// A reference to another document.
#[derive(Clone, Debug)]
pub struct Import {
    /// The name by which references to anchors name it.
    pub namespace: Spanned<String>,
    /// Path relative to the importing document.
    pub source: Spanned<String>,
    /// Path of a contract that the import must satisfy.
    pub contract: Option<Spanned<String>>,
    /// True if there need be no file at the path of the contract.
    pub contract_may_be_missing: bool,
}

impl Import {
    /// Returns the paths of its document and of its contract, if it has one.
    pub fn references(&self) -> impl Iterator<Item = &Spanned<String>> {
        std::iter::once(&self.source).chain(self.contract.as_ref())
    }
}

/// Requirements that an import has to meet (`language.md` §4.2).
#[derive(Clone, Debug)]
pub struct Contract {
    /// Anchors that must exist.
    pub required_anchors: Vec<Spanned<String>>,
    /// Names of frame sets that the contract itself must define.
    pub required_frame3_sets: Vec<Spanned<String>>,
    /// Named triples of anchors, all of which must exist.
    pub frame3_sets: Vec<(Spanned<String>, [Spanned<String>; 3])>,
}

impl Contract {
    /// Returns the number of anchors and frame sets that it requires.
    pub fn requirement_count(&self) -> usize {
        self.required_anchors.len() + self.required_frame3_sets.len() + 3 * self.frame3_sets.len()
    }
}

/// The import or mesh that an instance places.
#[derive(Clone, Debug)]
pub enum Instanced {
    /// An import, by namespace.
    Import(Spanned<String>),
    /// A mesh of this document.
    Mesh(Spanned<String>),
}

/// A placed import or mesh.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Unique among instances.
    pub id: Spanned<String>,
    /// The import or mesh.
    pub of: Instanced,
    /// Its placement; only a local mesh may have none.
    pub attach3: Option<Attach3>,
    /// The span of the whole instance.
    pub span: Span,
}

/// Three points of the part, three points of the document, and the kind of transform that maps one to the other.
#[derive(Clone, Debug)]
pub struct Attach3 {
    /// Anchors of the part, or of this document where a local mesh is placed.
    pub from: Spanned<[Spanned<String>; 3]>,
    /// Anchors of this document.
    pub to: Spanned<[Spanned<String>; 3]>,
    /// The kind of transform.
    pub mode: Spanned<AttachMode>,
}

/// The kinds of transforms that attach a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachMode {
    /// Rotation and translation.
    Rigid,
    /// Rotation, translation and one scale.
    Uniform,
    /// Rotation, translation, and two scales: along the line from the first anchor to the second, and across it.
    Affine,
}

/// A scene: a part, and others that are placed on it.
#[derive(Clone, Debug)]
pub struct RigsScene {
    /// The parts by alias, each with its contract, which is read if it exists.
    pub imports: Vec<Import>,
    /// The alias of the part that the others stand on.
    pub base: Spanned<String>,
    /// The parts that stand on it.
    pub children: Vec<Child>,
}

/// A part that stands on another.
#[derive(Clone, Debug)]
pub struct Child {
    /// Unique in the scene.
    pub id: Spanned<String>,
    /// The alias of the part.
    pub base: Spanned<String>,
    /// Where it stands.
    pub place: Place,
    /// The parts that stand on it.
    pub children: Vec<Child>,
}

/// The place of a part on another.
#[derive(Clone, Debug)]
pub struct Place {
    /// The frame of the part below.
    pub slot: Option<FrameRef>,
    /// The frame of the part itself that is brought there.
    pub mount: Option<FrameRef>,
    /// The turn about the Y axis of the slot, in quarters.
    pub quarters: u8,
    /// The distances along the axes of the slot in metres: north along Z, east along X, up along Y.
    pub nudge: Nudge,
    /// The span of the whole place.
    pub span: Span,
}

/// Distances along the axes of a slot, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nudge {
    /// Along Z.
    pub north: f64,
    /// Along X.
    pub east: f64,
    /// Along Y.
    pub up: f64,
}

/// A reference to a frame of a part.
#[derive(Clone, Debug)]
pub enum FrameRef {
    /// A frame set of the part's contract, by name.
    Named(Spanned<String>),
    /// Three anchors of the part.
    Anchors(Spanned<[Spanned<String>; 3]>),
}

impl RigsScene {
    /// Returns all children, depth first, each with the alias of the part that it stands on.
    pub fn all_children(&self) -> Vec<(&Child, &Spanned<String>)> {
        let mut all = Vec::new();
        let mut open: Vec<(&Child, &Spanned<String>)> = Vec::new();
        open.extend(self.children.iter().rev().map(|child| (child, &self.base)));
        while let Some((child, below)) = open.pop() {
            all.push((child, below));
            open.extend(child.children.iter().rev().map(|c| (c, &child.base)));
        }
        all
    }
}
