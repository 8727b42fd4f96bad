//! The scene of a glTF file: its animations are sampled by the program, and some moments are baked.

use super::clips;
use super::clips::{Sampling, samplings};
use super::coded;
use super::materials::Materials;
use super::palettes;
use super::palettes::{Shown, skin_list};
use super::surfaces::{self, Block, Place};
use super::{Clip, Frame, Kind, SceneData, Surface};
use crate::palette::{DualTransforms, JointTransforms};
use rigy_base::diag::Diagnostic;
use rigy_gltf::{
    self, Channel, DualForm, JointScale, Problem, Property, Rigid, Skeleton, Trs, dual_form_of,
    joint_matrices,
};
use rigy_kernel::ReferenceRule;
use rigy_kernel::math::{IDENTITY, Quat, Vec3, affine_product};
use rigy_kernel::simd::Isa;
use rigy_models::bake::Source;

/// Returns the scene of a glTF file. `name` is its name in the page, `scale` the treatment of joint scale under dual
/// quaternions.
///
/// # Errors
/// If a number of the file or a key of an animation cannot be used, or the scene exceeds the limit on its block.
pub fn gltf_scene(
    source: &Source<'_>,
    name: &str,
    scale: &JointScale,
    isa: Isa,
) -> Result<SceneData, Vec<Diagnostic>> {
    let error = |problem: Problem| vec![problem.into_diagnostic(name)];
    let shown = Shown::new(&source.file, scale).map_err(error)?;
    let animations = 0..source.file.animations.len();
    let animations = animations.map(|index| Ok(source.file.channels(index)?.value));
    let animations: Vec<&[Channel]> = animations.collect::<Result<_, Vec<_>>>()?;
    let scene = shown.scene(source, &animations, name, isa);
    let scene = scene.map_err(error)?;
    Ok(scene.with_short_names())
}

impl Shown<'_, '_> {
    /// The scene; `animations` has the channels of each animation.
    fn scene(
        &self,
        source: &Source<'_>,
        animations: &[&[Channel]],
        name: &str,
        isa: Isa,
    ) -> Result<SceneData, Problem> {
        let mut block = Block::default();
        let mut notes = Vec::new();
        let mut materials = Materials::new(source);
        let surfaces = self.surfaces(&mut block, &mut materials, &mut notes)?;
        let vertices: u64 = surfaces.iter().map(|surface| surface.vertices as u64).sum();
        let mut moments = vec![Some(self.rest()?)];
        let clips = samplings(animations, self.frame_len());
        if clips.len() < animations.len() {
            let left_out = animations.len() - clips.len();
            notes.push(format!(
                "{left_out} animations are left out: there is no room for them."
            ));
        }
        let mut channels = animations.iter().copied().flatten();
        if channels.any(|channel| channel.property == Property::Visibility) {
            notes.push(
                "Animations change which nodes are visible; all frames show those that are visible at rest."
                    .to_owned(),
            );
        }
        for (channels, clip) in animations.iter().zip(&clips) {
            let times = (0..clip.count).map(|frame| clip.time(frame));
            moments.extend(times.map(|time| self.moment(channels, time)));
        }
        let missing = moments.iter().filter(|moment| moment.is_none()).count();
        if missing > 0 {
            notes.push(format!(
                "{missing} frames are beyond single precision and show the rest."
            ));
        }
        let mut scene = self.assembled(&mut block, moments, &clips, &surfaces);
        let baked = clips::baked_moments(source, &clips, vertices, block.bytes.len());
        for (frame, moment) in baked {
            let push = clips::push_moment(&mut block, source, self, &surfaces, &moment, isa);
            scene.frames[frame].baked = push;
        }
        surfaces::too_large(block.bytes.len() as u64)?;
        let without = scene.frames.iter().filter(|frame| !frame.dqs).count();
        if without > 0 {
            let is_instanced = self.skins.iter().any(|(_, place)| place.is_some());
            let reason = match self.scale {
                _ if is_instanced => {
                    "a joint or an instance is scaled, or its matrix has no rotation"
                }
                JointScale::Reject => "a joint is scaled, or its matrix has no rotation",
                _ => "a joint's matrix has no rotation",
            };
            notes.push(format!(
                "{without} frames have no dual quaternions, because {reason}; they show linear blending."
            ));
        }
        Ok(SceneData {
            name: name.to_owned(),
            baked_surfaces: surfaces.len(),
            surfaces,
            materials: materials.list,
            images: materials.images.list,
            notes,
            block: block.bytes,
            ..scene
        })
    }

