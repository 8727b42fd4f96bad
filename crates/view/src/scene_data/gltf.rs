//! The scene of a glTF file: its animations are sampled by the program, and some moments are baked.

use super::clips;
use super::clips::{Sampling, samplings};
use super::materials::Materials;
use super::palettes;
use super::palettes::{Shown, skin_list};
use super::surfaces::{self, Block, Place};
use super::{Clip, Frame, Kind, SceneData, Surface};
use crate::palette::{DualTransforms, JointTransforms};
use rigy_gltf::{self, Channel, JointScale, Problem, Skeleton, dual_form, joint_matrices};
use rigy_kernel::ReferenceRule;
use rigy_kernel::simd::Isa;
use rigy_language::base::diag::Diagnostic;
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
    let shown = Shown::new(&source.file, scale);
    let animations = 0..source.file.animations.len();
    let animations = animations.map(|index| Ok(source.file.channels(index)?.value));
    let animations: Vec<&[Channel]> = animations.collect::<Result<_, Vec<_>>>()?;
    let scene = shown.scene(source, &animations, name, isa);
    let scene = scene.map_err(|problem| vec![problem.into_diagnostic(name)])?;
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
        surfaces::check_size(self.file, &self.nodes)?;
        let mut block = Block::default();
        let mut notes = Vec::new();
        let mut materials = Materials::new(source);
        let surfaces = self.surfaces(&mut block, &mut materials, &mut notes)?;
        let vertices: u64 = surfaces.iter().map(|surface| surface.vertices as u64).sum();
        let mut moments = vec![self.moment(&[], 0.0)];
        if moments[0].is_none() {
            let message = "a matrix of a joint or node is beyond single precision";
            return Err(Problem::rule(&"nodes", message));
        }
        let clips = samplings(animations, self.frame_len());
        if clips.len() < animations.len() {
            let left_out = animations.len() - clips.len();
            notes.push(format!(
                "{left_out} animations are left out: there is no room for them."
            ));
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
        let baked_moments = clips::baked_moments(source, &clips, vertices);
        let mut scene = self.assembled(&mut block, moments, &clips);
        for (frame, moment) in baked_moments {
            scene.frames[frame].baked =
                clips::push_moment(&mut block, source, self, &surfaces, &moment, isa);
        }
        surfaces::too_large(block.bytes.len() as u64)?;
        let without = scene.frames.iter().filter(|frame| !frame.dqs).count();
        if without > 0 {
            let reason = match self.scale {
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

    /// Reads all surfaces into the block.
    fn surfaces(
        &self,
        block: &mut Block,
        materials: &mut Materials<'_, '_>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Surface>, Problem> {
        let mut surfaces = Vec::new();
        let mut is_cut = false;
        for &node in &self.nodes {
            let of_node = &self.file.nodes[node];
            let mesh = of_node.mesh.unwrap_or_default();
            let skin = of_node
                .skin
                .and_then(|skin| self.skins.binary_search(&skin).ok());
            let joint_count = of_node.skin.map(|skin| self.file.skins[skin].joints.len());
            for primitive in 0..self.file.meshes[mesh].primitives.len() {
                let place = Place {
                    node,
                    mesh,
                    primitive,
                    skin: skin.unwrap_or(self.skins.len()),
                    joint_count,
                    joint: self.rigid.binary_search(&node).unwrap_or_default(),
                    rule: ReferenceRule::LargestWeight,
                };
                let mut read = surfaces::read(block, self.file, &place)?;
                let data = &self.file.meshes[mesh].primitives[primitive];
                let path = format!("meshes[{mesh}].primitives[{primitive}]");
                materials.give(block, &mut read.surface, data, &path)?;
                is_cut |= read.is_cut;
                surfaces.push(read.surface);
            }
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
        for &index in &self.skins {
            let skin = &self.file.skins[index];
            let dual = dual_form(&skeleton, skin, self.scale).ok();
            let dual = dual.map(DualTransforms::from);
            skins.push(JointTransforms {
                linear: joint_matrices(&skeleton, skin).ok()?,
                dual: dual.filter(palettes::is_dual_finite),
            });
        }
        let rigid = self.rigid.iter();
        skins.push(JointTransforms {
            linear: rigid.map(|node| skeleton.globals[*node]).collect(),
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

    /// Appends the palettes of all moments and returns the scene without its surfaces.
    fn assembled(
        &self,
        block: &mut Block,
        moments: Vec<Option<Sampled>>,
        clips: &[Sampling],
    ) -> SceneData {
        let mut weights = Vec::with_capacity(moments.len());
        let mut transforms = Vec::with_capacity(moments.len());
        let mut sources = Vec::with_capacity(moments.len());
        for (skins, of_moment) in moments.into_iter().map(Option::unwrap_or_default) {
            let is_there = !skins.is_empty();
            sources.push(if is_there { transforms.len() } else { 0 });
            weights.push(of_moment);
            transforms.extend(is_there.then_some(skins));
        }
        let skin_count = self.skins.len() + 1;
        let strides = palettes::strides(&transforms, skin_count);
        let frame = |skins: &palettes::Moment| Frame {
            palettes: palettes::push(block, skins, &strides),
            dqs: skins[..skin_count - 1]
                .iter()
                .all(|skin| skin.dual.is_some()),
            ..Frame::default()
        };
        let stored: Vec<Frame> = transforms.iter().map(frame).collect();
        let frames = sources.iter().zip(weights).map(|(&source, weights)| Frame {
            palettes: stored[source].palettes,
            dqs: stored[source].dqs,
            weights,
            baked: None,
        });
        let frames = frames.collect();
        let mut first = 1;
        let clips = self.file.animations.iter().zip(clips).enumerate();
        let clips = clips.map(|(index, (animation, sampling))| {
            let clip = Clip {
                name: animation
                    .name
                    .clone()
                    .unwrap_or_else(|| format!("animation {index}")),
                first,
                count: sampling.count,
                start: sampling.start,
                end: sampling.end,
            };
            first += clip.count;
            clip
        });
        SceneData {
            format: 1,
            kind: Kind::Gltf,
            clips: clips.collect(),
            skins: skin_list(self, &strides),
            nodes_skin: skin_count - 1,
            frames,
            ..SceneData::default()
        }
    }
}

/// The transforms of all skins, and the morph weights of nodes.
type Sampled = (palettes::Moment, Vec<(usize, Vec<f64>)>);
