//! From the arguments of `bake` to its job.

use super::bake_args::Bake;
use super::bake_values::{FormName, OutputKind, ScaleValue};
use crate::bake::{Form, Pivot, Scale, Skinning};
#[cfg(feature = "vat")]
use crate::export::vat::VatOptions;
use crate::export::{Format, Join, Layout, Up};
use crate::io::is_dir;
use crate::language::model::Solver;
use crate::run::batch::{
    BakeJob, Clips, ExportKind, MissingAnimation, SampleTimes, SolverRules, Textures,
};

impl Bake {
    /// Returns the way in which each file is baked.
    ///
    /// # Errors
    /// If a glob of `--solver-for` is malformed.
    pub fn job(&self) -> Result<BakeJob, String> {
        let clips = if self.animation.is_empty() {
            Clips::First
        } else {
            Clips::named(&self.animation)
        };
        let times = match &self.frames {
            Some(frames) => SampleTimes::Frames(frames.clone()),
            None => SampleTimes::At(self.time),
        };
        let missing = match self.missing_animation {
            Some(action) => action,
            None if self.paths.iter().any(|path| is_dir(path)) => MissingAnimation::Rest,
            None => MissingAnimation::Error,
        };
        Ok(BakeJob {
            clips,
            times,
            form: self.form(),
            export: self.export(),
            missing,
            skinning: self.skinning(),
            solvers: SolverRules::new(self.solver_for.iter().cloned())?,
            keeps_extensions: self.keep_extensions,
            keeps_skeleton: self.keep_skeleton,
            pivot: self.pivot,
            textures: self.textures,
            allowed_extensions: self.allow_extension.clone(),
        })
    }

    /// Returns the form of one file for each animation; `None` for single files.
    fn form(&self) -> Option<Form> {
        match self.form {
            FormName::Frames => None,
            FormName::Morph => Some(Form::Morph {
                tolerance: self.tolerance.unwrap_or(0.0),
            }),
            FormName::Step => Some(Form::Step),
            #[cfg(feature = "vat")]
            FormName::Vat => None,
        }
    }

    /// Returns the format of another tool, and `None` for GLB. `--to` names it; without `--to`, the ending of the file after `--output` does.
    fn format(&self) -> Option<Format> {
        if let Some(OutputKind(format)) = self.to {
            return format;
        }
        let ending = |format: &Format| Some(format.name());
        let is_named = |format: &Format| {
            self.batch
                .output_file(&self.paths, ending(format))
                .is_some()
        };
        let mut formats = Format::ALL.into_iter();
        formats.find(|format| self.form == FormName::Frames && is_named(format))
    }

    /// Returns how files of another tool are written; `None` for GLB.
    fn export(&self) -> Option<ExportKind> {
        let layout = Layout {
            join: self.join,
            up: self.up,
            scale: self.factor().unwrap_or(1.0),
        };
        #[cfg(feature = "vat")]
        if self.form == FormName::Vat {
            let default = VatOptions::default();
            let options = VatOptions {
                packing: self.packing.unwrap_or_default(),
                max_width: self.max_width.unwrap_or(default.max_width),
            };
            return Some(ExportKind::Textures(options, layout));
        }
        let format = self.format()?;
        Some(ExportKind::Meshes(format, layout))
    }

    /// Returns the ending of the file that `-o` may name; `None` if it never names one.
    pub fn output_ending(&self) -> Option<&'static str> {
        self.export().map_or(Some("glb"), |export| export.ending())
    }

    /// Returns true if the output is text, which a terminal can show.
    pub fn writes_text(&self) -> bool {
        self.format().is_some_and(Format::is_text)
    }

    /// Returns the factor of positions, if one is given.
    fn factor(&self) -> Option<f64> {
        self.scale.iter().find_map(|value| match value {
            ScaleValue::Factor(factor) => Some(*factor),
            ScaleValue::Joints(_) => None,
        })
    }

    /// Returns the treatment of joint scale, if one is given.
    fn joints(&self) -> Option<Scale> {
        self.scale.iter().find_map(|value| match value {
            ScaleValue::Joints(scale) => Some(*scale),
            ScaleValue::Factor(_) => None,
        })
    }

    /// Checks that the options can be combined.
    ///
    /// # Errors
    /// The reason why not, with the places of those that the configuration file sets.
    pub fn check(&self) -> Result<(), String> {
        let broken = self.contradiction();
        broken.map_or(Ok(()), |message| {
            Err(self.batch.source.with_places(message))
        })
    }

    /// Returns why the options cannot be combined; `None` if they can.
    fn contradiction(&self) -> Option<&'static str> {
        let is_animated = matches!(self.form, FormName::Morph | FormName::Step);
        let needs_frames = self.form != FormName::Frames;
        let is_glb = self.format().is_none();
        let is_export = self.export().is_some();
        let has_layout = self.join != Join::All || self.up != Up::Y;
        let is_factor = |value: &&ScaleValue| matches!(value, ScaleValue::Factor(_));
        let factors = self.scale.iter().filter(is_factor).count();
        let joints = self.scale.len() - factors;
        #[cfg(feature = "vat")]
        let (is_vat, sets_vat) = (
            self.form == FormName::Vat,
            self.packing.is_some() || self.max_width.is_some(),
        );
        #[cfg(not(feature = "vat"))]
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
                needs_frames && self.time.is_some(),
                "`--time` is one moment; `--as` another form than frames takes `--frames`",
            ),
            (
                is_animated && self.pivot != Pivot::Origin,
                "`--pivot` is for single files: the frames of an animated file have one origin",
            ),
            (
                !is_glb && needs_frames,
                "`--as morph|step|vat` cannot be combined with `--to`",
            ),
            (
                !is_export && (has_layout || self.factor().is_some()),
                "`--join`, `--up` and a factor after `--scale` are for `--to` and `--as vat`",
            ),
            (joints > 1 || factors > 1, "`--scale` is given twice"),
            (
                joints > 0 && !self.scale_local.is_empty(),
                "`--scale` and `--scale-local` exclude each other",
            ),
        ];
        let broken = rules.into_iter().find(|(is_broken, _)| *is_broken);
        broken.map(|(_, message)| message)
    }

    /// Returns the solver and the treatment of joint scale.
    pub fn skinning(&self) -> Skinning {
        let scale = self.joints().unwrap_or_default();
        let scale = scale.of_joints(&self.scale_local);
        Skinning {
            solver: self.solver,
            scale,
            two_stage: self.two_stage,
        }
    }

    /// Returns true if no file is baked with dual quaternions.
    pub fn skins_linearly_only(&self) -> bool {
        let is_linear = |(_, solver): &(String, Solver)| *solver == Solver::Lbs;
        self.solver == Solver::Lbs && self.solver_for.iter().all(is_linear)
    }

    /// Returns true if an option about joint scale is given.
    pub fn sets_scale(&self) -> bool {
        self.joints().is_some_and(|scale| scale != Scale::Global)
            || !self.scale_local.is_empty()
            || self.two_stage
    }
}
