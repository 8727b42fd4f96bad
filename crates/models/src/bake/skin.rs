//! A file whose clips look under linear blend skinning as they do under dual quaternions (`bake.md` §9): helper joints with keys, and
//! four influences for each vertex.
//!
//! ```text
//! clip      the keys of all animations, gaps filled                              (clip)
//! jumps     moments on both sides of jumps                                       (jumps)
//! rig       vertices; helpers from a fit; the file played until it is near enough  (rig, rigy-helpers)
//! bones     a helper as nodes below a joint; which moments are keys              (bones)
//! joints    those that are helpers already, and those that more than animations turns  (joints)
//! edit      nodes, skins, influences and keys; the animations of a motion        (edit)
//! ```

mod bones;
mod clip;
mod edit;
mod joints;
mod jumps;
mod rig;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::animated::data::Added;
use super::baker::Prepared;
use super::evaluate::Evaluator;
use super::gltf::{AboutFile, File, Problem, Skeleton};
use super::meshes::BakedMeshes;
use super::moment::posed;
use super::{Animated, Baker, Pivot, Skinning, missing_animation};
use clip::Clip;
use rig::{Rig, Work};
use rigy_base::diag::{Code, Diagnosed, Warned, keep};
use rigy_base::short::three_digits;
use rigy_helpers::Goal;
use rigy_kernel::executor::Executor;
use rigy_kernel::math::{Bounds, moved};
use rigy_kernel::simd::Isa;

/// What is asked of helper joints.
#[derive(Clone, Copy, Debug)]
pub struct Helpers {
    /// The largest distance of a vertex from its place under dual quaternions, in units of the model; `None` for 0.3 % of its size.
    pub tolerance: Option<f64>,
    /// Most helpers of a skin; `None` for as many as make 128 joints, and at least 16.
    pub most: Option<usize>,
    /// Moments a second, where keys are farther apart.
    pub rate: f64,
}

/// A skin of a file with helper joints, as reports have it. Distances are in units of the model.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SkinReport {
    /// The number of the skin.
    pub skin: usize,
    /// The number of joints that it had.
    pub joints: usize,
    /// The number of joints that were added.
    pub helpers: usize,
    /// The size of the model: of some moments the median diagonal of the box around it.
    pub size: f64,
    /// The largest distance of a vertex from its place that was asked for.
    pub tolerance: f64,
    /// The largest distance before, at the keys of all clips.
    pub before: f64,
    /// The same of the file as it is written.
    pub after: f64,
    /// The same in the middle between keys.
    pub between: f64,
    /// By how many degrees normals are off, before and now: the angle between a normal and the same normal under dual quaternions. At each
    /// key it is the angle that 99 % of the vertices do not exceed, and of all keys the largest; `None` if no vertex has a normal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normals: Option<[f64; 2]>,
}

impl fmt::Display for SkinReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [before, after, between] =
            [self.before, self.after, self.between].map(|distance| shown(distance, self.size));
        write!(
            f,
            "skin {}: {} joints and {} helpers; vertices off by {before}, now {after}, between keys {between}",
            self.skin, self.joints, self.helpers
        )?;
        match self.normals {
            Some([before, now]) => write!(f, "; normals by {before:.1}°, now {now:.1}°"),
            None => Ok(()),
        }
    }
}

/// A distance, with the part of a size that it is.
fn shown(distance: f64, size: f64) -> String {
    let [number, percent] = [distance, 100.0 * distance / size.max(1e-45)].map(three_digits);
    format!("{number} ({percent} %)")
}

/// The part of the size of a model that is the tolerance if none is given.
const TOLERANCE: f64 = 0.003;
/// Joints of a skin, helpers included, if nothing else is said.
const MOST_JOINTS: usize = 128;
/// Helpers that a skin may have in any case.
const LEAST_HELPERS: usize = 16;
/// About as many moments at which the size of a model is measured.
const SIZES: usize = 12;

/// About as many steps has a bake of a file with helper joints.
pub fn helper_steps(file: &File) -> usize {
    file.skins.len() * (LEAST_HELPERS + file.animations.len())
}

