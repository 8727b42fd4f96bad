//! Implicit surfaces (`extensions.md` §8.1).

use super::{Orientation, Vector};
use crate::parse::coerce::{whole, word};
use crate::parse::{Object, record, value};
use crate::schema::Form;
use rigy_base::diag::{Span, Spanned, Text};

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
    pub algorithm: Option<Text>,
}

record! {
    /// The box in which a surface is looked for, and its grid.
    pub struct Domain: DOMAIN("domain", "domain") {
        /// Two corners of the box.
        aabb: Bounds = required,
        /// The numbers of samples.
        grid: Grid = required,
    }
}

record! {
    /// Two corners of the box in which a surface is looked for.
    pub struct Bounds: BOUNDS("domain_aabb", "box of a domain") {
        /// The corner with the smallest coordinates, in metres.
        min: Vector = required,
        /// The corner with the largest coordinates, in metres.
        max: Vector = required,
    }
}

record! {
    /// The numbers of samples along the axes, at least 2 each.
    pub struct Grid: GRID("grid", "grid") {
        /// The number of samples along x.
        nx: Spanned<f64> = required(Form::Whole, whole),
        /// The number of samples along y.
        ny: Spanned<f64> = required(Form::Whole, whole),
        /// The number of samples along z.
        nz: Spanned<f64> = required(Form::Whole, whole),
    }
}

/// The only algorithm that makes triangles of a surface.
pub const ALGORITHM: &str = "marching_cubes@1";

record! {
    /// How a surface becomes triangles.
    pub struct Extraction: EXTRACTION("extraction", "extraction") {
        /// The algorithm. There is only one.
        algorithm: Option<Text> = nullable(Form::Known(&[ALGORITHM])),
    }
}

record! {
    /// A field that is added to the sum, or subtracted from it.
    pub struct Operator: OPERATOR("operator", "operator") {
        /// Whether the field is added or subtracted.
        op: Operation = required,
        /// The kind of field.
        field: Text = required(Form::Known(&Field::NAMES)),
        /// The greatest value of the field.
        strength: Spanned<f64> = required,
        /// The radius, in metres.
        radius: Spanned<f64> = required,
        /// The length of a capsule, in metres; spheres ignore it.
        height: Option<Spanned<f64>> = nullable,
        /// Where the field stands.
        transform: Option<OperatorTransform> = nullable,
    } made {
        /// The span of the whole operator.
        span: Span = Object::span,
    }
}

/// What an operator does with its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It adds the field.
    Add,
    /// It subtracts the field.
    Subtract,
}

/// The words of the field `op`.
const OPERATIONS: &[&str] = &["add", "subtract"];

value! {
    Operation: Form::Word(OPERATIONS), |r, id| {
        Some([Self::Add, Self::Subtract][word(r, id, OPERATIONS)?])
    };
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

rigy_base::named! {
    /// The fields of operators.
    pub enum Field {
        /// A ball that becomes less quadratically.
        MetaballSphere = "metaball_sphere@1",
        /// A capsule that becomes less quadratically.
        MetaballCapsule = "metaball_capsule@1",
        /// A ball that becomes less linearly.
        SdfSphere = "sdf_sphere@1",
        /// A capsule that becomes less linearly.
        SdfCapsule = "sdf_capsule@1",
    }
}

impl Field {
    /// Returns true for capsules, which need a height.
    pub fn is_capsule(self) -> bool {
        matches!(self, Self::MetaballCapsule | Self::SdfCapsule)
    }
}
