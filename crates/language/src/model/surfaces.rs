//! Implicit surfaces (`extensions.md` §8).

use super::{Orientation, Vector};
use crate::base::diag::{Span, Spanned};

/// A surface that is given by fields on a grid.
#[derive(Clone, Debug)]
pub struct ImplicitSurface {
    /// The corner of its domain with the smallest coordinates, in metres.
    pub min: Vector,
    /// The corner with the largest.
    pub max: Vector,
    /// The numbers of samples along x, y and z: whole numbers, at least 2 in a checked document.
    pub samples: [Spanned<f64>; 3],
    /// The value of the field at the surface.
    pub iso: Spanned<f64>,
    /// The operators, in the order in which they are summed.
    pub operators: Spanned<Vec<Operator>>,
    /// The name of the algorithm, if the document says one.
    pub algorithm: Option<Spanned<String>>,
}

/// One summand of the field of a surface.
#[derive(Clone, Debug)]
pub struct Operator {
    /// True if the summand is subtracted.
    pub is_subtracted: bool,
    /// The name of its field, such as `metaball_sphere@1`.
    pub field: Spanned<String>,
    /// Its greatest value.
    pub strength: Spanned<f64>,
    /// Its radius in metres.
    pub radius: Spanned<f64>,
    /// The length of a capsule in metres; ignored by spheres.
    pub height: Option<Spanned<f64>>,
    /// Its place; `None` if it has no transform.
    pub transform: Option<OperatorTransform>,
    /// The span of the whole operator.
    pub span: Span,
}

/// The place of an operator in the space of its surface.
#[derive(Clone, Debug, Default)]
pub struct OperatorTransform {
    /// Offset in metres.
    pub translation: Option<Vector>,
    /// The rotation.
    pub rotation: Option<Orientation>,
    /// The scale along x, y and z, which are equal in a checked document.
    pub scale: Option<Vector>,
}

/// The fields of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A ball that becomes less quadratically.
    MetaballSphere,
    /// A capsule that becomes less quadratically.
    MetaballCapsule,
    /// A ball that becomes less linearly.
    SdfSphere,
    /// A capsule that becomes less linearly.
    SdfCapsule,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 4] = [
        Self::MetaballSphere,
        Self::MetaballCapsule,
        Self::SdfSphere,
        Self::SdfCapsule,
    ];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 4] = {
        let mut names = [""; 4];
        let mut at = 0;
        while at < 4 {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Returns its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MetaballSphere => "metaball_sphere@1",
            Self::MetaballCapsule => "metaball_capsule@1",
            Self::SdfSphere => "sdf_sphere@1",
            Self::SdfCapsule => "sdf_capsule@1",
        }
    }

    /// Returns the field of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Returns true for capsules, which need a height.
    pub fn is_capsule(self) -> bool {
        matches!(self, Self::MetaballCapsule | Self::SdfCapsule)
    }
}
