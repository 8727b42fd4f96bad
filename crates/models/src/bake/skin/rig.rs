//! A skin with helper joints: read, fitted, and played as clients do at all moments and in the middle between them, with moments added
//! where it is not near enough to its targets.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::bones::Bone;
use super::clip::Clip;
use super::{LEAST_HELPERS, SkinReport};
use crate::bake::evaluate::primitive_path;
use crate::bake::moment::{animation_label, posed};
use crate::bake::palettes::posed_skins;
use crate::bake::{ClipTime, Skinning};
use rigy_base::diag::{Code, Diagnosed};
use rigy_base::maps::HashMap;
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::{File, Problem, Result, VertexInfluences, Vertices, morphed};
use rigy_helpers::{Fit, Goal, Moment, Skin, Slots, Worst, fit};
use rigy_kernel::Solver;
use rigy_kernel::executor::Executor;
use rigy_kernel::math::Affine;

/// What the work on all skins needs.
pub struct Work<'w> {
    pub file: &'w File<'w>,
    pub skinning: &'w Skinning,
    pub executor: &'w dyn Executor,
    pub made: &'w (dyn Fn() -> ControlFlow<()> + Sync),
}

/// A skin with helper joints.
#[derive(Default)]
pub struct Rig {
    pub number: usize,
    pub skin: Arc<Skin>,
    /// For each primitive, given the indices of its mesh and of itself, its vertices in the skin.
    pub parts: HashMap<(usize, usize), Range<usize>>,
    /// True if the influences of vertices are to be replaced.
    pub is_changed: bool,
    /// The file as it is stored, then the moments of all clips.
    pub moments: Vec<Moment>,
    pub clips: Vec<Clip>,
    pub influences: Vec<Slots>,
    pub bones: Vec<Bone>,
    /// In words, when a vertex is farthest from its target as clips are played.
    pub farthest: String,
}

/// The parts of the tolerance by which blends of keys may differ from the moments between them, one after the other as long as the last
/// is not enough.
const OF_KEYS: [f64; 5] = [0.15, 0.08, 0.04, 0.02, 0.01];
/// About as many bytes takes a joint at a moment.
const OF_MOMENT: usize = 256;
/// A file may be played so much worse than helpers are where they are best.
const WORSE: f64 = 1.1;

impl Rig {
    /// Reads the vertices of all meshes under a skin. Primitives with the same positions and influences have the same vertices.
    ///
    /// # Errors
    /// Numbers that cannot be used.
    pub fn read(
        file: &File,
        number: usize,
        meshes: &BTreeSet<usize>,
        clips: &[Clip],
        meter: &mut Meter,
    ) -> Result<Self> {
        let moments: usize = clips.iter().map(|clip| clip.keys.len()).sum();
        let joints = file.skins[number].joints.len();
        let bytes = OF_MOMENT.saturating_mul(joints + LEAST_HELPERS);
        meter.spend(Cost::Moments, moments.saturating_mul(bytes) as u64)?;
        let (mut known, mut parts) = (HashMap::default(), HashMap::default());
        let (mut skin, mut is_changed) = (Skin::default(), false);
        for &mesh in meshes {
            for index in file.meshes[mesh].drawn() {
                let primitive = &file.meshes[mesh].primitives[index];
                let (count, sets) = (primitive.vertex_count, primitive.influences.len());
                let first = skin.positions.len();
                let key = (primitive.attribute("POSITION"), &primitive.influences);
                let part = known.entry(key).or_insert(first..first + count);
                parts.insert((mesh, index), part.clone());
                if part.start < first {
                    continue;
                }
                is_changed |= sets > 1;
                let terms = count.saturating_mul(sets + moments);
                meter.spend(Cost::Terms, terms as u64)?;
                let from = Vertices {
                    file,
                    primitive,
                    path: &primitive_path((mesh, index)),
                    range: 0..count,
                };
                let (mut influences, mut positions) = (VertexInfluences::default(), Vec::new());
                influences.read(&from, joints)?;
                morphed(&from, "POSITION", &[], &mut positions)?;
                let slots = influences.slots();
                for (position, slots) in positions.into_iter().zip(slots.chunks(4 * sets)) {
                    skin.push(position, slots.iter().copied());
                }
                skin.normals.resize(first + count, [0.0; 3]);
                if let Some(normals) = from.accessor("NORMAL") {
                    normals.copy(0, &mut skin.normals[first..]);
                }
            }
        }
        Ok(Self {
            number,
            skin: skin.into(),
            parts,
            is_changed,
            clips: clips.to_vec(),
            ..Self::default()
        })
    }

