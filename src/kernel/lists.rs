//! Lists of influences, and which vertices have which.

use std::ops::Range;

use super::influences::{Influences, SLOTS};
use super::rest::BLOCK;
use crate::simd::prefetch;

/// Lists that are blended together: enough for the passes over them to hide each other's latencies, few enough
/// for everything between these passes to stay in the nearest cache.
pub(super) const CHUNK: usize = 32;

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
    pub sharing: Sharing,
}

/// How the vertices of a block share lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Each has its own.
    None,
    /// Some share one.
    Some,
    /// All have the same.
    All,
}

/// Blocks of vertices whose lists are few enough to be blended together.
pub(super) struct Chunk {
    pub blocks: Range<usize>,
    /// Their lists, from one that begins a block of lists.
    pub lists: Range<usize>,
}

/// Smaller meshes are still in a cache, or come into one soon enough: measured, asking for them costs 4 %.
/// Larger ones are up to a quarter faster.
const PREFETCH_ABOVE: usize = 20_000;

/// Blocks of vertices or lists between what is asked for and what is worked on.
const AHEAD: usize = 8;

impl BlockLists {
    /// Which lists the vertices of each block have, if the first vertex with each list is one of `starts`.
    pub fn of_blocks(starts: &[usize], vertex_count: usize) -> Vec<Self> {
        let mut list = 0;
        let mut of_block = |block: usize| {
            let vertex = block * BLOCK;
            list += starts[list + 1..]
                .iter()
                .take_while(|start| **start <= vertex)
                .count();
            let mut lists = Self {
                first: u32::try_from(list).expect("fewer than 2^32 vertices"),
                offset: [0; BLOCK],
                sharing: Sharing::All,
            };
            let within = starts[list + 1..].iter().map(|start| start - vertex);
            for lane in within.take_while(|lane| *lane < BLOCK) {
                lists.offset[lane..]
                    .iter_mut()
                    .for_each(|offset| *offset += 1);
                lists.sharing = Sharing::Some;
            }
            lists
        };
        (0..vertex_count.div_ceil(BLOCK))
            .map(&mut of_block)
            .collect()
    }

    /// The block's lists.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.offset[BLOCK - 1]) + 1
    }

    /// The list of a vertex of the block.
    #[inline(always)]
    pub fn of(&self, vertex: usize) -> usize {
        self.first as usize + usize::from(self.offset[vertex])
    }
}

impl Influences {
    /// Which lists the vertices of a block have.
    #[inline(always)]
    pub(super) fn of_block(&self, block: usize) -> BlockLists {
        match &self.shared {
            Some(blocks) => blocks[block],
            None => BlockLists {
                first: (BLOCK * block) as u32,
                offset: [0, 1, 2, 3, 4, 5, 6, 7],
                sharing: Sharing::None,
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
            let end = self.of_block(block).range().end;
            if end - first > CHUNK {
                break;
            }
            (chunk.blocks.end, chunk.lists.end) = (block + 1, end);
        }
        chunk
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

    /// Asks for what will be needed [`AHEAD`] blocks after some, if that is not likely to be near already.
    #[inline(always)]
    pub(super) fn prefetch_after<T>(&self, blocks: Range<usize>, lists: Range<usize>, rest: &[T]) {
        if self.vertex_count() > PREFETCH_ABOVE {
            let ahead = |blocks: Range<usize>, count: usize| {
                (blocks.start + AHEAD).min(count)..(blocks.end + AHEAD).min(count)
            };
            prefetch(&rest[ahead(blocks, rest.len())]);
            let lists = lists.start / BLOCK..lists.end / BLOCK;
            let lists = ahead(lists, self.sets.len() / self.set_count);
            prefetch(&self.sets[lists.start * self.set_count..lists.end * self.set_count]);
        }
    }
}
