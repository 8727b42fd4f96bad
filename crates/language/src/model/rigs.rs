//! Scenes of `.rigs.yaml` files: parts placed on each other (`extensions.md` §12).

use super::Import;
use crate::base::diag::{Span, Spanned};

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
