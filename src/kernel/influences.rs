//! Influences laid out for the kernel at bind time.

use std::ops::Range;

use super::CHUNK;
use super::rest::BLOCK;
use crate::simd::prefetch;

/// Influences of a vertex come in sets of four slots.
pub const SLOTS: usize = 4;

/// Joints and weights of all vertices of a mesh.
///
/// Neighbours with equal influences share one list of them where that pays (`runs`): then a transform is
/// blended once for all of them. Slots of weight zero carry the vertex's reference joint, so that the kernel
/// may multiply them instead of testing for them.
#[derive(Clone, Debug, Default)]
pub struct Influences {
    /// Sets of four slots in a list.
    set_count: usize,
    /// The sets of eight lists, `set_count` of these for each eight; copies of the last list fill up.
    sets: Vec<Sets>,
    /// Which lists the vertices of each block have; `None` if each vertex has its own.
    runs: Option<Vec<BlockLists>>,
    vertex_count: usize,
    joint_limit: usize,
}

/// One set each of eight lists.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Sets {
    pub weights: [[f64; SLOTS]; BLOCK],
    pub joints: [[u16; SLOTS]; BLOCK],
    /// Lowest joint number with a positive weight in any set of the list (`numerics.md` §7, step 2).
    pub references: [u16; BLOCK],
}

/// The lists of the vertices of a block, which follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockLists {
    /// List of the first vertex.
    pub first: u32,
    /// How far past it each vertex's list is; ascending.
    pub offset: [u8; BLOCK],
    pub kind: Kind,
}

/// How the vertices of a block share lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Each has its own.
    Each,
    /// All have the same.
    Shared,
    /// Some do.
    Mixed,
}

/// Blocks of vertices whose lists are few enough to be blended together.
pub(super) struct Chunk {
    pub blocks: Range<usize>,
    /// Their lists, from one that begins a block of lists.
    pub lists: Range<usize>,
}

/// With fewer vertices than this to a list on average, each gets a list of its own: finding which of them share
/// one would cost more than blending again.
const WORTHWHILE_RUN: usize = 2;

/// Smaller meshes are still in a cache, or come into one soon enough: measured, asking for them costs 4 %.
/// Larger ones are a quarter faster.
const PREFETCH_ABOVE: usize = 20_000;

/// Blocks of vertices or lists between what is asked for and what is worked on.
const AHEAD: usize = 8;

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
        let begins =
            |vertex: usize| vertex == 0 || !equal(&vertices[vertex], &vertices[vertex - 1]);
        let run_count = (0..vertices.len()).filter(|vertex| begins(*vertex)).count();
        let shared = run_count * WORTHWHILE_RUN <= vertices.len();
        let list_count = if shared { run_count } else { vertices.len() };
        let set_count = N / SLOTS;
        let mut bound = Self {
            set_count,
            sets: vec![Sets::default(); list_count.div_ceil(BLOCK) * set_count],
            runs: shared.then(|| Vec::with_capacity(vertices.len().div_ceil(BLOCK))),
            vertex_count: vertices.len(),
            joint_limit: 0,
        };
        let mut next = 0;
        for (vertex, slots) in vertices.iter().enumerate() {
            if !shared || begins(vertex) {
                bound.put(next, slots);
                next += 1;
            }
            if let Some(runs) = &mut bound.runs {
                note(runs, vertex, next - 1);
            }
        }
        if let Some(last) = vertices.last() {
            (next..next.next_multiple_of(BLOCK)).for_each(|list| bound.put(list, last));
        }
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

    /// Whether vertices share lists.
    #[inline(always)]
    pub(super) fn are_shared(&self) -> bool {
        self.runs.is_some()
    }

    /// Which lists the vertices of a block have.
    #[inline(always)]
    pub(super) fn of_block(&self, block: usize) -> BlockLists {
        match &self.runs {
            Some(runs) => runs[block],
            None => BlockLists {
                first: (BLOCK * block) as u32,
                offset: [0, 1, 2, 3, 4, 5, 6, 7],
                kind: Kind::Each,
            },
        }
    }

    /// As many of some blocks, from the first on, as have no more than [`CHUNK`] lists between them.
    #[inline(always)]
    pub(super) fn chunk(&self, blocks: Range<usize>) -> Chunk {
        let first = self.of_block(blocks.start).first as usize / BLOCK * BLOCK;
        let mut chunk = Chunk {
            blocks: blocks.start..blocks.start,
            lists: first..first,
        };
        for block in blocks {
            let end = self.of_block(block).last() + 1;
            if end - first > CHUNK {
                break;
            }
            (chunk.blocks.end, chunk.lists.end) = (block + 1, end);
        }
        chunk
    }

    /// Asks for what will be needed [`AHEAD`] blocks after some, if that is not likely to be near already.
    #[inline(always)]
    pub(super) fn prefetch_after<T>(
        &self,
        blocks: &Range<usize>,
        lists: &Range<usize>,
        rest: &[T],
    ) {
        if self.vertex_count > PREFETCH_ABOVE {
            let soon = |start: usize, end: usize, len: usize| {
                (start + AHEAD).min(len)..(end + AHEAD).min(len)
            };
            prefetch(&rest[soon(blocks.start, blocks.end, rest.len())]);
            let lists = soon(
                lists.start / BLOCK,
                lists.end / BLOCK,
                self.sets.len() / self.set_count,
            );
            prefetch(&self.sets[lists.start * self.set_count..lists.end * self.set_count]);
        }
    }

    /// The sets of some lists, of which the first begins a block of lists.
    #[inline(always)]
    pub(super) fn sets(&self, lists: Range<usize>) -> &[Sets] {
        let (first, end) = (lists.start / BLOCK, lists.end.div_ceil(BLOCK));
        &self.sets[first * self.set_count..end * self.set_count]
    }

    /// The sets of one list, each with seven of other lists; and which of the eight it is.
    #[inline(always)]
    pub(super) fn list(&self, list: usize) -> (&[Sets], usize) {
        (self.sets(list..list + 1), list % BLOCK)
    }

    /// Puts a list in its place.
    fn put(&mut self, list: usize, slots: &[(u16, f64)]) {
        let positive = slots.iter().filter(|(_, weight)| *weight > 0.0);
        let lowest = positive.map(|(joint, _)| *joint).min();
        let lowest = lowest.unwrap_or(slots[0].0);
        let first = list / BLOCK * self.set_count;
        let lane = list % BLOCK;
        for (sets, slots) in self.sets[first..].iter_mut().zip(slots.chunks_exact(SLOTS)) {
            for (slot, &(joint, weight)) in slots.iter().enumerate() {
                let joint = if weight > 0.0 { joint } else { lowest };
                self.joint_limit = self.joint_limit.max(usize::from(joint) + 1);
                sets.joints[lane][slot] = joint;
                sets.weights[lane][slot] = weight;
            }
            sets.references[lane] = lowest;
        }
    }
}

