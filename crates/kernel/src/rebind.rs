//! Binding of vertices in the memory of others, a list for each: the way in which large files pass through the kernel in
//! small batches.

use std::array::from_fn;

use super::influences::Influences;
use super::lists::{SLOTS, Sets};
use super::reference::{ReferenceRule, heaviest};
use super::rest::BLOCK;
use crate::simd::{F64Lanes, Isa, Kernel, dispatch};

impl Influences {
    /// Binds other vertices in the memory of these, with a list of its own for each: `set_count` sets of joints and of
    /// weights for each, in stored order, one vertex after the other. Otherwise as [`bind`](Self::bind) by
    /// [`ReferenceRule::LargestWeight`], the rule of glTF files.
    ///
    /// # Panics
    /// If there are no sets, if joints and weights differ in number, or if they end within a vertex.
    pub fn rebind_each(
        &mut self,
        isa: Isa,
        set_count: usize,
        joints: &[[u16; SLOTS]],
        weights: &[[f64; SLOTS]],
    ) {
        assert!(joints.len() == weights.len() && joints.len().is_multiple_of(set_count));
        let count = joints.len() / set_count;
        self.reset(set_count, count);
        let whole = if set_count == 1 { count / BLOCK } else { 0 };
        if whole > 0 {
            let bind = Bind {
                joints: joints.as_chunks().0,
                weights: weights.as_chunks().0,
                sets: &mut self.sets,
                joint_limit: &mut self.joint_limit,
            };
            dispatch(isa, bind);
        }
        for place in whole * BLOCK..count.next_multiple_of(BLOCK) {
            let vertex = place.min(count - 1) * set_count;
            let list = vertex..vertex + set_count;
            let list = joints[list.clone()].iter().zip(&weights[list]);
            self.put(ReferenceRule::LargestWeight, place, list);
        }
    }
}

/// Binds whole blocks of vertices of one set each.
struct Bind<'a> {
    joints: &'a [[[u16; SLOTS]; BLOCK]],
    weights: &'a [[[f64; SLOTS]; BLOCK]],
    sets: &'a mut [Sets],
    joint_limit: &'a mut usize,
}

impl Kernel for Bind<'_> {
    /// Loops over slots and lanes have no branches, so that the compiler makes vectors of the instruction set of them.
    #[inline(always)]
    fn run<V: F64Lanes>(self, _: V::Token) {
        let mut highest = [0; SLOTS];
        let blocks = self.joints.iter().zip(self.weights);
        for (sets, (joints, weights)) in self.sets.iter_mut().zip(blocks) {
            match weights
                .as_flattened()
                .iter()
                .fold(true, |all: bool, weight| all & (*weight > 0.0))
            {
                true => bind_all(joints, weights, sets, &mut highest),
                false => bind_some(joints, weights, sets, &mut highest),
            }
        }
        let highest = highest.into_iter().max().unwrap_or(0);
        *self.joint_limit = usize::from(highest) + 1;
    }
}

/// Binds a block of which all weights are positive.
#[inline(always)]
fn bind_all(
    joints: &[[u16; SLOTS]; BLOCK],
    weights: &[[f64; SLOTS]; BLOCK],
    to: &mut Sets,
    highest: &mut [u16; SLOTS],
) {
    (to.joints, to.weights) = (*joints, *weights);
    for lane in 0..BLOCK {
        to.references[lane] = heaviest(joints[lane], weights[lane]);
        raise(highest, joints[lane]);
    }
}

/// Binds a block with any weights.
#[inline(always)]
fn bind_some(
    joints: &[[u16; SLOTS]; BLOCK],
    weights: &[[f64; SLOTS]; BLOCK],
    to: &mut Sets,
    highest: &mut [u16; SLOTS],
) {
    for lane in 0..BLOCK {
        let joints = joints[lane];
        let weights = weights[lane];
        let counts = weights.map(mask);
        let weights = weights.map(|weight| if weight > 0.0 { weight } else { 0.0 });
        // Without a positive weight this is the first joint.
        let reference = heaviest(joints, weights);
        let joints = from_fn(|slot| joints[slot] & counts[slot] | reference & !counts[slot]);
        raise(highest, joints);
        (to.joints[lane], to.weights[lane]) = (joints, weights);
        to.references[lane] = reference;
    }
}

/// Returns a number of which all bits are set if the weight is positive, and none if it is zero, negative or not a number.
#[inline(always)]
fn mask(weight: f64) -> u16 {
    // The highest bit of the word is set unless `bits` is from 1 to those of infinity. A comparison of floats would be
    // plainer, but AVX-512 has its result in another kind of register, one slot at a time.
    let bits = weight.to_bits();
    let word = bits.wrapping_sub(1) | bits | f64::INFINITY.to_bits().wrapping_sub(bits);
    (!word as i64 >> 63) as u16
}

/// Raises the highest joint of each slot to these.
#[inline(always)]
fn raise(highest: &mut [u16; SLOTS], joints: [u16; SLOTS]) {
    for (highest, joint) in highest.iter_mut().zip(joints) {
        *highest = joint.max(*highest);
    }
}

#[cfg(test)]
mod tests {
    use super::ReferenceRule::LargestWeight;
    use super::*;

    #[test]
    fn rebinding_is_binding() {
        let weights = [
            0.5,
            0.0,
            1e-320,
            -0.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            -f64::NAN,
        ];
        let joints = [3, 0, u16::MAX, 7, 2, 1];
        let slots: Vec<(u16, f64)> = (0..4 * 4200)
            .map(|slot| {
                let vertex = slot / SLOTS;
                let weight = weights[vertex >> (3 * (slot % SLOTS)) & 7];
                (
                    joints[slot * 7 % 11 % 6],
                    if vertex < 64 { 0.25 } else { weight },
                )
            })
            .collect();
        for (isa, (set_count, vertices)) in Isa::available()
            .into_iter()
            .flat_map(|isa| [(1, 4200), (1, 4199), (1, 3), (2, 100), (1, 64)].map(|ask| (isa, ask)))
        {
            let slots = &slots[..SLOTS * set_count * vertices];
            let (lists, _) = slots.as_chunks::<SLOTS>();
            let joints: Vec<_> = lists
                .iter()
                .map(|list| list.map(|(joint, _)| joint))
                .collect();
            let weights: Vec<_> = lists
                .iter()
                .map(|list| list.map(|(_, weight)| weight))
                .collect();
            let mut rebound = Influences::bind_each(LargestWeight, 3, &[(9, 1.0); 12 * 50]);
            rebound.rebind_each(isa, set_count, &joints, &weights);
            let bound = Influences::bind_each(LargestWeight, set_count, slots);
            assert_eq!(rebound.joint_limit(), bound.joint_limit());
            assert_eq!(
                rebound.sets,
                bound.sets,
                "{vertices} vertices, {}",
                isa.name()
            );
        }
    }
}
