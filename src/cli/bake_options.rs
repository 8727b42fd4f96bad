//! From the arguments of `bake` to its job.

use super::bake_args::Bake;
use crate::bake::Scale;
use crate::export::Format;
use crate::io::is_dir;
use crate::run::batch::{BakeJob, BakeOptions, Clips, FormName, MissingAnimation, OutputKind};

impl Bake {
    /// Returns the way in which each file is baked.
    ///
    /// # Errors
    /// If the options cannot be combined.
    pub fn job(&self) -> Result<BakeJob, String> {
        let clips = if self.animation.is_empty() {
            Clips::First
        } else {
            Clips::named(&self.animation)
        };
        let missing = match self.missing_animation {
            Some(action) => action,
            None if self.paths.iter().any(|path| is_dir(path)) => MissingAnimation::Rest,
            None => MissingAnimation::Error,
        };
        Ok(BakeJob {
            clips,
            missing,
            ..self.options().job()?
        })
    }

    /// Returns the options that are not about many files, without the animation.
    fn options(&self) -> BakeOptions {
        BakeOptions {
            animation: None,
            time: self.time,
            frames: self.frames.clone(),
            form: self.form,
            tolerance: self.tolerance,
            to: OutputKind(self.format()),
            join: self.join,
            up: self.up,
            factor: self.factor,
            packing: self.packing,
            max_width: self.max_width,
            textures: self.textures,
            solver: self.solver,
            scale: self.scale,
            scale_local: self.scale_local.clone(),
            two_stage: self.two_stage,
            pivot: self.pivot,
            keep_skeleton: self.keep_skeleton,
            keep_extensions: self.keep_extensions,
            allow_extensions: self.allow_extension.clone(),
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

    /// Returns the ending of the file that `-o` may name; `None` if it never names one.
    pub fn output_ending(&self) -> Option<&'static str> {
        let export = self.options().export();
        export.map_or(Some("glb"), |export| export.ending())
    }

    /// Returns the endings among which the file has one that `-o` may name.
    pub fn output_endings(&self) -> Vec<&'static str> {
        if self.to.is_some() || self.form != FormName::Frames {
            return self.output_ending().into_iter().collect();
        }
        let formats = Format::ALL.map(Format::name);
        std::iter::once("glb").chain(formats).collect()
    }

    /// Returns true if the output is text, which a terminal can show.
    pub fn writes_text(&self) -> bool {
        self.format().is_some_and(Format::is_text)
    }

    /// Checks that the options can be combined.
    ///
    /// # Errors
    /// The reason why not, with the places of those that the configuration file sets.
    pub fn check(&self) -> Result<(), String> {
        let broken = self.options().contradiction();
        broken.map_or(Ok(()), |message| {
            Err(self.batch.source.with_places(message))
        })
    }

    /// Returns true if an option about joint scale is given.
    pub fn sets_scale(&self) -> bool {
        self.scale.is_some_and(|scale| scale != Scale::Global)
            || !self.scale_local.is_empty()
            || self.two_stage
    }
}
