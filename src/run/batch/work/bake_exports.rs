//! Baked files, as GLB and in the formats of other tools: meshes, and vertex animation textures.

use std::ops::ControlFlow;

use super::bake_plan::PlannedOutput;
use crate::bake::gltf::AboutFile;
use crate::bake::{Animated, Baked, Baker, ClipTime, Helpers, Skinning, Source};
use crate::glb;
use crate::mesh::{Model, is_of_document};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned, keep};
use rigy_base::loader::{Location, MemoryLoader};
use rigy_base::sync::Mutex;
#[cfg(feature = "cli")]
use rigy_export::vat::{VatClip, VatFormat, build, check_size, file_names};
use rigy_export::{
    Beside, Export, Format, FrameSurface, Images, Layout, Sequence, Timing, materials_file_name,
};
use rigy_kernel::executor::Executor;
use rigy_kernel::simd::Isa;

/// The format of another tool in which baked files are written.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ExportKind {
    /// Meshes.
    Meshes(Format, Layout),
    /// A texture with the vertices of all frames of all animations, and a mesh that looks them up.
    #[cfg(feature = "cli")]
    Textures(VatFormat, Layout),
}

impl ExportKind {
    /// Returns the ending of the output's name; `None` if an input has several outputs with endings of their own.
    pub fn ending(&self) -> Option<&'static str> {
        match self {
            Self::Meshes(format, _) => Some(format.name()),
            #[cfg(feature = "cli")]
            Self::Textures(..) => None,
        }
    }

    /// Returns true if all frames of an animation go into one output.
    pub fn holds_clips(&self) -> bool {
        match self {
            Self::Meshes(format, _) => format.is_animated(),
            #[cfg(feature = "cli")]
            Self::Textures(..) => true,
        }
    }

    /// Returns the format if an output has arrays of all frames.
    pub(crate) fn array(&self) -> Option<Format> {
        match self {
            Self::Meshes(format, _) if format.is_array() => Some(*format),
            _ => None,
        }
    }

    /// Returns the names of the files that an output called `name` without its ending may have beside it, but for textures, which
    /// are named by the input.
    pub(crate) fn names_beside(&self, name: &str) -> Vec<String> {
        match self {
            Self::Meshes(format, _) if format.mesh() == Format::Obj => {
                vec![materials_file_name(name), format!("{name}.obj")]
            }
            Self::Meshes(..) => Vec::new(),
            #[cfg(feature = "cli")]
            Self::Textures(format, _) => file_names(name, *format).into(),
        }
    }

    /// Returns true if outputs have textures of their materials, in them or beside them.
    pub(crate) fn has_textures(&self) -> bool {
        match self {
            Self::Meshes(format, _) => format.has_materials(),
            #[cfg(feature = "cli")]
            Self::Textures(..) => true,
        }
    }

    fn layout(&self) -> Layout {
        match self {
            Self::Meshes(_, layout) => *layout,
            #[cfg(feature = "cli")]
            Self::Textures(_, layout) => *layout,
        }
    }
}

/// The moments of one output, and what they are called.
pub struct ExportedClip {
    /// The name of the animation.
    pub name: String,
    /// The moments, at least one.
    pub moments: Vec<Option<ClipTime>>,
    /// The frames' numbers and rate; `None` for a single moment.
    pub timing: Option<Timing>,
}

/// An output, its bytes for example, and the files that belong beside it.
pub struct Exported<'s, T> {
    pub output: T,
    /// In words, if the format is for printing.
    pub size: Option<String>,
    pub beside: Vec<Beside<'s>>,
}

/// Bytes of a vertex of a frame: its numbers in memory, and their text.
const FRAME_VERTEX: u64 = 24;

/// Makes the outputs of one file.
pub struct Exporter<'e, 's> {
    /// Bakes it at a moment.
    pub baker: &'e Baker<'s>,
    /// The file.
    pub source: &'s Source<'s>,
    /// Its images.
    pub images: &'s Images<'s>,
    /// The solver.
    pub skinning: &'e Skinning,
    /// The helper joints to make, if the outputs are to keep their skins.
    pub helpers: Option<Helpers>,
    /// The instructions that evaluate vertices.
    pub isa: Isa,
    /// Does the work.
    pub executor: &'e dyn Executor,
    /// The number of frames of an output of another tool that are made before they are added to it.
    pub at_once: usize,
    /// Memory of GLBs of earlier moments, which others use again.
    pub buffers: &'e Mutex<Vec<Vec<u8>>>,
    /// Is called when a frame has been made; tells whether to make the others.
    pub made: &'e (dyn Fn() -> ControlFlow<()> + Sync),
}

