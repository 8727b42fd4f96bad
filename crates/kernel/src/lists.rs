//! Lists of influences, and the lists that the vertices of a block have.

use std::ops::Range;

use super::rest::BLOCK;

/// Number of slots in a set: a slot holds one influence, and a vertex has one or more sets.
pub const SLOTS: usize = 4;

/// `slots.map(of)`, which the compiler does not always inline into the functions of an instruction set.
#[inline(always)]
pub fn each_slot<T, U>([a, b, c, d]: [T; SLOTS], of: impl Fn(T) -> U) -> [U; SLOTS] {
    [of(a), of(b), of(c), of(d)]
}

/// One set of each of eight lists.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Sets {
    pub weights: [[f64; SLOTS]; BLOCK],
    pub joints: [[u16; SLOTS]; BLOCK],
    /// The list's reference joint, in each of its sets.
    pub references: [u16; BLOCK],
}

/// The lists of the vertices of a block. They are consecutive.
#[derive(Clone, Copy, Debug)]
pub struct BlockLists {
    /// Index of the first vertex's list.
    pub first: u32,
    /// Index of each vertex's list, counted from `first`; ascending.
    pub offset: [u8; BLOCK],
    pub sharing: Sharing,
}

/// The extent to which the vertices of a block share lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Each vertex has a list of its own.
    None,
    /// Some vertices share a list.
    Some,
    /// All vertices have the same list.
    All,
}

impl BlockLists {
    /// The lists of vertices that have one each, from the first.
    pub const EACH: Self = Self {
        first: 0,
        offset: [0, 1, 2, 3, 4, 5, 6, 7],
        sharing: Sharing::None,
    };

    /// Returns the lists of the vertices of each block; `starts` are the first vertices of the lists, ascending from 0.
    pub fn of_blocks(starts: &[usize], vertex_count: usize) -> Vec<Self> {
        let mut list = 0;
        let mut of_block = |block: usize| {
            let vertex = block * BLOCK;
            list += starts[list + 1..]
                .iter()
                .take_while(|start| **start <= vertex)
                .count();
            let mut lists = Self {
                first: list as u32,
                offset: [0; BLOCK],
                sharing: Sharing::All,
            };
            for lane in starts[list + 1..]
                .iter()
                .map(|start| start - vertex)
                .take_while(|lane| *lane < BLOCK)
            {
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

    /// Returns the indices of the block's lists.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.offset[BLOCK - 1]) + 1
    }

    /// Returns the index of the list of a vertex of the block.
    #[inline(always)]
    pub fn of(&self, vertex: usize) -> usize {
        self.first as usize + usize::from(self.offset[vertex])
    }
}
