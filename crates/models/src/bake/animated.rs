//! Baking the frames of an animation into one file that plays (`bake.md` §6).
//!
//! In: a [`Baker`], the times of the frames, and a [`Form`]. Out: an [`Animated`] file, which has the layout of the first frame and,
//! after its data, those of the animation.
//!
//! ```text
//! frames    the vertices and the moving nodes of every frame                      (frames)
//! contents  which frames are equal, attribute by attribute                        (contents)
//! keys      the frames that cannot be blended from their neighbours               (keys)
//! form      a morph target or a mesh for each content, and how they take turns    (morph, step)
//! nodes     the nodes that move as a whole                                        (nodes)
//! data      accessors, views and regions that are added to the layout             (data)
//! ```

mod clip;
mod contents;
pub mod data;
mod frames;
mod keys;
mod morph;
mod nodes;
mod step;

use std::ops::ControlFlow;
use std::sync::Arc;

use super::baked::Baked;
use super::baker::{Prepared, Settings};
use super::edit::{moved_nodes, toggled};
use super::evaluate::Evaluator;
use super::gltf::{AboutFile, Pose};
use super::meshes::BakedMeshes;
use super::moment::{Posed, posed};
use super::palettes::palettes;
use super::pivot::Pivot;
use super::{Baker, ClipTime, SkinReport, Skinning};
pub use clip::{Clip, Form};
use contents::{Contents, MeshUse, Timeline, mesh_uses};
use data::Added;
use frames::{FrameMaker, all_frames};
use keys::Keys;
pub use keys::farthest;
pub use nodes::{LINEAR, PROPERTIES, Play};
use rigy_base::diag::{Diagnosed, Warned};
use rigy_base::maps::RandomState;
use rigy_kernel::executor::Executor;
use rigy_kernel::simd::Isa;

/// An animated file, ready to be written.
pub struct Animated<'s> {
    /// The file.
    pub baked: Baked<'s>,
    /// For [`Form::Morph`], the number of frames that are keys, and the largest distance of a vertex from its place in the frame
    /// bake, over all frames.
    pub morphing: Option<(usize, f64)>,
    /// What became of skins that have got helper joints.
    pub skins: Vec<SkinReport>,
}

impl<'s> Baker<'s> {
    /// Bakes the frames of an animation into one file. Every frame has the numbers that [`bake_at`](Self::bake_at) gives for its time.
    /// Calls `made` whenever the vertices of a frame are made; once it returns `Break`, no further frame is begun.
    ///
    /// # Errors
    /// Those of `bake_at` for any frame; if meshes change from frame to frame in more than the places of their vertices; if
    /// frames are too many or too close together for the file. The list is empty if `made` has returned `Break`.
    pub fn bake_animated(
        &self,
        clip: &Clip,
        form: Form,
        skinning: &Skinning,
        isa: Isa,
        executor: &dyn Executor,
        made: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Diagnosed<Warned<Animated<'s>>> {
        let file = &self.source.file;
        let name = &*file.name;
        let timeline = Timeline::new(&clip.times).about_file(name)?;
        let first = ClipTime {
            animation: clip.animation,
            time: clip.times[0],
        };
        let Posed {
            channels,
            pose,
            skeleton,
            ..
        } = posed(file, Some(first))?;
        let mut meter = file.meter.among(clip.times.len());
        let mut meshes = BakedMeshes::over_time(
            file,
            &pose,
            &skeleton,
            (channels, Pivot::Origin),
            &mut meter,
        )
        .about_file(name)?;
        let moves = |node: usize| {
            channels
                .iter()
                .any(|c| c.node == node && c.property.is_of_transform())
        };
        meshes.root = meshes.root.filter(|root| !moves(*root));
        let palettes = palettes(file, &meshes.skins(), &skeleton, skinning, &mut meter)?.value;
        // Meshes have one origin for all frames.
        let settings = Settings {
            pivot: Pivot::Origin,
            keeps_vertices: clip.times.len() > 1,
            ..self.settings
        };
        let mut prepared =
            Prepared::new(self.source, meshes, &settings, executor, &mut meter).about_file(name)?;
        set_first_weights(&mut prepared, &pose);
        let moving = nodes::moving(file, &prepared, channels);
        let maker = FrameMaker {
            file,
            prepared: &prepared,
            moving: &moving,
            toggled: toggled(file, &prepared.meshes, channels, &pose).len(),
            clip,
            skinning,
            isa,
            digests: RandomState::default(),
        };
        maker.check_size().about_file(name)?;
        let Warned {
            value,
            warnings: of_frames,
        } = all_frames(&maker, executor, made)?;
        let warnings = [prepared.warnings.clone(), of_frames].concat();
        let (mut frames, mut meter) = (value, file.meter.whole());
        for (node, value) in moved_nodes(
            file,
            prepared.layout.tree.list("nodes"),
            (&prepared.meshes, &prepared.nodes),
            channels,
            &pose,
        ) {
            prepared.layout.tree.list_mut("nodes")[node] = value;
        }
        let contents = Contents::new(&frames);
        let uses: Vec<MeshUse> = mesh_uses(file, &prepared);
        let mut added = Added::new(prepared.layout.tree.list("accessors").len());
        let mut play = nodes::Play::default();
        let moving = (&*moving, &prepared.nodes);
        nodes::add_tracks(moving, &frames, &timeline, form, &mut added, &mut play);
        let mut morphing = None;
        let tree = &mut prepared.layout.tree;
        let numbers = &prepared.nodes;
        nodes::add_visibility(&frames, &timeline, numbers, &mut added, &mut play, tree);
        match form {
            Form::Step => step::add(
                &uses,
                (&contents, &timeline),
                &mut frames,
                &mut added,
                &mut play,
                tree,
                &mut meter,
            ),
            Form::Morph { tolerance } => {
                morph::check_handedness(&prepared.streams, &frames).about_file(name)?;
                let keys = Keys {
                    frames: &frames,
                    streams: &prepared.streams,
                    contents: &contents,
                    timeline: &timeline,
                    tolerance,
                };
                let kept = keys.kept(executor);
                morphing = Some((kept.len(), keys.deviation(&kept, executor)));
                let job = morph::Morphs {
                    uses: &uses,
                    contents: &contents,
                    timeline: &timeline,
                    kept: &kept,
                };
                job.add(&mut frames, &mut added, &mut play, tree, &mut meter)
            }
        }
        .about_file(name)?;
        let animation = file.animations.get(clip.animation);
        let title = animation.and_then(|animation| animation.name.as_deref());
        play.add_to_file(tree, title);
        prepared.made = added.append_to(&mut prepared.layout);
        let text = prepared.layout.tree.to_text();
        let evaluator = Evaluator::new(file, palettes, isa);
        let baked = self.assembled(Arc::new(prepared), evaluator, text, file.meter);
        let baked = baked.about_file(name)?;
        let skins = Vec::new();
        let value = Animated {
            baked,
            morphing,
            skins,
        };
        Ok(Warned { value, warnings })
    }
}

/// Gives streams that follow the weights of a node those of the first frame.
fn set_first_weights(prepared: &mut Prepared, pose: &Pose) {
    for stream in &mut prepared.streams {
        let weights = stream
            .follows
            .and_then(|node| pose.nodes[node].weights.as_ref());
        if let Some(weights) = weights {
            stream.weights.clone_from(weights);
        }
    }
}
