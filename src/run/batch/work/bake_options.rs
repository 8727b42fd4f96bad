//! The options of a bake, as the program and the bindings take them.

use serde::Deserialize;

use super::bake_exports::ExportKind;
use super::bake_job::{BakeJob, Clips, SampleTimes, Textures};
use super::frames::Frames;
use crate::bake::{ClipName, Form, Pivot, Scale, Skinning};
#[cfg(feature = "cli")]
use crate::export::vat::{Packing, VatOptions};
use crate::export::{Format, Join, Layout, Up};
use crate::kernel::Solver;

/// The options of `rigy-batch bake`, by the same names, as far as they are not about many files. `docs/src/reference/options.md`
/// describes them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BakeOptions {
    /// The animation; without one, and without times, nodes are as they are stored.
    pub animation: Option<ClipName>,
    /// The time in seconds, a finite number.
    pub time: Option<f64>,
    /// Several frames in the place of one time.
    pub frames: Option<Frames>,
    /// `--as`: the form in which an animation is written.
    #[serde(rename = "as")]
    pub form: FormName,
    /// With `morph`, the distance within which frames may be left out, in the units of the model: finite and not negative.
    pub tolerance: Option<f64>,
    /// The format.
    pub to: OutputKind,
    /// The objects of files of other tools.
    pub join: Join,
    /// The axis that points up in files of other tools and in textures of vertices.
    pub up: Up,
    /// The factor of positions in files of other tools and in textures of vertices: finite and greater than 0.
    pub factor: Option<f64>,
    /// The numbers of textures of vertices.
    #[cfg(feature = "cli")]
    pub packing: Option<Packing>,
    /// Most texels in a row of textures of vertices, from 1 to 16384.
    #[cfg(feature = "cli")]
    pub max_width: Option<u32>,
    /// The place of images.
    pub textures: Option<Textures>,
    /// The solver.
    pub solver: Solver,
    /// The treatment of joint scale; not with `scale_local`.
    pub scale: Option<Scale>,
    /// Joints whose scale alone is local, by name.
    pub scale_local: Vec<String>,
    /// True if joint scale moves vertices before dual quaternions do, and not in place.
    pub two_stage: bool,
    /// The origin of baked meshes.
    pub pivot: Pivot,
    /// True if the nodes of skeletons stay although nothing needs them.
    pub keep_skeleton: bool,
    /// True if extensions stay as they are where the bake makes them untrue.
    pub keep_extensions: bool,
    /// Extensions that may be required and are taken to leave geometry alone.
    pub allow_extensions: Vec<String>,
}

/// The form in which the moments of an animation are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum FormName {
    /// A file each.
    #[default]
    Frames,
    /// Morph targets of one file.
    Morph,
    /// Meshes of one file.
    Step,
    /// Textures of vertices.
    #[cfg(feature = "cli")]
    Vat,
}

/// A format of another tool, or GLB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct OutputKind(pub Option<Format>);

impl OutputKind {
    /// Returns the names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("glb").chain(Format::ALL.map(Format::name))
    }
}

impl TryFrom<String> for OutputKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let format = Format::ALL.into_iter().find(|format| format.name() == name);
        if format.is_some() || name == "glb" {
            return Ok(Self(format));
        }
        let names: Vec<&str> = Self::names().collect();
        Err(format!("{name:?} is none of {}", names.join(", ")))
    }
}

impl BakeOptions {
    /// Returns the way in which a file is baked.
    ///
    /// # Errors
    /// A sentence, if the options cannot be combined or a number is out of range.
    pub fn job(self) -> Result<BakeJob, String> {
        if let Some(message) = self.contradiction() {
            return Err(message.into());
        }
        let (form, export) = (self.animated(), self.export());
        let skinning = Skinning {
            solver: self.solver,
            scale: self.scale.unwrap_or_default().of_joints(&self.scale_local),
            two_stage: self.two_stage,
        };
        let clip = self.animation.map(String::from);
        let frames = self.frames.map(SampleTimes::Frames);
        Ok(BakeJob {
            clips: clip.map_or(Clips::First, Clips::One),
            times: frames.unwrap_or(SampleTimes::At(self.time)),
            form,
            export,
            pivot: self.pivot,
            keeps_skeleton: self.keep_skeleton,
            keeps_extensions: self.keep_extensions,
            textures: self.textures,
            allowed_extensions: self.allow_extensions,
            ..BakeJob::new(skinning)
        })
    }

    /// Returns the form of one GLB for each animation; `None` for other files.
    fn animated(&self) -> Option<Form> {
        match self.form {
            FormName::Frames => None,
            FormName::Morph => Some(Form::Morph {
                tolerance: self.tolerance.unwrap_or(0.0),
            }),
            FormName::Step => Some(Form::Step),
            #[cfg(feature = "cli")]
            FormName::Vat => None,
        }
    }

    /// Returns how files of another tool are written; `None` for GLB.
    pub fn export(&self) -> Option<ExportKind> {
        let layout = Layout {
            join: self.join,
            up: self.up,
            scale: self.factor.unwrap_or(1.0),
        };
        #[cfg(feature = "cli")]
        if self.form == FormName::Vat {
            let default = VatOptions::default();
            let options = VatOptions {
                packing: self.packing.unwrap_or_default(),
                max_width: self.max_width.unwrap_or(default.max_width),
            };
            return Some(ExportKind::Textures(options, layout));
        }
        let format = self.to.0?;
        Some(ExportKind::Meshes(format, layout))
    }

    /// Returns why the options cannot be combined, by their names on the command line; `None` if they can.
    pub fn contradiction(&self) -> Option<&'static str> {
        let is_animated = self.animated().is_some();
        let needs_frames = self.form != FormName::Frames;
        let is_export = self.export().is_some();
        let has_layout = self.join != Join::All || self.up != Up::Y || self.factor.is_some();
        let is_distance = |distance: f64| distance.is_finite() && distance >= 0.0;
        #[cfg(feature = "cli")]
        let (is_vat, sets_vat) = (
            self.form == FormName::Vat,
            self.packing.is_some() || self.max_width.is_some(),
        );
        #[cfg(not(feature = "cli"))]
        let (is_vat, sets_vat) = (false, false);
        let rules = [
            (
                sets_vat && !is_vat,
                "`--packing` and `--max-width` go with `--as vat` only",
            ),
            (
                is_export && self.textures == Some(Textures::Beside),
                "`--textures beside` is for GLB: files of other tools have their textures beside them in any case",
            ),
            (
                self.tolerance.is_some() && self.form != FormName::Morph,
                "`--tolerance` goes with `--as morph` only",
            ),
            (
                !self.tolerance.is_none_or(is_distance),
                "`--tolerance` is not a distance",
            ),
            (
                self.frames.is_some() && self.time.is_some(),
                "`--frames` and `--time` exclude each other",
            ),
            (
                needs_frames && self.time.is_some(),
                "`--time` is one moment; `--as` another form than frames takes `--frames`",
            ),
            (
                is_animated && self.pivot != Pivot::Origin,
                "`--pivot` is for single files: the frames of an animated file have one origin",
            ),
            (
                self.to.0.is_some() && needs_frames,
                "`--as morph|step|vat` cannot be combined with `--to`",
            ),
            (
                !is_export && has_layout,
                "`--join`, `--up` and `--factor` are for `--to` and `--as vat`",
            ),
            (
                self.scale.is_some() && !self.scale_local.is_empty(),
                "`--scale` and `--scale-local` exclude each other",
            ),
        ];
        let broken = rules.into_iter().find(|(is_broken, _)| *is_broken);
        broken.map(|(_, message)| message)
    }
}
