//! From the arguments of `bake` to its job.

use super::bake_args::Bake;
use crate::export::Format;
use crate::io::is_dir;
use crate::run::batch::{BakeJob, BakeOptions, FormName, OutputKind};

impl Bake {
    /// Returns the way in which each file is baked.
    ///
    /// # Errors
    /// If the options cannot be combined, with the places of those that the configuration file sets.
    pub fn job(&self) -> Result<BakeJob, String> {
        let searches_directory = self.paths.iter().any(|path| is_dir(path));
        let job = self.options().job_of_run(searches_directory);
        job.map_err(|message| self.batch.source.with_places(&message))
    }

    /// Returns the options with the format that the name after `--output` decides.
    fn options(&self) -> BakeOptions {
        BakeOptions {
            to: Some(OutputKind(self.format())),
            ..self.options.clone()
        }
    }

    /// Returns the format of another tool, and `None` for GLB. `--to` names it; without `--to`, the ending of the file after `--output` does.
    fn format(&self) -> Option<Format> {
        if let Some(OutputKind(format)) = self.options.to {
            return format;
        }
        let is_named = |format: &Format| {
            let file = self.batch.output_file(&self.paths, Some(format.name()));
            file.is_some()
        };
        let mut formats = Format::ALL.into_iter();
        formats.find(|format| self.options.form == FormName::Frames && is_named(format))
    }

    /// Returns the ending of the file that `-o` may name; `None` if it never names one.
    pub fn output_ending(&self) -> Option<&'static str> {
        let export = self.options().export();
        export.map_or(Some("glb"), |export| export.ending())
    }

    /// Returns the endings among which the file has one that `-o` may name.
    pub fn output_endings(&self) -> Vec<&'static str> {
        if self.options.to.is_some() || self.options.form != FormName::Frames {
            return self.output_ending().into_iter().collect();
        }
        OutputKind::names().collect()
    }

    /// Returns true if the output is text, which a terminal can show.
    pub fn writes_text(&self) -> bool {
        self.format().is_some_and(Format::is_text)
    }
}
