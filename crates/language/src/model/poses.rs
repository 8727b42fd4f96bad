//! Poses.

use super::Vector;
use crate::base::diag::{Span, Spanned};

/// Named bone transforms in model space.
#[derive(Clone, Debug)]
pub struct Pose {
    /// Unique among poses; may be empty.
    pub id: Spanned<String>,
    /// Bones in document order.
    pub bones: Vec<PoseBone>,
    /// The span of the whole pose.
    pub span: Span,
}

/// The transform of every bone of one name.
#[derive(Clone, Debug)]
pub struct PoseBone {
    /// The bone.
    pub bone_id: Spanned<String>,
    /// `[w, x, y, z]`.
    pub rotation: Option<Rotation>,
    /// Model-space position of the joint.
    pub translation: Option<Vector>,
}

/// An authored quaternion.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// `[w, x, y, z]` as authored.
    pub wxyz: [Spanned<f64>; 4],
    /// The span of the whole list.
    pub span: Span,
}
