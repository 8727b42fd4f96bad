//! Vertices rotated by their lists' transforms: the last step of dual quaternion skinning (`numerics.md` §7, step 6).
//!
//! The two products of a rotation, `turn` and `place`, are one long chain of operations. Where that is faster, `place` runs
//! one block behind `turn` and what is between them is stored: with few registers much of it would be stored anyway, and a
//! processor finds more to do while it waits for the end of a chain.

use super::chunks::{Chunk, prefetch_rest};
use super::evaluate::{OfBlock, load};
use super::influences::Influences;
use super::lists::BlockLists;
use super::rest::{BLOCK, Block, Coordinate};
use super::transforms::Transforms;
use crate::simd::F64Lanes;

/// A quaternion w, x, y, z in lanes.
type Quat<V> = [V; 4];

/// Rotates and moves the vertices of a chunk, and stores them in `outputs`, block by block. `turned` is working memory.
#[inline(always)]
pub fn all<'o, V: F64Lanes, T: Coordinate>(
    token: V::Token,
    transforms: &Transforms,
    influences: &Influences,
    chunk: Chunk,
    rest: &[Block<T>],
    turned: &mut [[Turned; 2]; 2],
    outputs: impl Iterator<Item = (&'o mut OfBlock, &'o mut OfBlock)>,
) {
    let end = chunk.blocks.end;
    let first_list = chunk.lists.start;
    let mut before = None;
    for (block, (positions, normals)) in chunk.blocks.zip(outputs) {
        if influences.are_prefetched() {
            prefetch_rest(block, rest);
        }
        let lists = influences.of_block(block);
        let list = lists.first as usize - first_list;
        if !V::ROTATES_APART {
            for first in (0..BLOCK).step_by(V::LANES) {
                let transform = transforms.load::<V>(token, list, &lists, first);
                let vertices = load::<V, T>(token, &rest[block], first);
                let [position, normal] = apply(token, transform, vertices);
                V::store_interleaved(position, &mut positions[3 * first..]);
                V::store_interleaved(normal, &mut normals[3 * first..]);
            }
            continue;
        }
        let of_block = BlockTransforms {
            transforms,
            list,
            lists,
        };
        for first in (0..BLOCK).step_by(V::LANES) {
            let transform = of_block.load::<V>(token, first);
            let vertices = load::<V, T>(token, &rest[block], first);
            for (turned, vector) in turned[block % 2].iter_mut().zip(vertices) {
                turned.turn(token, transform, vector, first);
            }
        }
        if let Some((of_block, positions, normals)) = before.replace((of_block, positions, normals))
        {
            place::<V>(
                token,
                &turned[(block + 1) % 2],
                &of_block,
                positions,
                normals,
            );
        }
    }
    if let Some((of_block, positions, normals)) = before {
        place::<V>(token, &turned[(end + 1) % 2], &of_block, positions, normals);
    }
}

#[inline(always)]
fn place<V: F64Lanes>(
    token: V::Token,
    [p, n]: &[Turned; 2],
    transforms: &BlockTransforms,
    positions: &mut OfBlock,
    normals: &mut OfBlock,
) {
    for first in (0..BLOCK).step_by(V::LANES) {
        let transform = transforms.load::<V>(token, first);
        V::store_interleaved(
            p.moved(token, transform, first),
            &mut positions[3 * first..],
        );
        V::store_interleaved(n.placed(token, transform, first), &mut normals[3 * first..]);
    }
}

/// The transforms of the vertices of a block.
struct BlockTransforms<'a> {
    transforms: &'a Transforms,
    /// The first vertex's list, counted from the first of the chunk.
    list: usize,
    lists: BlockLists,
}

impl BlockTransforms<'_> {
    #[inline(always)]
    fn load<V: F64Lanes>(&self, token: V::Token, first: usize) -> [V; 7] {
        self.transforms.load(token, self.list, &self.lists, first)
    }
}

/// `r ⊗ (0, v)` of the vertices of a block.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub struct Turned([[f64; BLOCK]; 4]);

impl Turned {
    pub const ZERO: Self = Self([[0.0; BLOCK]; 4]);

    #[inline(always)]
    pub fn turn<V: F64Lanes>(
        &mut self,
        token: V::Token,
        [w, x, y, z, ..]: [V; 7],
        vector: [V; 3],
        first: usize,
    ) {
        let turned = turn(V::splat(token, 0.0), [w, x, y, z], vector);
        for (plane, part) in self.0.iter_mut().zip(turned) {
            part.store(&mut plane[first..]);
        }
    }

    /// Step 6 for positions, after `turn`.
    #[inline(always)]
    pub fn moved<V: F64Lanes>(&self, token: V::Token, transform: [V; 7], first: usize) -> [V; 3] {
        let [.., tx, ty, tz] = transform;
        let [x, y, z] = self.placed(token, transform, first);
        [x + tx, y + ty, z + tz]
    }

    /// Step 6 for directions, after `turn`.
    #[inline(always)]
    pub fn placed<V: F64Lanes>(
        &self,
        token: V::Token,
        [w, x, y, z, ..]: [V; 7],
        first: usize,
    ) -> [V; 3] {
        let load = |plane: usize| V::load(token, &self.0[plane][first..]);
        vector_of_product_with_conjugate([load(0), load(1), load(2), load(3)], [w, x, y, z])
    }
}

/// Step 6: position and normal of a group of lanes.
#[inline(always)]
fn apply<V: F64Lanes>(
    token: V::Token,
    [w, x, y, z, tx, ty, tz]: [V; 7],
    [position, normal]: [[V; 3]; 2],
) -> [[V; 3]; 2] {
    let zero = V::splat(token, 0.0);
    let q = [w, x, y, z];
    let [x, y, z] = vector_of_product_with_conjugate(turn(zero, q, position), q);
    let normal = vector_of_product_with_conjugate(turn(zero, q, normal), q);
    [[x + tx, y + ty, z + tz], normal]
}

/// `q ⊗ (0, v)`.
#[inline(always)]
fn turn<V: F64Lanes>(zero: V, [aw, ax, ay, az]: Quat<V>, [x, y, z]: [V; 3]) -> Quat<V> {
    [
        aw * zero - ax * x - ay * y - az * z,
        aw * x + ax * zero + ay * z - az * y,
        aw * y - ax * z + ay * zero + az * x,
        aw * z + ax * y - ay * x + az * zero,
    ]
}

/// The vector part of `a ⊗ conj(b)`; the scalar part is never needed.
#[inline(always)]
pub fn vector_of_product_with_conjugate<V: F64Lanes>(
    [aw, ax, ay, az]: Quat<V>,
    [bw, bx, by, bz]: Quat<V>,
) -> [V; 3] {
    [
        ax * bw - aw * bx - ay * bz + az * by,
        ax * bz - aw * by + ay * bw - az * bx,
        aw * -bz - ax * by + ay * bx + az * bw,
    ]
}
