//! Which joints lie in the other hemisphere than a reference joint (`numerics.md` §7, step 3).

use super::influences::{Lists, SLOTS};
use crate::math::Quat;

/// For each pair of joints, whether `dot4(joint, reference) < 0`, strictly.
#[derive(Clone, Debug)]
pub(super) struct Signs {
    /// One row per reference, one bit per joint, lowest first.
    bits: Vec<u64>,
    words_per_row: usize,
}

/// Most joints for which all pairs are worked out in advance.
const TABLE_LIMIT: usize = 256;

impl Signs {
    /// All pairs, unless they are too many.
    pub fn new(reals: &[Quat]) -> Option<Self> {
        if reals.len() > TABLE_LIMIT {
            return None;
        }
        let words_per_row = reals.len().div_ceil(64);
        let mut bits = vec![0; reals.len() * words_per_row];
        for (row, reference) in bits.chunks_exact_mut(words_per_row.max(1)).zip(reals) {
            for (joint, real) in reals.iter().enumerate() {
                row[joint / 64] |= u64::from(is_opposite(*real, *reference)) << (joint % 64);
            }
        }
        Some(Self { bits, words_per_row })
    }

    /// Gives the weights of some lists their hemisphere's sign.
    #[inline(always)]
    pub fn sign(&self, lists: &Lists<'_>, signed: &mut [[f64; SLOTS]]) {
        let last_joint_first = |joint: usize| !joint & 63;
        if self.words_per_row == 1 {
            lists.sign(signed, |reference, joint| {
                self.bits[reference] << last_joint_first(joint)
            });
        } else {
            lists.sign(signed, |reference, joint| {
                let word = self.bits[reference * self.words_per_row + joint / 64];
                word << last_joint_first(joint)
            });
        }
    }
}

/// Whether a joint is negated before it is blended.
#[inline(always)]
pub(super) fn is_opposite(joint: Quat, reference: Quat) -> bool {
    joint.dot(reference) < 0.0
}
