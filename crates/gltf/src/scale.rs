//! Dual quaternions for joints that may be scaled (`bake.md` §5).
//!
//! Dual quaternions only rotate and translate; the scale of each joint's matrix J is separated from it and blended
//! linearly, in a first stage. In the global form, the polar decomposition J₃ₓ₃ = R·S gives `J·p = R·(S·p) + t` with t
//! the translation of J. So the first stage is S alone, about the origin and without a translation, and R and all of t
//! are in the dual quaternion. A vertex with one joint gets the same position as by linear blending, up to rounding.
//! The local and mixed forms are derived in [`local_scale`](super::local_scale).

use std::collections::{BTreeSet, HashSet};

use super::file::File;
use super::local_scale;
use super::model::Skin;
use super::skeleton::{
    DualForm, JointError, JointFault, RIGID, Skeleton, each_joint, joint_label, joint_matrices,
};
use rigy_kernel::math::{
    IDENTITY, Polar, Quat, affine, distance_from_identity, linear_part, polar, principal_stretches,
    translation_part,
};

/// The treatment of joint scale in dual quaternion skinning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JointScale {
    /// The scale of a joint applies to all joints below it.
    Global,
    /// The scale of a joint applies to it alone: the joints below it change their positions, but not their sizes.
    Local,
    /// Joints with these names are treated as by `Local`, all others as by `Global`. A joint that has no scale of its own at a
    /// moment counts as one of the others.
    LocalFor(BTreeSet<String>),
    /// Scale is an error (V35).
    Reject,
}

/// Returns the dual quaternion palette of a skin. If every joint's S is within [`RIGID`] of the identity, it is
/// [`DualForm::Rigid`] for every `scale`. Without a joint whose own scale stays with it, the local forms are the global one.
///
/// # Errors
/// Every joint, in order, whose matrix is not finite or has no polar decomposition; every joint that is scaled, if
/// scale is rejected. In the local forms, only the first joint at which a product down the skeleton is not finite or
/// has no polar decomposition.
pub fn dual_form(
    skeleton: &Skeleton,
    skin: &Skin,
    scale: &JointScale,
) -> Result<DualForm, Vec<JointError>> {
    dual_form_without(skeleton, skin, scale, &[])
}

/// Returns the same as [`dual_form`] for a skin of a file, given by its index. A joint without a polar decomposition counts as not
/// moved if no vertex of the file has weight on it or on a joint below it.
///
/// # Errors
/// As [`dual_form`].
pub fn dual_form_of(
    file: &File,
    skeleton: &Skeleton,
    skin: usize,
    scale: &JointScale,
) -> Result<DualForm, Vec<JointError>> {
    dual_form(skeleton, &file.skins[skin], scale).or_else(|errors| {
        if !errors
            .iter()
            .all(|error| matches!(error.fault, JointFault::NoRotation(_)))
        {
            return Err(errors);
        }
        dual_form_without(skeleton, &file.skins[skin], scale, file.idle_joints(skin))
    })
}

/// Does the same as [`dual_form`], but joints for which `idle` is true do nothing; no other joint is below one of them.
fn dual_form_without(
    skeleton: &Skeleton,
    skin: &Skin,
    scale: &JointScale,
    idle: &[bool],
) -> Result<DualForm, Vec<JointError>> {
    let matrices = joint_matrices(skeleton, skin)?;
    let is_idle = |joint: usize| idle.get(joint) == Some(&true);
    let factors = each_joint(skeleton, skin, |joint| {
        let matrix = if is_idle(joint) {
            &IDENTITY
        } else {
            &matrices[joint]
        };
        Ok(polar(&linear_part(matrix))?)
    })?;
    let rigid = || {
        factors
            .iter()
            .zip(&matrices)
            .map(|(factors, matrix)| {
                (
                    Quat::of_rotation(&factors.rotation),
                    translation_part(matrix),
                )
            })
            .collect()
    };
    if !factors
        .iter()
        .any(|factors| distance_from_identity(&factors.stretch) > RIGID)
    {
        return Ok(DualForm::Rigid(rigid()));
    }
    if *scale == JointScale::Reject {
        return Err(scaled_joints(skeleton, skin, &factors));
    }
    let scaled = match scale {
        JointScale::Local | JointScale::LocalFor(_) => local_scale::scaled_joints(
            skeleton,
            skin,
            |node| scale.is_local(skeleton, node),
            &is_idle,
        ),
        JointScale::Global | JointScale::Reject => HashSet::new(),
    };
    if scaled.is_empty() {
        return Ok(DualForm::Scaled {
            first: (factors.iter())
                .map(|factors| affine(&factors.stretch, [0.0; 3]))
                .collect(),
            rigid: rigid(),
        });
    }
    local_scale::dual_form(
        skeleton,
        skin,
        |node| *scale == JointScale::Local || scaled.contains(&node),
        &is_idle,
    )
}

impl JointScale {
    /// True if the scale of this node does not apply to the joints below it.
    fn is_local(&self, skeleton: &Skeleton, node: usize) -> bool {
        match self {
            Self::Global | Self::Reject => false,
            Self::Local => true,
            Self::LocalFor(names) => {
                let name = skeleton.nodes[node].name.as_ref();
                name.is_some_and(|name| names.contains(name))
            }
        }
    }
}

/// Returns the names and principal stretches of root joints with joints below them that their scale does not reach.
/// Often it is the scale of quantised positions, which is meant for all joints.
pub fn roots_that_keep_scale(
    skeleton: &Skeleton,
    skin: &Skin,
    scale: &JointScale,
) -> Vec<(String, [f64; 3])> {
    local_scale::keeping_roots(skeleton, skin, |node| scale.is_local(skeleton, node))
        .into_iter()
        .map(|(joint, stretches)| (joint_label(skeleton, skin, joint), stretches))
        .collect()
}

/// An error for every joint that is scaled.
fn scaled_joints(skeleton: &Skeleton, skin: &Skin, factors: &[Polar]) -> Vec<JointError> {
    each_joint(skeleton, skin, |joint: usize| {
        let stretch = &factors[joint].stretch;
        if distance_from_identity(stretch) > RIGID {
            Err(JointFault::Scaled(principal_stretches(stretch)))
        } else {
            Ok(())
        }
    })
    .err()
    .unwrap_or_default()
}
