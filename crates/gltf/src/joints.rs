//! The matrices of a skin's joints (`bake.md` §3), and the types of the dual quaternion palette that `scale` computes.
//!
//! In: node matrices and a skin. Out: the palette of linear blending: for each joint `J = global matrix of the joint's
//! node · inverse bind matrix`.

use super::model::Skin;
use super::skeleton::Skeleton;
use rigy_kernel::math::{Affine, IDENTITY, NoPolar, Quat, Vec3, affine_product};

/// A rotation as a unit quaternion, and the translation that follows it.
pub type Rigid = (Quat, Vec3);

/// The palette of dual quaternion skinning, one element per joint of the skin, in its order.
#[derive(Clone, Debug, PartialEq)]
pub enum DualForm {
    /// No joint is scaled.
    Rigid(Vec<Rigid>),
    /// Some joints are scaled. The first stage is blended linearly and moves rest vertices; the second stage is blended
    /// as dual quaternions and moves the results of the first.
    Scaled {
        /// The first stage. In the global form it has no translation.
        first: Vec<Affine>,
        /// The second stage.
        rigid: Vec<Rigid>,
    },
}

/// Largest difference between a component of S and that of the identity in a joint that counts as not scaled.
pub const RIGID: f64 = 1e-5;

/// A joint that cannot be used in a pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{joint}: {fault}")]
pub struct JointError {
    /// The joint's name, or its number in the skin and its node.
    pub joint: String,
    /// The reason.
    pub fault: JointFault,
}

/// The reason why a joint cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum JointFault {
    /// A component of one of its matrices is infinite or not a number.
    #[error("its matrix is not finite")]
    NotFinite,
    /// Its matrix has no polar decomposition into rotation and scale.
    #[error("its matrix has no rotation: {0}")]
    NoRotation(#[from] NoPolar),
    /// It is scaled by these principal stretches, although scale is to be rejected (V35).
    #[error("it is scaled by {:.6} × {:.6} × {:.6}, and scale is rejected", .0[0], .0[1], .0[2])]
    Scaled([f64; 3]),
}

/// Returns the linear palette of a skin: one matrix per joint, in the order of the skin.
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

/// Returns a joint's inverse bind matrix; the identity if the skin has none.
pub(super) fn inverse_bind(skin: &Skin, joint: usize) -> Affine {
    let matrices = skin.inverse_bind_matrices.as_ref();
    matrices.map_or(IDENTITY, |matrices| matrices[joint])
}

/// Refuses a matrix with a component that is infinite or not a number.
pub(super) fn finite(matrix: &Affine) -> Result<(), JointFault> {
    let finite = matrix.as_flattened().iter().all(|c| c.is_finite());
    finite.then_some(()).ok_or(JointFault::NotFinite)
}

/// Returns the results of `of` for all joints of a skin, else all its errors.
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

/// Returns the error for a fault of a joint.
pub(super) fn joint_error(
    skeleton: &Skeleton,
    skin: &Skin,
    joint: usize,
    fault: JointFault,
) -> JointError {
    let joint = joint_label(skeleton, skin, joint);
    JointError { joint, fault }
}

/// Returns a joint's name, or its number in the skin and its node, for messages.
pub(super) fn joint_label(skeleton: &Skeleton, skin: &Skin, joint: usize) -> String {
    let node = skin.joints[joint];
    match &skeleton.nodes[node].name {
        Some(name) => format!("joint {name:?}"),
        None => format!("joint {joint} (node {node})"),
    }
}