impl<'s> Baker<'s> {
    /// Bakes the file into one with the same skins and clips, in which helper joints make linear blending look like dual quaternions.
    /// Calls `made` between steps; once it returns `Break`, no further step is begun.
    ///
    /// # Errors
    /// If there is no animation; as [`bake_at`](Self::bake_at) for any moment. The list is empty if `made` has returned `Break`.
    pub fn bake_skin(
        &self,
        helpers: &Helpers,
        skinning: &Skinning,
        isa: Isa,
        executor: &dyn Executor,
        made: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Diagnosed<Warned<Animated<'s>>> {
        let file = &self.source.file;
        let name = &*file.name;
        if file.animations.is_empty() {
            return Err(missing_animation(file, None)).about_file(name);
        }
        let mut warnings = file.check_animations()?;
        let mut pose = posed(file, None)?.pose;
        // The weights of morph targets stay with their nodes.
        pose.nodes.iter_mut().for_each(|node| node.weights = None);
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let mut meter = file.meter;
        let meshes = BakedMeshes::new(file, &pose, &skeleton, Pivot::Origin, &mut meter);
        let meshes = meshes.about_file(name)?;
        let clips = Clip::all(file, helpers.rate, &mut meter)?;
        let work = Work {
            file,
            skinning,
            executor,
            made,
        };
        let mut rigs = Vec::new();
        for skin in meshes.skins().into_iter().collect::<BTreeSet<_>>() {
            joints::check_original(file, skin).about_file(name)?;
            let users = meshes.list.iter().filter(|mesh| mesh.skin == Some(skin));
            let users = users.map(|mesh| mesh.source).collect();
            let mut rig = Rig::read(file, skin, &users, &clips, &mut meter).about_file(name)?;
            rig.moments = work.moments(&rig)?;
            rigs.push(rig);
        }
        let size = size(&rigs);
        let tolerance = helpers.tolerance.unwrap_or(TOLERANCE * size);
        let mut skins = Vec::with_capacity(rigs.len());
        for rig in &mut rigs {
            work.add_jumps(rig)?;
            let own = file.skins[rig.number].joints.len();
            let most = MOST_JOINTS.saturating_sub(own).max(LEAST_HELPERS);
            let goal = Goal {
                tolerance,
                most_helpers: helpers.most.unwrap_or(most),
            };
            let report = work.fit(rig, &goal, size)?;
            let distance = report.after.max(report.between);
            if distance > tolerance {
                let [distance, tolerance] = [distance, tolerance].map(|one| shown(one, size));
                let message = format!(
                    "vertices come within {distance} of their places, not {tolerance}{}",
                    rig.farthest
                );
                let problem = Problem::rule(&format!("skins[{}]", rig.number), message);
                let help = "allow more joints with `--helpers`, a larger `--tolerance`, or more moments with `--frames @FPS`";
                warnings.push(problem.code(Code::W26).help(help).into_diagnostic(name));
            }
            skins.push(report);
        }
        let mut added = Added::new(file.accessor_count());
        let mut tree = edit::edited(file, &meshes, &rigs, &mut added);
        let helped = rigs.iter().filter(|rig| !rig.bones.is_empty());
        let turned = joints::turned(file, &mut tree, helped.map(|rig| rig.number));
        warnings.extend(turned.map(|problem| problem.into_diagnostic(name)));
        let none = Default::default();
        let (source, settings) = (self.source, &self.settings);
        let prepared =
            Prepared::laid_out(source, tree, meshes, none, settings, executor, &mut meter);
        let mut prepared = prepared.about_file(name)?;
        keep(&mut warnings, std::mem::take(&mut prepared.warnings));
        prepared.made = added.append_to(&mut prepared.layout);
        let text = prepared.layout.tree.to_text();
        let evaluator = Evaluator::new(file, Vec::new(), isa);
        let baked = self.assembled(Arc::new(prepared), evaluator, text, meter);
        let (baked, morphing) = (baked.about_file(name)?, None);
        let value = Animated {
            baked,
            morphing,
            skins,
        };
        Ok(Warned { value, warnings })
    }
}

/// The size of a model: the median over moments of the diagonal of its bounds, each vertex standing where its heaviest joint puts it.
fn size(rigs: &[Rig]) -> f64 {
    let count = rigs.first().map_or(0, |rig| rig.moments.len());
    let moments = (0..count).step_by(count.div_ceil(SIZES).max(1));
    let diagonals = moments.filter_map(|moment| {
        let places = rigs.iter().flat_map(|rig| {
            let vertices = rig.skin.positions.iter().zip(rig.skin.heaviest());
            let matrices = &rig.moments[moment].matrices;
            vertices.flat_map(|(position, joint)| moved(&matrices[joint], *position))
        });
        Some(Bounds::of_interleaved(&places.collect::<Vec<_>>())?.diagonal())
    });
    let mut diagonals: Vec<f64> = diagonals.collect();
    diagonals.sort_by(f64::total_cmp);
    diagonals.get(diagonals.len() / 2).copied().unwrap_or(0.0)
}
