//! Posing a compiled document: every bound mesh by its own solver.

use std::ops::Range;

use super::Compiled;
use crate::diag::Diagnostic;
use crate::glb::{self, Glb, Posed};
use crate::kernel::{self, Job, Palette};
use crate::pose;
use crate::scene;
use crate::simd::Isa;

/// Cuts the evaluation of a mesh into pieces that may run at the same time. Any cut gives the same bits.
pub trait Splitter: Sync {
    /// Calls `evaluate` once for every piece of `0..vertex_count`, with the outputs that belong to it.
    fn for_each_piece(&self, vertex_count: usize, posed: &mut Posed, evaluate: &Evaluate<'_>);
}

/// Evaluates a range of vertices into positions and normals, three numbers each.
pub type Evaluate<'a> = dyn Fn(Range<usize>, &mut [f32], &mut [f32]) + Sync + 'a;

/// One piece, on this thread.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

impl Splitter for Whole {
    fn for_each_piece(&self, vertex_count: usize, posed: &mut Posed, evaluate: &Evaluate<'_>) {
        evaluate(0..vertex_count, &mut posed.positions, &mut posed.normals);
    }
}

/// A compiled document in one pose.
pub struct PosedScene<'a> {
    compiled: &'a Compiled,
    posed: Vec<Option<Posed>>,
}

impl Compiled {
    /// Poses every bound mesh with its own solver. `None` if there is no such pose.
    pub fn pose(&self, pose_id: &str, isa: Isa, splitter: &dyn Splitter) -> Option<PosedScene<'_>> {
        let mut poses = self.root.document.poses.iter();
        let pose = poses.find(|pose| pose.id.value == pose_id)?;
        Some(self.posed(isa, splitter, |skin| pose::palette(pose, skin)))
    }

    fn posed(
        &self,
        isa: Isa,
        splitter: &dyn Splitter,
        palette: impl Fn(&scene::Skin) -> Palette,
    ) -> PosedScene<'_> {
        let meshes = self.assembly.root.meshes.iter();
        let posed = meshes.map(|mesh| {
            let skin = mesh.skin.as_ref()?;
            Some(evaluated(mesh, skin, &palette(skin), isa, splitter))
        });
        PosedScene {
            compiled: self,
            posed: posed.collect(),
        }
    }
}

impl PosedScene<'_> {
    /// Baked output: posed vertices, skins and instances left out.
    ///
    /// # Errors
    /// U15 for each mesh with a number beyond f32; U17.
    pub fn bake(&self) -> Result<Glb<'_>, Vec<Diagnostic>> {
        glb::bake(&self.compiled.assembly.root, &self.posed)
            .map_err(|errors| self.compiled.glb_errors(&errors))
    }
}

fn evaluated(
    mesh: &scene::Mesh,
    skin: &scene::Skin,
    palette: &Palette,
    isa: Isa,
    splitter: &dyn Splitter,
) -> Posed {
    let job = Job {
        palette,
        influences: &skin.influences,
        rest: &mesh.geometry,
    };
    let vertex_count = mesh.geometry.positions.len();
    let mut posed = Posed {
        positions: vec![0.0; 3 * vertex_count],
        normals: vec![0.0; 3 * vertex_count],
    };
    splitter.for_each_piece(vertex_count, &mut posed, &|range, positions, normals| {
        kernel::evaluate(isa, &job, range, positions, normals);
    });
    posed
}
