//! The vertices and the moving nodes of every frame.

use std::hash::{BuildHasher, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::clip::{Clip, too_much};
use crate::bake::baker::Prepared;
use crate::bake::edit::toggled;
use crate::bake::evaluate::Evaluator;
use crate::bake::made::little_endian;
use crate::bake::meshes::is_mirroring;
use crate::bake::moment::{Posed, posed};
use crate::bake::palettes::palettes;
use crate::bake::{ClipTime, Skinning};
use rigy_base::diag::{Code, Diagnosed, Warned, check_none, keep};
use rigy_base::maps::RandomState;
use rigy_gltf::{AboutFile, ComponentType, File, Pose, Problem, Result, Skeleton, Transform};
use rigy_kernel::executor::Executor;
use rigy_kernel::simd::Isa;

/// One frame.
pub struct Frame {
    /// For each stream and each of its parts, the components of its elements, one element after the other.
    pub vertices: Vec<Vec<Vec<f32>>>,
    /// For each of these parts a digest of its bits.
    pub digests: Vec<Vec<u64>>,
    /// For each moving node its translation, its rotation as x, y, z, w, and its scale.
    pub nodes: Vec<[f32; 10]>,
    /// The nodes whose visibility channels may change, and whether they are visible.
    pub visible: Vec<(usize, bool)>,
}

/// The inputs that all frames share.
pub struct FrameMaker<'e, 's> {
    pub file: &'s File<'s>,
    pub prepared: &'e Prepared<'s>,
    /// The nodes whose transforms are wanted.
    pub moving: &'e [usize],
    /// The number of nodes whose visibility channels may change.
    pub toggled: usize,
    pub clip: &'e Clip,
    pub skinning: &'e Skinning,
    pub isa: Isa,
    /// Makes the digests of all frames.
    pub digests: RandomState,
}

/// Bytes in memory for each part of a stream, besides its numbers.
const PART: u64 = 64;

/// Most bytes of the vertices and nodes of all frames: as many as a GLB can have.
const MOST_BYTES: u64 = u32::MAX as u64;

impl FrameMaker<'_, '_> {
    /// Checks that all frames together are not too large.
    ///
    /// # Errors
    /// If they are.
    pub fn check_size(&self) -> Result<()> {
        let sizes = self.prepared.streams.iter().map(|stream| {
            let parts = stream.parts.iter();
            let sizes = parts.map(|part| {
                let size = part.element.size(ComponentType::F32) as u64;
                (stream.vertex_count as u64).saturating_mul(size)
            });
            sizes.fold(0, |sum: u64, size| {
                sum.saturating_add(size).saturating_add(PART)
            })
        });
        let nodes = size_of::<[f32; 10]>() as u64 * self.moving.len() as u64
            + size_of::<(usize, bool)>() as u64 * self.toggled as u64;
        let frame = sizes.fold(nodes, u64::saturating_add);
        let count = self.clip.times.len() as u64;
        if frame.saturating_mul(count) > MOST_BYTES {
            Err(too_much(format!(
                "{count} frames of {frame} bytes are more than the 4 GiB of a GLB"
            ))
            .code(Code::U17))
        } else {
            Ok(())
        }
    }

    /// Makes a frame.
    fn frame(&self, index: usize) -> Diagnosed<Warned<Frame>> {
        let Self { file, prepared, .. } = self;
        let name = &*file.name;
        let at = ClipTime {
            animation: self.clip.animation,
            time: self.clip.times[index],
        };
        let Posed {
            channels,
            pose,
            skeleton,
            mut warnings,
        } = posed(file, Some(at))?;
        self.check_handedness(&skeleton, at.time).about_file(name)?;
        let meshes = &prepared.meshes;
        let palettes = palettes(file, &meshes.skins(), &skeleton, self.skinning, &mut {
            file.meter
        })?;
        warnings.extend(palettes.warnings);
        let evaluator = Evaluator::new(file, palettes.value, self.isa);
        let mut vertices = Vec::new();
        let mut errors = Vec::new();
        for stream in &prepared.streams {
            let weights = stream
                .follows
                .and_then(|node| pose.nodes[node].weights.as_deref())
                .unwrap_or(&stream.weights);
            match evaluator.evaluate(stream, weights, 0..stream.vertex_count) {
                Ok(piece) => vertices.push(piece.parts),
                Err(problem) => errors.push(problem.into_diagnostic(name)),
            }
        }
        check_none(errors)?;
        let digest = |part: &Vec<f32>| digest(part, &self.digests);
        let value = Frame {
            digests: vertices
                .iter()
                .map(|parts| parts.iter().map(digest).collect())
                .collect(),
            vertices,
            nodes: self
                .moving
                .iter()
                .map(|node| transform(&pose, *node))
                .collect(),
            visible: toggled(file, meshes, channels, &pose),
        };
        Ok(Warned { value, warnings })
    }

    /// Checks that the nodes of skinned meshes mirror as they do in the first frame.
    fn check_handedness(&self, skeleton: &Skeleton, time: f64) -> Result<()> {
        let meshes = &self.prepared.meshes;
        let changes = |node: &&usize| {
            let mesh = meshes.of_node[**node].map(|mesh| &meshes.list[mesh]);
            mesh.is_some_and(|mesh| mesh.is_mirrored != is_mirroring(skeleton, **node))
        };
        match meshes.skinned.iter().find(changes) {
            None => Ok(()),
            Some(node) => Err(Problem::rule(
                &format!("nodes[{node}]"),
                format!("at {time} s it mirrors its mesh and in the first frame it does not, or the reverse, so that triangles change"),
            )
            .help("bake single files with `--as frames`, or choose `--frames` that do not mirror")),
        }
    }
}

/// Returns a digest of the bits of numbers.
fn digest(numbers: &[f32], state: &RandomState) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(&little_endian(numbers));
    hasher.finish()
}

/// Translation, rotation and scale of a node, rounded to single precision.
fn transform(pose: &Pose, node: usize) -> [f32; 10] {
    let Transform::Trs(trs) = &pose.nodes[node].transform else {
        return [0.0; 10]; // an animated node has no matrix
    };
    let [tx, ty, tz] = trs.translation;
    let q = trs.rotation;
    let [sx, sy, sz] = trs.scale;
    [tx, ty, tz, q.x, q.y, q.z, q.w, sx, sy, sz].map(|number| number as f32)
}

/// Makes all frames and calls `made` after each, until it returns `Break`. A finding that is the same in several frames is reported once.
pub fn all_frames(
    maker: &FrameMaker,
    executor: &dyn Executor,
    made: &(dyn Fn() -> ControlFlow<()> + Sync),
) -> Diagnosed<Warned<Vec<Frame>>> {
    let count = maker.clip.times.len();
    let stopped = AtomicBool::new(false);
    let results = executor.results(count, |index| {
        let frame = (!stopped.load(Ordering::Relaxed)).then(|| maker.frame(index))?;
        if made().is_break() {
            stopped.store(true, Ordering::Relaxed);
        }
        Some(frame)
    });
    if stopped.into_inner() {
        return Err(Vec::new());
    }
    let mut frames = Vec::with_capacity(count);
    let mut warnings = vec![];
    let mut errors = vec![];
    for result in results.into_iter().flatten() {
        match result {
            Ok(frame) => {
                keep(&mut warnings, frame.warnings);
                frames.push(frame.value);
            }
            Err(found) => keep(&mut errors, found),
        }
    }
    check_none(errors)?;
    Ok(Warned {
        value: frames,
        warnings,
    })
}
