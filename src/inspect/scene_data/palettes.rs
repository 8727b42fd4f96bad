//! The palettes of a frame in the form that the shader reads.

use super::block::Block;
use crate::bake::gltf::DualForm;
use crate::kernel::math::{Affine, DualQuat, IDENTITY, Quat, Vec3};

/// The transforms of the joints of a skin at one moment.
pub(super) struct JointTransforms {
    /// Matrices of linear blending.
    pub linear: Vec<Affine>,
    /// The form of dual quaternion skinning; `None` if there is none.
    pub dual: Option<DualForm>,
}

/// Texels of a joint that only has a matrix.
const LINEAR: usize = 3;
/// Texels of a joint that does not scale.
const RIGID: usize = 5;
/// Texels of a joint of a skin with joint scale.
pub(super) const SCALED: usize = 8;

/// The skins of a scene at one moment.
pub(super) type Moment = Vec<JointTransforms>;

/// Returns the texels of a joint of skin `index`: the most that any moment needs.
pub(super) fn stride(moments: &[Moment], index: usize) -> usize {
    let of_moment = |moment: &Moment| match &moment[index].dual {
        None => LINEAR,
        Some(DualForm::Rigid(_)) => RIGID,
        Some(DualForm::Scaled { .. }) => SCALED,
    };
    moments.iter().map(of_moment).max().unwrap_or(LINEAR)
}

/// Returns true if all numbers of a moment are finite in f32.
pub(super) fn is_finite(moment: &Moment) -> bool {
    let single = |number: &f64| (*number as f32).is_finite();
    moment.iter().all(|skin| {
        let matrices = skin.linear.iter().flatten().flatten().all(single);
        matrices && skin.dual.as_ref().is_none_or(is_dual_finite)
    })
}

/// Returns true if all numbers of a dual form, and of its dual quaternions, are finite in f32.
pub(super) fn is_dual_finite(dual: &DualForm) -> bool {
    let single = |number: &f64| (*number as f32).is_finite();
    let (first, rigid) = match dual {
        DualForm::Rigid(rigid) => (&[][..], rigid),
        DualForm::Scaled { first, rigid } => (&first[..], rigid),
    };
    let quaternions = rigid
        .iter()
        .map(|(rotation, offset)| DualQuat::new(*rotation, *offset));
    first.iter().flatten().flatten().all(single)
        && quaternions
            .flat_map(|dual| [dual.real, dual.dual])
            .all(|part| part.wxyz().iter().all(single))
}

/// Appends the palettes of a moment; `strides` has the texels of a joint of each skin. Returns their offset in bytes.
pub(super) fn push(block: &mut Block, moment: &Moment, strides: &[usize]) -> usize {
    let offset = block.bytes.len();
    for (skin, stride) in moment.iter().zip(strides) {
        for (joint, matrix) in skin.linear.iter().enumerate() {
            block.push_f32(matrix.as_flattened().iter().copied());
            if *stride == LINEAR {
                continue;
            }
            let (first, rigid) = dual_of(skin.dual.as_ref(), joint);
            block.push_f32(texels(rigid));
            if *stride == SCALED {
                block.push_f32(first.as_flattened().iter().copied());
            }
        }
    }
    offset
}

/// Returns both stages of a joint: the identity where there is none.
fn dual_of(dual: Option<&DualForm>, joint: usize) -> (Affine, (Quat, Vec3)) {
    match dual {
        None => (IDENTITY, (Quat::IDENTITY, [0.0; 3])),
        Some(DualForm::Rigid(rigid)) => (IDENTITY, rigid[joint]),
        Some(DualForm::Scaled { first, rigid }) => (first[joint], rigid[joint]),
    }
}

/// Returns a rotation and a translation as the two quaternions of a dual quaternion, x y z w each.
fn texels((rotation, translation): (Quat, Vec3)) -> impl Iterator<Item = f64> {
    let DualQuat { real, dual } = DualQuat::new(rotation, translation);
    let part = |q: Quat| [q.x, q.y, q.z, q.w];
    part(real).into_iter().chain(part(dual))
}