    /// The matrices of helpers at a time of clip number `index`, as a client plays it.
    fn played(&self, index: usize, time: f32, moment: &Moment) -> Vec<Affine> {
        let bones = self.bones.iter();
        let played = bones.map(|bone| bone.played(index, &self.clips[index], time, moment));
        played.collect()
    }
}

impl Work<'_> {
    /// The joints of a skin at a moment.
    pub fn moment(&self, skin: usize, at: Option<ClipTime>) -> Diagnosed<Moment> {
        let file = self.file;
        let skeleton = posed(file, at)?.skeleton;
        let (used, scale) = ([skin].into_iter().collect(), &self.skinning.scale);
        let mut skins = posed_skins(file, &used, &skeleton, scale, &mut file.meter.whole())?;
        let mut moment = skins.value.swap_remove(skin).expect("the skin is used");
        match self.skinning.solver {
            Solver::Lbs => moment.dual = None,
            Solver::Dqs if moment.dual.is_none() => {
                let mut errors = skins.warnings;
                let when = at.map_or("as stored".to_owned(), |at| {
                    format!("{} s of animation {}", at.time, at.animation)
                });
                errors
                    .iter_mut()
                    .for_each(|error| error.message += &format!(" ({when})"));
                return Err(errors);
            }
            Solver::Dqs => {}
        }
        Ok(moment)
    }

    /// The joints of a skin as they are stored and at all times of clips.
    pub fn moments(&self, rig: &Rig) -> Diagnosed<Vec<Moment>> {
        let mut times = vec![None];
        for clip in &rig.clips {
            times.extend(clip.keys.iter().map(|(time, _)| Some(clip.at(*time))));
        }
        let moment = |at| self.moment(rig.number, times[at]);
        let moments = self.executor.results(times.len(), moment);
        moments.into_iter().collect()
    }

    /// Fits helpers, and chooses their keys.
    ///
    /// # Errors
    /// Numbers that cannot be used. The list is empty if `made` has returned `Break`.
    pub fn fit(&self, rig: &mut Rig, goal: &Goal, size: f64) -> Diagnosed<SkinReport> {
        let problem = |message: String| {
            let problem = Problem::rule(&format!("skins[{}]", rig.number), message);
            vec![problem.code(Code::V32).into_diagnostic(&self.file.name)]
        };
        let (skin, own) = (rig.skin.clone(), &self.file.skins[rig.number]);
        let fit = fit(&skin, &rig.moments, goal, self.executor, self.made).map_err(|worst| {
            let Worst { vertex, moment, .. } = worst;
            problem(format!(
                "vertex {vertex} cannot be placed at moment {moment}"
            ))
        })?;
        let bone = |index| Bone::new(&fit, index, &rig.moments, own);
        let bones = self.executor.results(fit.helpers.len(), bone).into_iter();
        let flat = || problem("joints on which helpers are to hang flatten space".into());
        rig.bones = bones.collect::<Option<_>>().ok_or_else(flat)?;
        rig.is_changed |= !rig.bones.is_empty();
        rig.influences.clone_from(&fit.influences);
        let within = goal.tolerance.max(WORSE * fit.after.distance);
        let mut report = SkinReport {
            skin: rig.number,
            joints: own.joints.len(),
            helpers: rig.bones.len(),
            size,
            tolerance: goal.tolerance,
            before: fit.before.distance,
            after: fit.after.distance,
            ..SkinReport::default()
        };
        let mut farthest = 0.0;
        for clip in 0..rig.clips.len() {
            let [after, between] = self.settle(rig, clip, &fit, within)?;
            report.after = report.after.max(after.distance);
            report.between = report.between.max(between.distance);
            let worst = after.farther(between);
            if worst.distance > farthest {
                farthest = worst.distance;
                let (clip, time) = (&rig.clips[clip], rig.clips[clip].look(worst.moment));
                let label = animation_label(self.file, clip.animation);
                rig.farthest = format!("; the farthest at {time:.3} s of {label}");
            }
            let keys = &rig.clips[clip].keys;
            let angles = self.executor.results(keys.len(), |key| {
                let moment = &rig.moments[keys[key].1];
                fit.angles(moment, &rig.played(clip, keys[key].0, moment))
            });
            for angles in angles.into_iter().flatten() {
                let normals = report.normals.unwrap_or_default();
                report.normals = Some([0, 1].map(|at| normals[at].max(angles[at])));
            }
        }
        Ok(report)
    }

    /// Chooses the keys of a clip, and adds moments to it until vertices are played within a distance from their targets. Returns the
    /// farthest vertices at moments and in the middle between two; their moments are places of [`Clip::look`].
    fn settle(&self, rig: &mut Rig, index: usize, fit: &Fit, within: f64) -> Diagnosed<[Worst; 2]> {
        let mut played = [Worst::default(); 2];
        for (attempt, part) in (1..).zip(OF_KEYS) {
            if (self.made)().is_break() {
                return Err(Vec::new());
            }
            let keys = self.executor.results(rig.bones.len(), |bone| {
                rig.bones[bone].keys_of(&rig.clips[index], &rig.moments, part * within)
            });
            for (bone, keys) in rig.bones.iter_mut().zip(keys) {
                bone.keys.truncate(index);
                bone.keys.push(keys);
            }
            let clip = &rig.clips[index];
            let looks = self.executor.results(2 * clip.keys.len() - 1, |at| {
                let (time, key) = (clip.look(at), clip.keys[at / 2].1);
                let between = (at % 2 > 0).then(|| self.moment(rig.number, Some(clip.at(time))));
                let between = between.transpose()?;
                let moment = between.as_ref().unwrap_or(&rig.moments[key]);
                let worst = Worst {
                    moment: at,
                    ..fit.worst(moment, &rig.played(index, time, moment))
                };
                Diagnosed::Ok((worst, between))
            });
            played = Default::default();
            // Later ones first, so that the positions of the others stay as they are.
            for (at, look) in looks.into_iter().enumerate().rev() {
                let (worst, between) = look?;
                played[at % 2] = played[at % 2].farther(worst);
                let clip = &mut rig.clips[index];
                let time = clip.look(at);
                // Another attempt follows, whose keys are among these.
                if let Some(moment) = between.filter(|_| attempt < OF_KEYS.len())
                    && worst.distance > within
                    && clip.keys[at / 2].0 < time
                    && time < clip.keys[at / 2 + 1].0
                {
                    let bones = rig.bones.iter().zip(fit.at(&moment));
                    let nodes = bones.map(|(bone, matrix)| bone.nodes_of(&moment, &matrix));
                    let Some(nodes) = nodes.collect::<Option<Vec<_>>>() else {
                        continue;
                    };
                    for (bone, nodes) in rig.bones.iter_mut().zip(nodes) {
                        bone.nodes.push(nodes);
                    }
                    clip.keys.insert(at / 2 + 1, (time, rig.moments.len()));
                    rig.moments.push(moment);
                }
            }
            if played.iter().all(|worst| worst.distance <= within) {
                break;
            }
        }
        Ok(played)
    }
}
