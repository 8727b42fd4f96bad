//! Blocks: loading, running a solver over groups of lanes, rounding and storing.

use std::ops::Range;

use super::group::{BlockInfluences, Group, Vertex, repeat_last};
use super::palette::Palette;
use super::{BLOCK, Influences, dqs, lbs};
use crate::simd::{F64Lanes, Isa, Kernel, dispatch};

/// Rest vertices, as the kernel asks for them.
pub trait Rest: Sync {
    /// Number of vertices.
    fn vertex_count(&self) -> usize;

    /// Fills the beginning of each plane with the components of the vertices of a range, at most [`BLOCK`].
    fn load(&self, vertices: Range<usize>, position: &mut Planes, normal: &mut Planes);
}

/// One plane per component for the vertices of a block.
pub type Planes = [[f64; BLOCK]; 3];

/// Everything one skinning evaluation reads.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Transforms by joint.
    pub palette: &'a Palette,
    /// Joints and weights by vertex; joints are below the palette's joint count.
    pub influences: &'a Influences,
    /// Rest positions and normals.
    pub rest: &'a dyn Rest,
}

/// Poses a range of vertices and writes them, three f32 each, to `positions` and `normals`.
///
/// # Panics
/// If influences and rest vertices differ in number, the range exceeds them, a joint exceeds the palette, or
/// the outputs do not hold exactly three numbers for each vertex of the range.
pub fn evaluate(
    isa: Isa,
    job: &Job<'_>,
    vertices: Range<usize>,
    positions: &mut [f32],
    normals: &mut [f32],
) {
    let count = vertices.len();
    assert_eq!(job.influences.vertex_count(), job.rest.vertex_count());
    assert!(vertices.end <= job.rest.vertex_count());
    assert!(job.influences.joint_limit() <= job.palette.joint_count());
    assert!(positions.len() == 3 * count && normals.len() == 3 * count);
    let run = Run {
        job,
        vertices,
        positions,
        normals,
    };
    dispatch(isa, run);
}

/// One evaluation on its way through a door of `simd`.
struct Run<'a, 'j> {
    job: &'a Job<'j>,
    vertices: Range<usize>,
    positions: &'a mut [f32],
    normals: &'a mut [f32],
}

impl Kernel for Run<'_, '_> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let job = self.job;
        let mut influences = BlockInfluences::new(job.influences.slot_count());
        let mut position = [[0.0; BLOCK]; 3];
        let mut normal = [[0.0; BLOCK]; 3];
        let outputs = self
            .positions
            .chunks_mut(3 * BLOCK)
            .zip(self.normals.chunks_mut(3 * BLOCK));
        for (index, (positions, normals)) in outputs.enumerate() {
            let start = self.vertices.start + index * BLOCK;
            let vertices = start..self.vertices.end.min(start + BLOCK);
            let count = vertices.len();
            job.rest.load(vertices.clone(), &mut position, &mut normal);
            position
                .iter_mut()
                .chain(&mut normal)
                .for_each(|plane| repeat_last(plane, count));
            influences.load(job.palette, job.influences, vertices);
            for first in (0..count).step_by(V::LANES) {
                let rest = Vertex {
                    position: load_group::<V>(token, &position, first),
                    normal: load_group::<V>(token, &normal, first),
                };
                let group = Group::new(&influences, first);
                let posed = match job.palette {
                    Palette::Linear(rows) => lbs::pose(token, rows, job.influences, &group, rest),
                    Palette::Dual(dual) => {
                        dqs::pose(token, &dual.rows, job.influences, &group, rest)
                    }
                };
                store_group(posed.position, &mut position, first);
                store_group(posed.normal, &mut normal, first);
            }
            round(&position, positions);
            round(&normal, normals);
        }
    }
}

#[inline(always)]
fn load_group<V: F64Lanes>(token: V::Token, planes: &Planes, first: usize) -> [V; 3] {
    [
        V::load(token, &planes[0][first..]),
        V::load(token, &planes[1][first..]),
        V::load(token, &planes[2][first..]),
    ]
}

#[inline(always)]
fn store_group<V: F64Lanes>(components: [V; 3], planes: &mut Planes, first: usize) {
    for (component, plane) in components.into_iter().zip(planes) {
        component.store(&mut plane[first..]);
    }
}

/// Rounds to nearest even and interleaves; the output says how many vertices count.
#[inline(always)]
fn round(planes: &Planes, out: &mut [f32]) {
    let [xs, ys, zs] = planes;
    for (i, vertex) in out.chunks_exact_mut(3).enumerate() {
        vertex[0] = xs[i] as f32;
        vertex[1] = ys[i] as f32;
        vertex[2] = zs[i] as f32;
    }
}
