//! The signs that bring joints into the hemisphere of a reference joint (`numerics.md` §7, step 3).

use super::lists::{SLOTS, Sets, each_slot};
use super::rest::BLOCK;
use crate::math::Quat;

/// One set of weights of each of eight lists. A weight is negated in place of its joint's dual quaternion: `(-w) * q` is
/// exactly `w * (-q)`.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub struct Signed(pub [[f64; SLOTS]; BLOCK]);

/// A table of one bit for each reference and joint, which is set if `dot4(joint, reference) < 0`.
#[derive(Debug)]
pub enum Signs {
    /// Up to 64 joints: one word for each reference.
    Words(Box<[u64; 64]>),
    /// More joints: `stride` words for each reference.
    Rows { bits: Vec<u64>, stride: usize },
}

/// Most joints for which there is a table.
const TABLE_LIMIT: usize = 256;

impl Signs {
    /// Computes the table; `None` if there are too many joints.
    pub fn new(reals: &[Quat]) -> Option<Self> {
        let word = |reference: &Quat, joints: &[Quat]| {
            joints.iter().enumerate().fold(0, |word, (bit, joint)| {
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
            65..=TABLE_LIMIT => Some(Self::Rows {
                bits: reals
                    .iter()
                    .flat_map(|reference| {
                        reals.chunks(64).map(move |joints| word(reference, joints))
                    })
                    .collect(),
                stride: reals.len().div_ceil(64),
            }),
            _ => None,
        }
    }

    /// Copies the weights of some lists to `signed` and negates those whose joints are in the other hemisphere.
    #[inline(always)]
    pub fn sign_weights(&self, sets: &[Sets], signed: &mut [Signed]) {
        match self {
            Self::Words(words) => flip_weights(sets, signed, |reference, joints| {
                let word = words[usize::from(reference & 63)];
                each_slot(joints, |joint| word << (!joint & 63))
            }),
            Self::Rows { bits, stride } => flip_weights(sets, signed, |reference, joints| {
                let row = usize::from(reference) * stride;
                each_slot(joints, |joint| {
                    bits[row + usize::from(joint / 64)] << (!joint & 63)
                })
            }),
        }
    }
}

/// Returns true if a joint is in the other hemisphere than the reference.
#[inline(always)]
pub fn is_opposite(joint: Quat, reference: Quat) -> bool {
    joint.dot(reference) < 0.0
}

/// Copies weights to `signed` and negates each for which the top bit of `flips(reference, joints)` is set.
#[inline(always)]
pub fn flip_weights(
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
