//! Finding one's way through influences: the lists of a block, and blocks that are worked on together.

use std::ops::Range;

use super::influences::Influences;
use super::lists::{BlockLists, Sets, Sharing};
use super::rest::BLOCK;
use crate::kernel::simd::prefetch;

/// Lists that are blended together: enough for the passes over them to hide each other's latencies, few enough
/// for everything between these passes to stay in the nearest cache.
pub(super) const CHUNK: usize = 32;

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
