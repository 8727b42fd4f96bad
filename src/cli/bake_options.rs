//! From the arguments of `bake` to its job.

use super::bake_args::Bake;
use crate::io::is_dir;
use crate::run::batch::{BakeJob, BakeOptions, FormName, OutputKind, OutputPlace};
use rigy_export::Format;

impl Bake {
    /// Returns the way in which each file is baked.
    ///
    /// # Errors
    /// If the options cannot be combined, with the places of those that the configuration file sets.
    pub fn job(&self, output: &OutputPlace) -> Result<BakeJob, String> {
        let searches_directory = self.paths.iter().any(|path| is_dir(path));
        self.options(output)
            .job_of_run(searches_directory)
            .map_err(|message| self.batch.source.with_places(&message))
    }

    /// Returns the options with the format that the name of the output decides.
    fn options(&self, output: &OutputPlace) -> BakeOptions {
        BakeOptions {
            to: Some(OutputKind(self.format(output))),
            ..self.options.clone()
        }
    }

    /// Returns the format of another tool, and `None` for GLB. `--to` names it; without `--to`, the ending of the output does.
    fn format(&self, output: &OutputPlace) -> Option<Format> {
        match (self.options.to, output) {
            (Some(OutputKind(format)), _) => format,
            (None, OutputPlace::File(file)) if self.options.form == FormName::Frames => {
                OutputKind::try_from(file.extension()?.to_str()?.to_owned())
                    .ok()?
                    .0
            }
            _ => None,
        }
    }

    /// Returns the ending of the file that `-o` may name; `None` if it never names one.
    pub fn output_ending(&self, output: &OutputPlace) -> Option<&'static str> {
        let export = self.options(output).export();
        export.map_or(Some("glb"), |export| export.ending())
    }

    /// Returns the endings among which the file has one that `-o` may name.
    pub fn output_endings(&self) -> Vec<&'static str> {
        if self.options.to.is_some() || self.options.form != FormName::Frames {
            return self
                .output_ending(&OutputPlace::Beside)
                .into_iter()
                .collect();
        }
        OutputKind::names().collect()
    }

    /// Returns true if the output is text, which a terminal can show.
    pub fn writes_text(&self, output: &OutputPlace) -> bool {
        self.format(output).is_some_and(Format::is_text)
    }
}
