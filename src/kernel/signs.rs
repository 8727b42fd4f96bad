//! Which joints lie in the other hemisphere than a reference joint (`numerics.md` §7, step 3).

use super::lists::{SLOTS, Sets};
use super::rest::BLOCK;
use crate::kernel::math::Quat;

/// Weights of eight lists, each negated where its joint is: `(-w) * q` is exactly `w * (-q)`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Signed(pub [[f64; SLOTS]; BLOCK]);

/// For each pair of joints, whether `dot4(joint, reference) < 0`, strictly: one bit per joint and reference.
#[derive(Clone, Debug)]
pub(super) enum Signs {
    /// Up to 64 joints: a word per reference.
    Words(Box<[u64; 64]>),
    /// More joints: `stride` words per reference.
    Rows { bits: Vec<u64>, stride: usize },
}

/// Most joints for which all pairs are worked out in advance.
const TABLE_LIMIT: usize = 256;

impl Signs {
    /// All pairs, unless they are too many.
    pub fn new(reals: &[Quat]) -> Option<Self> {
        let word = |reference: &Quat, joints: &[Quat]| {
            let joints = joints.iter().enumerate();
            joints.fold(0, |word, (bit, joint)| {
                word | u64::from(is_opposite(*joint, *reference)) << bit
            })
        };
        match reals.len() {
            0..=64 => {
                let mut words = Box::new([0; 64]);
                for (bits, reference) in words.iter_mut().zip(reals) {
                    *bits = word(reference, reals);
                }
                Some(Self::Words(words))
            }
            65..=TABLE_LIMIT => {
                let row = |reference| reals.chunks(64).map(move |joints| word(reference, joints));
                Some(Self::Rows {
                    bits: reals.iter().flat_map(row).collect(),
                    stride: reals.len().div_ceil(64),
                })
            }
            _ => None,
        }
    }

    /// Gives the weights of some lists their hemisphere's sign.
    #[inline(always)]
    pub fn sign_weights(&self, sets: &[Sets], signed: &mut [Signed]) {
        match self {
            Self::Words(words) => flip_weights(sets, signed, |reference, joints| {
                let word = words[usize::from(reference & 63)];
                joints.map(|joint| word << (!joint & 63))
            }),
            Self::Rows { bits, stride } => flip_weights(sets, signed, |reference, joints| {
                let row = usize::from(reference) * stride;
                joints.map(|joint| bits[row + usize::from(joint / 64)] << (!joint & 63))
            }),
        }
    }
}

/// Whether a joint is negated before it is blended.
#[inline(always)]
pub(super) fn is_opposite(joint: Quat, reference: Quat) -> bool {
    joint.dot(reference) < 0.0
}

/// Negates each weight for which the top bit of `flips(reference, joints)` is set.
#[inline(always)]
pub(super) fn flip_weights(
    sets: &[Sets],
    signed: &mut [Signed],
    flips: impl Fn(u16, [u16; SLOTS]) -> [u64; SLOTS],
) {
    for (sets, signed) in sets.iter().zip(signed) {
        for lane in 0..BLOCK {
            let flips = flips(sets.references[lane], sets.joints[lane]);
            let weights = sets.weights[lane];
            signed.0[lane] = std::array::from_fn(|slot| {
                f64::from_bits(weights[slot].to_bits() ^ (flips[slot] & 1 << 63))
            });
        }
    }
}