impl<'s> Exporter<'_, 's> {
    /// Makes a GLB, whose vertices are evaluated when it is written.
    ///
    /// # Errors
    /// The errors of baking.
    pub fn glb(&self, output: &PlannedOutput) -> Diagnosed<Warned<Animated<'s>>> {
        let (skinning, isa) = (self.skinning, self.isa);
        if let Some(helpers) = &self.helpers {
            return (self.baker).bake_skin(helpers, skinning, isa, self.executor, self.made);
        }
        match output {
            PlannedOutput::Moment(moment) => {
                let Warned {
                    value: baked,
                    warnings,
                } = self.baker.bake_at(moment.at, skinning, isa)?;
                let _ = (self.made)(); // there is no other frame
                let (morphing, skins) = (None, Vec::new());
                let value = Animated {
                    baked,
                    morphing,
                    skins,
                };
                Ok(Warned { value, warnings })
            }
            PlannedOutput::Animated(clip, form, _) => {
                let (executor, made) = (self.executor, self.made);
                self.baker
                    .bake_animated(clip, *form, skinning, isa, executor, made)
            }
            PlannedOutput::Joined(_) => unreachable!("only files of other tools hold all frames"),
        }
    }

    /// Makes an output with meshes, which is called `name` without its ending and is passed to `take`.
    ///
    /// # Errors
    /// The errors of baking; numbers that do not fit the format; frames whose meshes differ; those of `take`.
    pub fn meshes<T>(
        &self,
        kind: &ExportKind,
        format: Format,
        clip: &ExportedClip,
        name: &str,
        take: impl FnOnce(&Export) -> Diagnosed<T>,
    ) -> Diagnosed<Warned<Exported<'s, T>>> {
        let frames = clip.moments.len() as u64;
        let Warned {
            value: sequence,
            mut warnings,
        } = self.sequence(clip, kind, &self.shown_ever([clip])?, &mut |sequence| {
            self.check_frames(frames, sequence.model())
        })?;
        let export =
            Export::new(&sequence, name, self.images).map_err(|errors| self.about(errors))?;
        warnings.extend(self.about(export.warnings(format)));
        let output = take(&export)?;
        let shown = (sequence.frames()[0]
            .surfaces
            .iter()
            .zip(&sequence.model().surfaces))
        .filter(|(_, surface)| !surface.triangles.is_empty());
        let bounds = FrameSurface::bounds(shown.map(|(vertices, _)| vertices));
        let bounds = bounds.filter(|_| format.layout() != Layout::default());
        let size = bounds.map(|[least, greatest]| {
            let [x, y, z] = [0, 1, 2].map(|axis| greatest[axis] - least[axis]);
            let up = format!("{:?}", kind.layout().up).to_lowercase();
            let is_likely = (1.0..2000.0).contains(&x.max(y).max(z));
            let hint = if is_likely {
                ""
            } else {
                "; `--scale N` gives other sizes"
            };
            format!("{name}: {x:.1} × {y:.1} × {z:.1} mm, {up} up{hint}")
        });
        let beside = export.beside(format);
        let value = Exported {
            output,
            size,
            beside,
        };
        Ok(Warned { value, warnings })
    }

    /// Makes the textures of some animations, and what belongs to them. Names of files begin with `stem`.
    ///
    /// # Errors
    /// As [`meshes`](Self::meshes); textures that would be too large.
    #[cfg(feature = "cli")]
    pub fn textures(
        &self,
        (format, layout): (VatFormat, Layout),
        clips: &[ExportedClip],
        stem: &str,
    ) -> Diagnosed<Warned<Vec<Beside<'s>>>> {
        let shown_ever = self.shown_ever(clips)?;
        let kind = ExportKind::Textures(format, layout);
        let frames = clips.iter().map(|clip| clip.moments.len() as u64).sum();
        let mut warnings = Vec::new();
        let mut sequences = Vec::new();
        for clip in clips {
            let sequence = self.sequence(clip, &kind, &shown_ever, &mut |sequence| {
                check_size(sequence.model(), frames).map_err(|error| self.about(vec![error]))
            })?;
            warnings.extend(sequence.warnings);
            sequences.push(sequence.value);
        }
        let clips: Vec<_> = clips
            .iter()
            .zip(&sequences)
            .map(|(clip, sequence)| VatClip {
                name: &clip.name,
                sequence,
            })
            .collect();
        let files = build(&clips, format, stem, self.images, self.executor)
            .map_err(|errors| self.about(errors))?;
        warnings.extend(self.about(files.warnings));
        let value = files.value;
        Ok(Warned { value, warnings })
    }

    /// For each node of the input true if it is visible at any moment of some clips, whose frames all show the same meshes.
    fn shown_ever<'c>(
        &self,
        clips: impl IntoIterator<Item = &'c ExportedClip>,
    ) -> Diagnosed<Vec<bool>> {
        let moments = clips.into_iter().flat_map(|clip| &clip.moments);
        self.source.visible_at_any(moments)
    }

    /// Bakes a clip, some frames at a time. `shown_ever` tells for each node of the input whether it is visible at any moment of all clips, which
    /// arrays do not need; `take` is called after each frame.
    ///
    /// # Errors
    /// As [`meshes`](Self::meshes), and those of `take`.
    pub fn sequence(
        &self,
        clip: &ExportedClip,
        kind: &ExportKind,
        shown_ever: &[bool],
        take: &mut dyn FnMut(&mut Sequence) -> Diagnosed<()>,
    ) -> Diagnosed<Warned<Sequence>> {
        let mut warnings: Vec<Diagnostic> = Vec::new();
        let mut sequence: Option<Sequence> = None;
        let bake = |at| self.baker.bake_at(at, self.skinning, self.isa);
        let first = bake(clip.moments[0])?;
        let memory = Mutex::<Vec<Model>>::default();
        for moments in clip.moments.chunks(self.at_once) {
            let models = self.executor.results(moments.len(), |index| {
                let at = moments[index];
                if index == 0 && sequence.is_none() {
                    return self.model(at, &first, None, kind, shown_ever);
                }
                let baked = bake(at)?;
                let is_alike = baked.value.has_meshes_of(&first.value);
                let earlier = is_alike.then(|| memory.lock().pop().unwrap_or_default());
                self.model(at, &baked, earlier, kind, shown_ever)
            });
            for model in models {
                let Warned {
                    value: model,
                    warnings: found,
                } = model?;
                keep(&mut warnings, found);
                match &mut sequence {
                    Some(sequence) => {
                        sequence.push(&model).map_err(|errors| self.about(errors))?;
                        memory.lock().push(model);
                    }
                    None => {
                        let first =
                            Sequence::new(model, kind.layout()).and_then(|first| {
                                match clip.timing {
                                    Some(timing) => first.timed(timing),
                                    None => Ok(first),
                                }
                            });
                        sequence = Some(first.map_err(|errors| self.about(errors))?);
                    }
                }
                sequence.iter_mut().try_for_each(&mut *take)?;
                if (self.made)().is_break() {
                    return Err(Vec::new());
                }
            }
        }
        let mut value = sequence.expect("a clip has a moment");
        if is_of_document(&self.source.file.tree) {
            // Other tools take the winding for the front.
            value.turn_triangles_outward();
        }
        if (kind.array()).is_some_and(|format| format.mesh() != format) {
            // Programs leave loose vertices out when they read the mesh beside a point cache.
            value.remove_loose_vertices();
        }
        Ok(Warned { value, warnings })
    }

    /// Checks by the first frame that a file can hold all.
    fn check_frames(&self, frames: u64, first: &Model) -> Diagnosed<()> {
        let surfaces = first.surfaces.iter();
        let vertices: u64 = surfaces.map(|surface| surface.positions.len() as u64).sum();
        // A matrix has as many numbers as three vertices have.
        let size = frames.saturating_mul(vertices + 3 * first.joints.len() as u64);
        if frames <= 1 || size <= glb::MAX_LEN / FRAME_VERTEX {
            return Ok(());
        }
        let message = format!("{frames} frames of {vertices} vertices would exceed 4 GiB");
        let error = Diagnostic::whole(Code::U17, message);
        let help = "take fewer frames with `--frames`, or choose one animation";
        Err(self.about(vec![error.help(help)]))
    }

    /// Reads what a baked moment shows, and what other moments show, as [`Model::of_moment`] does.
    fn model(
        &self,
        at: Option<ClipTime>,
        baked: &Warned<Baked>,
        earlier: Option<Model>,
        kind: &ExportKind,
        shown_ever: &[bool],
    ) -> Diagnosed<Warned<Model>> {
        let buffer = self.buffers.lock().pop().unwrap_or_default();
        let written = baked.value.to_bytes_in(buffer)?;
        let mut warnings = baked.warnings.clone();
        warnings.extend(written.warnings);
        let location = Location(self.source.file.name.clone().into());
        // The warnings of the reader are about data of the input, which has been warned of.
        let mut file = rigy_gltf::read(&written.value, &location, &MemoryLoader::default())?.value;
        file.meter = self.source.file.meter;
        let hidden = file.hidden_nodes(|node| file.is_visible(node));
        let sources = baked.value.source_nodes();
        let is_shown = |node: usize| match kind.array() {
            Some(_) => !hidden[node],
            None => shown_ever[sources[node]],
        };
        let model = Model::of_moment(&file, is_shown, earlier);
        let mut value = model.about_file(&self.source.file.name)?;
        if kind.array() == Some(Format::Npz) {
            value.joints = self.source.joints(at)?;
        }
        drop(file);
        self.buffers.lock().push(written.value);
        Ok(Warned { value, warnings })
    }

    fn about(&self, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let name = &self.source.file.name;
        findings
            .into_iter()
            .map(|finding| finding.about_file(name))
            .collect()
    }
}
