//! What a solver sees of a block: one group of lanes.

use std::ops::Range;

use super::BLOCK;
use super::Influences;
use super::palette::Palette;

/// Components of a vertex in lanes.
#[derive(Clone, Copy)]
pub(super) struct Vertex<V> {
    pub position: [V; 3],
    pub normal: [V; 3],
}

/// The influences of a block, copied so that its end can be filled up.
pub(super) struct BlockInfluences {
    joints: Vec<[u16; BLOCK]>,
    weights: Vec<[f64; BLOCK]>,
    signed: Vec<[f64; BLOCK]>,
}

/// Where a group of lanes stands in its block.
pub(super) struct Group<'b> {
    block: &'b BlockInfluences,
    first: usize,
}

impl<'b> Group<'b> {
    pub fn new(block: &'b BlockInfluences, first: usize) -> Self {
        Self { block, first }
    }

    #[inline(always)]
    pub fn joints(&self, slot: usize) -> &[u16] {
        &self.block.joints[slot][self.first..]
    }

    #[inline(always)]
    pub fn weights(&self, slot: usize) -> &[f64] {
        &self.block.weights[slot][self.first..]
    }

    /// Weights negated where the joint lies in the other hemisphere than the vertex's reference.
    #[inline(always)]
    pub fn signed_weights(&self, slot: usize) -> &[f64] {
        &self.block.signed[slot][self.first..]
    }
}

impl BlockInfluences {
    pub fn new(slot_count: usize) -> Self {
        Self {
            joints: vec![[0; BLOCK]; slot_count],
            weights: vec![[0.0; BLOCK]; slot_count],
            signed: vec![[0.0; BLOCK]; slot_count],
        }
    }

    pub fn load(&mut self, palette: &Palette, influences: &Influences, vertices: Range<usize>) {
        let count = vertices.len();
        let references = &influences.reference()[vertices.clone()];
        for slot in 0..self.joints.len() {
            let (joints, weights) = (&mut self.joints[slot], &mut self.weights[slot]);
            joints[..count].copy_from_slice(&influences.joints(slot)[vertices.clone()]);
            weights[..count].copy_from_slice(&influences.weights(slot)[vertices.clone()]);
            if let Palette::Dual(dual) = palette {
                for (i, reference) in references.iter().enumerate() {
                    self.signed[slot][i] = dual.sign(joints[i], *reference) * weights[i];
                }
                repeat_last(&mut self.signed[slot], count);
            }
            repeat_last(joints, count);
            repeat_last(weights, count);
        }
    }
}

/// Fills the end of a plane with copies of its last used entry.
#[inline(always)]
pub(super) fn repeat_last<T: Copy>(plane: &mut [T; BLOCK], count: usize) {
    let last = plane[count - 1];
    plane[count..].fill(last);
}