impl BlockLists {
    /// The block's lists.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        self.first as usize..self.last() + 1
    }

    /// List of the last vertex.
    #[inline(always)]
    pub fn last(&self) -> usize {
        self.first as usize + usize::from(self.offset[BLOCK - 1])
    }
}

/// Whether two vertices have the same joints and weights, bit for bit, slot by slot.
fn equal(a: &[(u16, f64)], b: &[(u16, f64)]) -> bool {
    let mut slots = a.iter().zip(b);
    slots.all(|(a, b)| a.0 == b.0 && a.1.to_bits() == b.1.to_bits())
}

/// Notes the list of a vertex; the rest of its block follows it for now.
fn note(runs: &mut Vec<BlockLists>, vertex: usize, list: usize) {
    let lane = vertex % BLOCK;
    if lane == 0 {
        runs.push(BlockLists {
            first: u32::try_from(list).expect("fewer than 2^32 vertices"),
            offset: [0; BLOCK],
            kind: Kind::Shared,
        });
    }
    let run = runs.last_mut().expect("one was pushed");
    run.offset[lane..].fill((list - run.first as usize) as u8);
    if run.offset[lane] > 0 {
        run.kind = Kind::Mixed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_slots_point_at_the_lowest_positive_joint() {
        let influences = Influences::bind(&[[(7, 0.0), (5, 0.5), (3, 0.5), (0, 0.0)]]);
        let sets = influences.sets(0..1)[0];
        assert_eq!(sets.joints[0], [3, 5, 3, 3]);
        assert_eq!(sets.references[0], 3);
        assert_eq!(sets.joints[7], sets.joints[0], "the block is filled up");
        assert_eq!(influences.joint_limit(), 6);
    }

    #[test]
    fn neighbours_share_a_list_where_that_pays() {
        let list = |joint| [(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
        let alone: Vec<_> = (0..20).map(list).collect();
        assert!(!Influences::bind(&alone).are_shared());
        let in_threes: Vec<_> = (0..20).map(|vertex| list(vertex / 3)).collect();
        let bound = Influences::bind(&in_threes);
        assert!(bound.are_shared());
        let lists = |block| {
            let runs = bound.of_block(block);
            runs.offset.map(|offset| u32::from(offset) + runs.first)
        };
        assert_eq!(lists(0), [0, 0, 0, 1, 1, 1, 2, 2]);
        assert_eq!(lists(1), [2, 3, 3, 3, 4, 4, 4, 5]);
        assert_eq!(lists(2), [5, 5, 6, 6, 6, 6, 6, 6]);
    }
}
