//! Influences laid out for the kernel at bind time.

use std::ops::Range;

use super::dqs::CHUNK;
use super::rest::BLOCK;

/// Influences of a vertex come in sets of four slots.
pub const SLOTS: usize = 4;

/// Joints and weights of all vertices of a mesh, one list after the other.
///
/// Neighbours with equal lists share one where that pays (`runs`): then a transform is blended once for all of
/// them. Slots of weight zero carry the vertex's reference joint, so that the kernel may multiply them instead
/// of testing for them.
#[derive(Clone, Debug, Default)]
pub struct Influences {
    /// Sets of four slots in a list.
    set_count: usize,
    /// `set_count` sets of four joints per list; some further lists fill up the last block.
    pub(super) joints: Vec<[u16; SLOTS]>,
    /// Weights of the same slots.
    pub(super) weights: Vec<[f64; SLOTS]>,
    /// Lowest joint number with a positive weight, by list (`numerics.md` §7, step 2).
    pub(super) references: Vec<u16>,
    /// Which lists the vertices of each block have; `None` if each vertex has its own.
    pub(super) runs: Option<Vec<BlockRuns>>,
    vertex_count: usize,
    joint_limit: usize,
}

/// The lists of the vertices of a block: consecutive ones, so that eight bits each tell them apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockRuns {
    /// List of the first vertex.
    pub first: u32,
    /// What each vertex's list is past the first; ascending.
    pub offset: [u8; BLOCK],
}

impl BlockRuns {
    /// The block's lists.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.offset[BLOCK - 1]) + 1
    }

    /// Whether all vertices have one list.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.offset[BLOCK - 1] == 0
    }
}

/// Blocks whose lists are few enough to be blended together.
pub(super) struct Chunk {
    pub blocks: Range<usize>,
    pub lists: Range<usize>,
}

/// Fewer vertices than this to a list on average, and each gets one of its own: looking lists up would cost more
/// than blending again.
const WORTHWHILE_RUN: usize = 2;

impl Influences {
    /// Binds vertices, each given as its slots in stored order. The number of slots is a multiple of
    /// [`SLOTS`], the same for all; at least one weight of each vertex is positive.
    pub fn bind<const N: usize>(vertices: &[[(u16, f64); N]]) -> Self {
        const {
            assert!(
                N.is_multiple_of(SLOTS) && N > 0,
                "influences come in sets of four"
            )
        };
        let same = |a: &[(u16, f64); N], b: &[(u16, f64); N]| {
            let slots = a.iter().zip(b);
            slots.fold(true, |same, (a, b)| {
                same & (a.0 == b.0) & (a.1.to_bits() == b.1.to_bits())
            })
        };
        let new = |index: usize| index == 0 || !same(&vertices[index], &vertices[index - 1]);
        let run_count = (0..vertices.len()).filter(|index| new(*index)).count();
        let shared = run_count * WORTHWHILE_RUN <= vertices.len();
        let list_count = if shared { run_count } else { vertices.len() };

        let mut bound = Self {
            set_count: N / SLOTS,
            vertex_count: vertices.len(),
            runs: shared.then(|| Vec::with_capacity(vertices.len().div_ceil(BLOCK))),
            ..Self::default()
        };
        bound.reserve(list_count);
        for (index, slots) in vertices.iter().enumerate() {
            if !shared || new(index) {
                bound.push(slots);
            }
            let list = bound.list_count() - 1;
            if let Some(runs) = &mut bound.runs {
                push_run(runs, index, list);
            }
        }
        bound.fill_up();
        bound
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// One past the highest joint number any slot names.
    pub fn joint_limit(&self) -> usize {
        self.joint_limit
    }

    /// Sets of four slots in a list.
    pub(super) fn set_count(&self) -> usize {
        self.set_count
    }

    /// Consecutive lists, and enough further ones to fill whole blocks.
    #[inline(always)]
    pub(super) fn lists(&self, lists: Range<usize>) -> Lists<'_> {
        let end = lists.start + lists.len().next_multiple_of(BLOCK);
        let sets = lists.start * self.set_count..end * self.set_count;
        Lists {
            set_count: self.set_count,
            joints: &self.joints[sets.clone()],
            weights: &self.weights[sets],
            references: &self.references[lists.start..end],
        }
    }

    /// Which lists the vertices of a block have.
    #[inline(always)]
    pub(super) fn of_block(&self, block: usize) -> BlockRuns {
        match &self.runs {
            Some(runs) => runs[block],
            None => BlockRuns {
                first: (BLOCK * block) as u32,
                offset: [0, 1, 2, 3, 4, 5, 6, 7],
            },
        }
    }

    /// As many of the blocks, from the first on, as have no more than [`CHUNK`] lists between them.
    #[inline(always)]
    pub(super) fn chunk(&self, blocks: Range<usize>) -> Chunk {
        let first = self.of_block(blocks.start).first as usize;
        let mut end = blocks.start;
        let mut lists = first..first;
        while end < blocks.end {
            let next = self.of_block(end).range().end;
            if next - first > CHUNK {
                break;
            }
            (lists.end, end) = (next, end + 1);
        }
        Chunk { blocks: blocks.start..end, lists }
    }

    fn list_count(&self) -> usize {
        self.references.len()
    }