    /// The transforms of all joints and the morph weights of nodes as they are stored.
    ///
    /// # Errors
    /// If a number is not finite in f32.
    pub(super) fn rest(&self) -> Result<Sampled, Problem> {
        self.moment(&[], 0.0).ok_or_else(|| {
            let message = "a matrix of a joint or node is beyond single precision";
            Problem::rule(&"nodes", message)
        })
    }

    /// Reads all surfaces into the block.
    pub(super) fn surfaces(
        &self,
        block: &mut Block,
        materials: &mut Materials<'_, '_>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Surface>, Problem> {
        let mut surfaces = Vec::new();
        let mut is_cut = false;
        for one in &self.drawn {
            let used = self.skin_of(one);
            let skin = used.and_then(|skin| self.skins.binary_search(&skin).ok());
            let joint = (one.node, one.instance);
            let place = Place {
                drawn: *one,
                skin: skin.unwrap_or(self.skins.len()),
                joint_count: used.map(|(skin, _)| self.file.skins[skin].joints.len()),
                joint: self.rigid.binary_search(&joint).unwrap_or_default(),
                rule: ReferenceRule::LargestWeight,
            };
            let mut read = surfaces::read(block, self.file, &place)?;
            let (mesh, primitive) = (one.mesh, one.primitive);
            let data = &self.file.meshes[mesh].primitives[primitive];
            let path = format!("meshes[{mesh}].primitives[{primitive}]");
            materials.give(block, &mut read.surface, data, &path)?;
            is_cut |= read.is_cut;
            surfaces.push(read.surface);
        }
        if is_cut {
            let note =
                "Some vertices have more than eight influences; the GPU uses the eight strongest.";
            notes.push(note.to_owned());
        }
        if materials.images.left_out() > 0 {
            let count = materials.images.left_out();
            notes.push(format!(
                "Images that are left out, because they are not PNG, JPEG or WebP, or too large: {count}."
            ));
        }
        Ok(surfaces)
    }

    /// The transforms of all joints and the morph weights of nodes; `None` if a number is not finite in f32.
    fn moment(&self, channels: &[Channel], time: f64) -> Option<Sampled> {
        let pose = rigy_gltf::pose(&self.file.nodes, channels, time).ok()?;
        let skeleton = Skeleton::new(&self.file.nodes, &pose);
        let mut skins = Vec::with_capacity(self.skins.len() + 1);
        for uses in self.skins.chunk_by(|(a, _), (b, _)| a == b) {
            let index = uses[0].0;
            let skin = &self.file.skins[index];
            let linear = joint_matrices(&skeleton, skin).ok()?;
            let dual = dual_form_of(self.file, &skeleton, index, self.scale).ok();
            for (_, place) in uses {
                let matrices = linear.iter().map(|matrix| match place {
                    Some((node, instance)) => {
                        let placed = self.file.placed(&IDENTITY, *node, *instance);
                        affine_product(&placed, matrix)
                    }
                    None => *matrix,
                });
                let own = place.and_then(|(node, instance)| self.file.instance(node, instance));
                let dual = dual.clone().and_then(|dual| moved(dual, own));
                let dual = dual.map(DualTransforms::from);
                skins.push(JointTransforms {
                    linear: matrices.collect(),
                    dual: dual.filter(palettes::is_dual_finite),
                });
            }
        }
        let rigid = self.rigid.iter();
        skins.push(JointTransforms {
            linear: rigid
                .map(|&(node, instance)| {
                    let global = &skeleton.globals[node];
                    self.file.placed(global, node, instance)
                })
                .collect(),
            dual: None,
        });
        let weights = self.nodes.iter().filter_map(|&node| {
            let mesh = &self.file.meshes[self.file.nodes[node].mesh?];
            let weights = pose.nodes[node].weights.as_ref().unwrap_or(&mesh.weights);
            (!weights.is_empty()).then(|| (node, weights.clone()))
        });
        let weights = weights.collect();
        palettes::is_finite(&skins).then_some((skins, weights))
    }

    /// Appends the palettes of all moments and returns the scene without its surfaces. Moments that are missing are at rest.
    fn assembled(
        &self,
        block: &mut Block,
        moments: Vec<Option<Sampled>>,
        clips: &[Sampling],
        surfaces: &[Surface],
    ) -> SceneData {
        let skin_count = self.skins.len() + 1;
        let there: Vec<&palettes::Moment> = moments.iter().flatten().map(|(it, _)| it).collect();
        let strides = palettes::strides(&there, skin_count);
        let numbers = |frame: &Option<Sampled>| {
            let moment = frame.as_ref().map_or(there[0], |(moment, _)| moment);
            palettes::numbers(moment, &strides)
        };
        let has_duals = |moment: &palettes::Moment| {
            let mut skins = moment[..skin_count - 1].iter();
            skins.all(|skin| skin.dual.is_some())
        };
        let skins = skin_list(self, &strides);
        let sizes: Vec<(usize, usize)> = skins
            .iter()
            .map(|it| (it.joints.len(), it.stride))
            .collect();
        let reach = coded::reach(block, surfaces, skin_count);
        let mut exact = vec![true; moments.len()];
        let mut coded_error = None;
        let mut first = 1;
        let animations = self.file.animations.iter().zip(clips).enumerate();
        let clips: Vec<Clip> = animations
            .map(|(index, (animation, sampling))| {
                let frames = first..first + sampling.count;
                first = frames.end;
                let code = (sampling.count > coded::FEW).then(|| {
                    let baked = sampling.baked();
                    for (index, is_exact) in exact[frames.clone()].iter_mut().enumerate() {
                        *is_exact = baked.contains(&index);
                    }
                    let single = |frame| numbers(frame).into_iter().map(|it| it as f32).collect();
                    let frames: Vec<Vec<f32>> =
                        moments[frames.clone()].iter().map(single).collect();
                    let (code, off) = coded::push(block, &frames);
                    let error = coded::error(&off, &sizes, &reach);
                    coded_error = Some(f64::max(coded_error.unwrap_or(0.0), error));
                    code
                });
                let name = animation.name.clone();
                Clip {
                    name: name.unwrap_or_else(|| format!("animation {index}")),
                    first: frames.start,
                    count: sampling.count,
                    start: sampling.start,
                    end: sampling.end,
                    coded: code,
                }
            })
            .collect();
        let frames = moments.iter().zip(exact).map(|(moment, is_exact)| {
            let (skins, weights) = moment
                .as_ref()
                .map_or((there[0], &[][..]), |it| (&it.0, &it.1));
            let weights = weights.iter().map(|(node, weights)| {
                let weights = weights.iter().map(|weight| *weight as f32);
                (*node, weights.collect())
            });
            Frame {
                palettes: is_exact.then(|| block.push_f32(numbers(moment))),
                dqs: has_duals(skins),
                weights: weights.collect(),
                baked: None,
            }
        });
        SceneData {
            format: super::FORMAT,
            kind: Kind::Gltf,
            frames: frames.collect(),
            clips,
            skins,
            nodes_skin: skin_count - 1,
            coded_error,
            ..SceneData::default()
        }
    }
}

/// A palette of dual quaternions after the transform of an instance; `None` if that scales.
fn moved(form: DualForm, instance: Option<Trs>) -> Option<DualForm> {
    let Some(instance) = instance else {
        return Some(form);
    };
    let (turn, [x, y, z]) = (instance.rotation.normalised(), instance.translation);
    let after = |(rotation, translation): (Quat, Vec3)| {
        let [a, b, c] = turn.rotate(translation);
        (turn.product(rotation), [a + x, b + y, c + z])
    };
    let moved = |rigid: Vec<Rigid>| rigid.into_iter().map(after).collect();
    (instance.scale == Trs::IDENTITY.scale).then(|| match form {
        DualForm::Rigid(rigid) => DualForm::Rigid(moved(rigid)),
        DualForm::Scaled { first, rigid } => DualForm::Scaled {
            first,
            rigid: moved(rigid),
        },
    })
}

/// The transforms of all skins, and the morph weights of nodes.
pub(super) type Sampled = (palettes::Moment, Vec<(usize, Vec<f64>)>);
