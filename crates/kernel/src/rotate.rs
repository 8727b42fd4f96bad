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
    turned: &mut [Turned; 2],
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
        turned[block % 2].turn::<V, T>(token, &of_block, &rest[block]);
        if let Some((of_block, positions, normals)) = before.replace((of_block, positions, normals))
        {
            turned[(block + 1) % 2].place::<V>(token, &of_block, positions, normals);
        }
    }
    if let Some((of_block, positions, normals)) = before {
        turned[(end + 1) % 2].place::<V>(token, &of_block, positions, normals);
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

/// `r ⊗ (0, p)` and `r ⊗ (0, n)` of a block.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub struct Turned([[[f64; BLOCK]; 4]; 2]);

impl Turned {
    #[inline(always)]
    fn turn<V: F64Lanes, T: Coordinate>(
        &mut self,
        token: V::Token,
        transforms: &BlockTransforms,
        rest: &Block<T>,
    ) {
        let zero = V::splat(token, 0.0);
        for first in (0..BLOCK).step_by(V::LANES) {
            let [w, x, y, z, ..] = transforms.load::<V>(token, first);
            let vertices = load::<V, T>(token, rest, first);
            for (planes, vector) in self.0.iter_mut().zip(vertices) {
                let turned = turn(zero, [w, x, y, z], vector);
                for (plane, part) in planes.iter_mut().zip(turned) {
                    part.store(&mut plane[first..]);
                }
            }
        }
    }

    #[inline(always)]
    fn place<V: F64Lanes>(
        &self,
        token: V::Token,
        transforms: &BlockTransforms,
        positions: &mut OfBlock,
        normals: &mut OfBlock,
    ) {
        for first in (0..BLOCK).step_by(V::LANES) {
            let [w, x, y, z, tx, ty, tz] = transforms.load::<V>(token, first);
            let r = [w, x, y, z];
            let [p, n] = &self.0;
            let [x, y, z] = vector_of_product_with_conjugate(quat(token, p, first), r);
            V::store_interleaved([x + tx, y + ty, z + tz], &mut positions[3 * first..]);
            let normal = vector_of_product_with_conjugate(quat(token, n, first), r);
            V::store_interleaved(normal, &mut normals[3 * first..]);
        }
    }
}

/// Loads the quaternions of the vertices from `first` on in a block.
#[inline(always)]
fn quat<V: F64Lanes>(token: V::Token, planes: &[[f64; BLOCK]; 4], first: usize) -> Quat<V> {
    let [w, x, y, z] = planes;
    [
        V::load(token, &w[first..]),
        V::load(token, &x[first..]),
        V::load(token, &y[first..]),
        V::load(token, &z[first..]),
    ]
}

/// Step 6: position and normal of a group of lanes.
#[inline(always)]
fn apply<V: F64Lanes>(
    token: V::Token,
    transform: [V; 7],
    [position, normal]: [[V; 3]; 2],
) -> [[V; 3]; 2] {
    let zero = V::splat(token, 0.0);
    [
        moved(zero, transform, position),
        turned(zero, transform, normal),
    ]
}

/// Step 6 for positions.
#[inline(always)]
pub fn moved<V: F64Lanes>(zero: V, transform: [V; 7], position: [V; 3]) -> [V; 3] {
    let [.., tx, ty, tz] = transform;
    let [x, y, z] = turned(zero, transform, position);
    [x + tx, y + ty, z + tz]
}

/// Step 6 for directions.
#[inline(always)]
pub fn turned<V: F64Lanes>(zero: V, [w, x, y, z, ..]: [V; 7], direction: [V; 3]) -> [V; 3] {
    rotate(zero, [w, x, y, z], direction)
}

/// `rot(q, v)`: the vector part of `(q ⊗ (0, v)) ⊗ conj(q)`.
#[inline(always)]
fn rotate<V: F64Lanes>(zero: V, q: Quat<V>, v: [V; 3]) -> [V; 3] {
    vector_of_product_with_conjugate(turn(zero, q, v), q)
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
