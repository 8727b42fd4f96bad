//! From a posed skeleton to one matrix for each joint of a skin (`bake.md` §3).
//!
//! In: node matrices and a skin. Out: what linear blending reads, `J = joint global · inverse bind matrix`; and the
//! shape of what dual quaternion skinning reads (`scale`).

use super::model::Skin;
use super::skeleton::Skeleton;
use crate::kernel::math::{Affine, IDENTITY, NoPolar, Quat, Vec3, affine_product};

/// A rotation, at unit length, and the translation that follows it.
pub type Rigid = (Quat, Vec3);

/// The palette of dual quaternion skinning, one element per joint of the skin, in its order.
#[derive(Clone, Debug, PartialEq)]
pub enum DualForm {
    /// No joint is scaled.
    Rigid(Vec<Rigid>),
    /// `first` is blended linearly and moves rest vertices; what comes out is moved by the blended dual quaternions
    /// of `rigid`.
    Scaled {
        /// The first stage. In the global form it has no translation.
        first: Vec<Affine>,
        /// The second stage.
        rigid: Vec<Rigid>,
    },
}

/// How far a component of S may be from the identity's in a joint that counts as not scaled.
pub const RIGID: f64 = 1e-5;

/// A joint that cannot be used in a pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{joint}: {fault}")]
pub struct JointError {
    /// The joint's name, or its number in the skin and its node.
    pub joint: String,
    /// What is the matter with it.
    pub fault: JointFault,
}

/// What can be the matter with a joint.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum JointFault {
    /// A component of one of its matrices is infinite or not a number.
    #[error("its matrix is not finite")]
    NotFinite,
    /// Scale cannot be told from rotation in its matrix.
    #[error("its matrix has no rotation: {0}")]
    NoRotation(#[from] NoPolar),
    /// It is scaled although scale is to be rejected (V35); with its principal stretches.
    #[error("it is scaled by {:.6} × {:.6} × {:.6}, and scale is rejected", .0[0], .0[1], .0[2])]
    Scaled([f64; 3]),
}

/// The linear palette of a skin: one matrix per joint, in its order.
///
/// # Errors
/// Every joint whose matrix is not finite, in order.
pub fn joint_matrices(skeleton: &Skeleton, skin: &Skin) -> Result<Vec<Affine>, Vec<JointError>> {
    each_joint(skeleton, skin, |joint| {
        let global = &skeleton.globals[skin.joints[joint]];
        let matrix = affine_product(global, &inverse_bind(skin, joint));
        finite(&matrix).map(|()| matrix)
    })
}

/// A joint's inverse bind matrix; where the skin has none, the identity.
pub(super) fn inverse_bind(skin: &Skin, joint: usize) -> Affine {
    let matrices = skin.inverse_bind_matrices.as_ref();
    matrices.map_or(IDENTITY, |matrices| matrices[joint])
}

/// Refuses a matrix with a component that is infinite or not a number.
pub(super) fn finite(matrix: &Affine) -> Result<(), JointFault> {
    let finite = matrix.as_flattened().iter().all(|c| c.is_finite());
    finite.then_some(()).ok_or(JointFault::NotFinite)
}

/// What `of` makes of every joint, or all its faults.
pub(super) fn each_joint<T>(
    skeleton: &Skeleton,
    skin: &Skin,
    mut of: impl FnMut(usize) -> Result<T, JointFault>,
) -> Result<Vec<T>, Vec<JointError>> {
    let (mut good, mut bad) = (Vec::with_capacity(skin.joints.len()), Vec::new());
    for joint in 0..skin.joints.len() {
        match of(joint) {
            Ok(value) => good.push(value),
            Err(fault) => bad.push(joint_error(skeleton, skin, joint, fault)),
        }
    }
    if bad.is_empty() { Ok(good) } else { Err(bad) }
}

/// A fault with its joint's name.
pub(super) fn joint_error(
    skeleton: &Skeleton,
    skin: &Skin,
    joint: usize,
    fault: JointFault,
) -> JointError {
    let joint = joint_label(skeleton, skin, joint);
    JointError { joint, fault }
}

/// A joint's name, or its number in the skin and its node.
pub(super) fn joint_label(skeleton: &Skeleton, skin: &Skin, joint: usize) -> String {
    let node = skin.joints[joint];
    match &skeleton.nodes[node].name {
        Some(name) => format!("joint {name:?}"),
        None => format!("joint {joint} (node {node})"),
    }
}