    fn reserve(&mut self, list_count: usize) {
        let list_count = list_count + PADDING;
        self.joints.reserve_exact(list_count * self.set_count);
        self.weights.reserve_exact(list_count * self.set_count);
        self.references.reserve_exact(list_count);
    }

    /// Appends a list.
    fn push(&mut self, slots: &[(u16, f64)]) {
        let positive = slots.iter().filter(|(_, weight)| *weight > 0.0);
        let lowest = positive.map(|(joint, _)| *joint).min();
        let lowest = lowest.unwrap_or(slots[0].0);
        for set in slots.chunks_exact(SLOTS) {
            let joint = |slot: usize| if set[slot].1 > 0.0 { set[slot].0 } else { lowest };
            let joints = [joint(0), joint(1), joint(2), joint(3)];
            let highest = joints.iter().fold(0, |highest, joint| highest.max(*joint));
            self.joint_limit = self.joint_limit.max(usize::from(highest) + 1);
            self.joints.push(joints);
            self.weights.push([set[0].1, set[1].1, set[2].1, set[3].1]);
        }
        self.references.push(lowest);
    }

    /// Appends copies of the last list, so that lists can be read in whole blocks from wherever a list begins.
    fn fill_up(&mut self) {
        let Some(last) = self.references.last().copied() else {
            return;
        };
        let first = self.joints.len() - self.set_count;
        for _ in 0..PADDING {
            self.joints.extend_from_within(first..first + self.set_count);
            self.weights.extend_from_within(first..first + self.set_count);
            self.references.push(last);
        }
    }
}

/// Some lists.
#[derive(Clone, Copy)]
pub(super) struct Lists<'a> {
    set_count: usize,
    joints: &'a [[u16; SLOTS]],
    weights: &'a [[f64; SLOTS]],
    references: &'a [u16],
}

impl<'a> Lists<'a> {
    /// Number of lists, a multiple of eight.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.references.len()
    }

    /// Joints and weights of a list.
    #[inline(always)]
    pub fn sets(&self, list: usize) -> impl Iterator<Item = (&'a [u16; SLOTS], &'a [f64; SLOTS])> {
        let sets = list * self.set_count..(list + 1) * self.set_count;
        self.joints[sets.clone()].iter().zip(&self.weights[sets])
    }

    /// Fills `signed` with the weights, each negated where the top bit of `flips(reference, joint)` is set.
    /// `(-w) * q` is exactly `w * (-q)`.
    #[inline(always)]
    pub fn sign(&self, signed: &mut [[f64; SLOTS]], flips: impl Fn(usize, usize) -> u64) {
        let lists = signed.chunks_exact_mut(self.set_count).zip(self.references);
        for (list, (signed, reference)) in lists.enumerate() {
            for (signed, (joints, weights)) in signed.iter_mut().zip(self.sets(list)) {
                for (slot, signed) in signed.iter_mut().enumerate() {
                    let flips = flips(usize::from(*reference), usize::from(joints[slot]));
                    *signed = f64::from_bits(weights[slot].to_bits() ^ (flips & SIGN));
                }
            }
        }
    }

    /// The same lists with other weights.
    #[inline(always)]
    pub fn with_weights<'b>(&self, weights: &'b [[f64; SLOTS]]) -> Lists<'b>
    where
        'a: 'b,
    {
        Lists { weights, ..*self }
    }
}

/// The top bit of an f64.
const SIGN: u64 = 1 << 63;

/// Lists past the last that can be read.
const PADDING: usize = BLOCK - 1;

/// Notes the list of a vertex; the rest of its block follows it for now.
fn push_run(runs: &mut Vec<BlockRuns>, vertex: usize, list: usize) {
    let lane = vertex % BLOCK;
    if lane == 0 {
        runs.push(BlockRuns {
            first: u32::try_from(list).expect("fewer than 2^32 vertices"),
            offset: [0; BLOCK],
        });
    }
    let run = runs.last_mut().expect("one was pushed");
    run.offset[lane..].fill((list - run.first as usize) as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_slots_point_at_the_lowest_positive_joint() {
        let influences = Influences::bind(&[[(7, 0.0), (5, 0.5), (3, 0.5), (0, 0.0)]]);
        assert_eq!(influences.joints[0], [3, 5, 3, 3]);
        assert_eq!(influences.references[0], 3);
        assert_eq!(influences.joint_limit(), 6);
    }

    #[test]
    fn neighbours_share_a_list_where_that_pays() {
        let list = |joint| [(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
        let alone: Vec<_> = (0..20).map(list).collect();
        assert!(Influences::bind(&alone).runs.is_none());
        let in_threes: Vec<_> = (0..20).map(|vertex| list(vertex / 3)).collect();
        let bound = Influences::bind(&in_threes);
        let runs = bound.runs.expect("seven lists for twenty vertices");
        let lists = |block: usize| runs[block].offset.map(|o| u32::from(o) + runs[block].first);
        assert_eq!(lists(0), [0, 0, 0, 1, 1, 1, 2, 2]);
        assert_eq!(lists(1), [2, 3, 3, 3, 4, 4, 4, 5]);
        assert_eq!(lists(2), [5, 5, 6, 6, 6, 6, 6, 6]);
    }
}
