//! The palettes of a frame in the form that the shader reads.

use super::block::Block;
use crate::joints::{DualTransforms, JointTransforms};
use rigy_kernel::math::{DualQuat, IDENTITY, Quat};

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
        Some(DualTransforms { first: None, .. }) => RIGID,
        Some(_) => SCALED,
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

/// Returns true if all numbers of dual quaternions, and of the matrices before them, are finite in f32.
pub(super) fn is_dual_finite(dual: &DualTransforms) -> bool {
    let single = |number: &f64| (*number as f32).is_finite();
    let parts = dual.rigid.iter().flat_map(|joint| [joint.real, joint.dual]);
    let mut first = dual.first.iter().flatten().flatten().flatten();
    first.all(single) && parts.into_iter().all(|part| part.wxyz().iter().all(single))
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
            let dual = skin.dual.as_ref();
            block.push_f32(texels(dual.map(|dual| dual.rigid[joint])));
            if *stride == SCALED {
                let first = dual.and_then(|dual| dual.first.as_ref());
                let first = first.map_or(IDENTITY, |first| first[joint]);
                block.push_f32(first.as_flattened().iter().copied());
            }
        }
    }
    offset
}

/// Returns the two quaternions of a dual quaternion, x y z w each; those of the identity if there is none.
fn texels(dual: Option<DualQuat>) -> impl Iterator<Item = f64> {
    let dual = dual.unwrap_or_else(|| DualQuat::new(Quat::IDENTITY, [0.0; 3]));
    let part = |q: Quat| [q.x, q.y, q.z, q.w];
    part(dual.real).into_iter().chain(part(dual.dual))
}
