//! Access to influences: the lists of a block, and chunks of blocks that are evaluated together.

use std::ops::Range;

use super::influences::Influences;
use super::lists::{BlockLists, Sets, Sharing};
use super::rest::BLOCK;
use crate::simd::prefetch;

/// Most lists in a chunk: enough for the passes over them to hide each other's latencies, and few enough for their
/// intermediate results to stay in the first-level cache.
pub const CHUNK: usize = 32;

/// Blocks of vertices whose lists are few enough to be blended together.
pub struct Chunk {
    pub blocks: Range<usize>,
    /// The lists of these blocks. The first is a multiple of [`BLOCK`].
    pub lists: Range<usize>,
}

/// Meshes of more vertices are prefetched, which makes them up to a quarter faster. Smaller meshes are in a cache already,
/// and prefetching them costs 4 % (measured).
const PREFETCH_ABOVE: usize = 20_000;

/// Distance, in blocks of vertices or of lists, between the data that is prefetched and the data that is evaluated.
const AHEAD: usize = 8;

impl Influences {
    /// Returns the lists of the vertices of a block.
    #[inline(always)]
    pub(super) fn of_block(&self, block: usize) -> BlockLists {
        match &self.shared {
            Some(blocks) => blocks[block],
            None => BlockLists {
                first: (BLOCK * block) as u32,
                ..BlockLists::EACH
            },
        }
    }

    /// Returns the longest chunk at the beginning of `blocks` that has at most [`CHUNK`] lists.
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

    /// Returns the sets of a range of lists. The first list is a multiple of [`BLOCK`].
    #[inline(always)]
    pub(super) fn sets(&self, lists: Range<usize>) -> &[Sets] {
        let first = lists.start / BLOCK;
        let end = lists.end.div_ceil(BLOCK);
        &self.sets[first * self.set_count..end * self.set_count]
    }

    /// Returns the sets that hold one list together with seven others, and its index among the eight.
    #[inline(always)]
    fn list(&self, list: usize) -> (&[Sets], usize) {
        (self.sets(list..list + 1), list % BLOCK)
    }

    /// Returns true for meshes that are prefetched.
    #[inline(always)]
    pub(super) fn are_prefetched(&self) -> bool {
        self.vertex_count() > PREFETCH_ABOVE
    }

    /// Prefetches the sets that are [`AHEAD`] blocks of lists after these.
    #[inline(always)]
    pub(super) fn prefetch_sets(&self, lists: Range<usize>) {
        let lists = lists.start / BLOCK..lists.end / BLOCK;
        let lists = ahead(lists, self.sets.len() / self.set_count);
        prefetch(&self.sets[lists.start * self.set_count..lists.end * self.set_count]);
    }
}

/// Prefetches the block of rest vertices that is [`AHEAD`] blocks after this one.
#[inline(always)]
pub fn prefetch_rest<T>(block: usize, rest: &[T]) {
    prefetch(&rest[ahead(block..block + 1, rest.len())]);
}

/// Returns the blocks that are [`AHEAD`] blocks after these, of which there are `count`.
#[inline(always)]
fn ahead(blocks: Range<usize>, count: usize) -> Range<usize> {
    (blocks.start + AHEAD).min(count)..(blocks.end + AHEAD).min(count)
}

/// The influences of the vertices of a block.
pub trait VertexLists {
    /// Returns true if all vertices have the same list.
    #[inline(always)]
    fn are_one(&self) -> bool {
        false
    }

    /// Returns the sets that hold the list of a vertex of the block together with seven others, and its index among the
    /// eight.
    fn of(&self, vertex: usize) -> (&[Sets], usize);
}

/// A list of one set for each vertex. The compiler sees the number of sets.
pub struct OneSet<'a>(pub &'a Sets);

/// A list of several sets for each vertex.
pub struct SeveralSets<'a>(pub &'a [Sets]);

/// Lists that vertices share.
pub struct Shared<'a> {
    pub influences: &'a Influences,
    pub lists: &'a BlockLists,
}

impl VertexLists for OneSet<'_> {
    #[inline(always)]
    fn of(&self, vertex: usize) -> (&[Sets], usize) {
        (std::slice::from_ref(self.0), vertex)
    }
}

impl VertexLists for SeveralSets<'_> {
    #[inline(always)]
    fn of(&self, vertex: usize) -> (&[Sets], usize) {
        (self.0, vertex)
    }
}

impl VertexLists for Shared<'_> {
    #[inline(always)]
    fn are_one(&self) -> bool {
        self.lists.sharing == Sharing::All
    }

    #[inline(always)]
    fn of(&self, vertex: usize) -> (&[Sets], usize) {
        self.influences.list(self.lists.of(vertex))
    }
}
