//! The reference joint of a vertex, which decides into which hemisphere dual quaternions are brought.

use super::lists::SLOTS;

/// The rule by which a vertex gets its reference joint.
#[derive(Clone, Copy, Debug)]
pub enum ReferenceRule {
    /// The lowest joint number with a positive weight: the rule of documents (`numerics.md` §7, step 2).
    LowestJoint,
    /// The joint of the largest weight, of equal ones the first in the order of slots: the rule of glTF files (`bake.md` §5).
    LargestWeight,
}

impl ReferenceRule {
    /// Returns the reference joint of a vertex with these slots, all sets in order. Without a positive weight it is the first
    /// joint, and without slots 0.
    #[inline(always)]
    pub fn joint(self, slots: impl Iterator<Item = (u16, f64)> + Clone) -> u16 {
        let counted = slots.clone().filter(|(_, weight)| *weight > 0.0);
        let found = match self {
            Self::LowestJoint => counted.map(|(joint, _)| joint).min(),
            Self::LargestWeight => counted.reduce(heavier).map(|(joint, _)| joint),
        };
        found.unwrap_or_else(|| slots.clone().next().map_or(0, |(joint, _)| joint))
    }
}

/// Returns the reference joint of glTF files for a vertex of one set, none of whose weights is negative or not a number.
#[inline(always)]
pub fn heaviest(joints: [u16; SLOTS], weights: [f64; SLOTS]) -> u16 {
    let slot = |slot: usize| (joints[slot], weights[slot]);
    heavier(heavier(slot(0), slot(1)), heavier(slot(2), slot(3))).0
}

/// Returns the slot with the larger weight, of equal ones the first.
#[inline(always)]
fn heavier(first: (u16, f64), second: (u16, f64)) -> (u16, f64) {
    if second.1 > first.1 { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::ReferenceRule::{LargestWeight, LowestJoint};

    #[test]
    fn each_rule_finds_its_joint() {
        type Case = (&'static [(u16, f64)], u16, u16);
        let cases: [Case; 6] = [
            (&[(0, 0.01), (7, 0.99), (3, 0.0), (9, -1.0)], 0, 7),
            (&[(5, 0.25), (2, 0.375), (8, 0.375), (1, 0.0)], 2, 2),
            (&[(5, 0.25), (8, 0.375), (2, 0.375), (1, 0.0)], 2, 8),
            (&[(4, 0.2), (5, 0.2), (6, 0.1), (9, 0.3), (3, 0.2)], 3, 9),
            (&[(6, 0.0), (1, f64::NAN), (2, -0.0)], 6, 6),
            (&[], 0, 0),
        ];
        for (slots, lowest, largest) in cases {
            assert_eq!(LowestJoint.joint(slots.iter().copied()), lowest);
            assert_eq!(LargestWeight.joint(slots.iter().copied()), largest);
        }
    }
}
