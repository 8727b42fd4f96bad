//! From the arguments of the commands that write outputs to the options of a run.

use std::path::PathBuf;

use super::batch_args::Batch;
use super::formats::OutcomeFormat;
use super::named::{Named, named};
use super::places::refuse_url;
use super::run_context::memory_or_half;
use super::status::{Fatal, bail};
use super::streams::is_standard_output;
use crate::io::is_dir;
use crate::run::batch::{HeldOutput, Options, OutputPlace};
use rigy_base::diag::WarningPolicy;

impl Batch {
    /// Returns the treatment of warnings.
    fn warning_policy(&self) -> WarningPolicy {
        WarningPolicy {
            allowed: self.allow_warnings.concat(),
            errors: self.warn_as_error.concat(),
        }
    }

    /// Refuses URLs where files are written that no input or output is.
    ///
    /// # Errors
    /// If there is one.
    pub fn refuse_urls(&self) -> Result<(), Fatal> {
        refuse_url("--report", self.report.as_deref())?;
        refuse_url("--html", self.html.as_deref())
    }

    /// Refuses two things that would both go to standard output. `expanded` is where expanded documents go.
    ///
    /// # Errors
    /// If there are two.
    pub fn refuse_two_on_standard_output(
        &self,
        place: &OutputPlace,
        expanded: &Option<PathBuf>,
    ) -> Result<(), Fatal> {
        let format = format!("--format {}", self.common.format.name());
        let goes = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_standard_output);
        let mut taking = [
            (place.held().is_some(), "-o -"),
            (goes(expanded), "--emit-expanded -"),
            (goes(&self.report), "--report -"),
            (goes(&self.depfile), "--depfile -"),
            (self.common.format != OutcomeFormat::Human, &format),
        ]
        .into_iter()
        .filter_map(|(goes, option)| goes.then_some(option));
        match (taking.next(), taking.next()) {
            (Some(first), Some(second)) => bail!(
                "`{first}` and `{second}` would both go to standard output; leave one of them out, or name a file or directory in the place of `-`"
            ),
            _ => Ok(()),
        }
    }

    /// Returns what `--output` says: beside the inputs, standard output, a directory or, for one input file, a file with one of
    /// `endings`.
    ///
    /// # Errors
    /// If it names none of these.
    pub fn output_place(&self, paths: &[PathBuf], endings: &[&str]) -> Result<OutputPlace, String> {
        let Some(path) = &self.output else {
            return Ok(OutputPlace::Beside);
        };
        if is_standard_output(path) {
            return Ok(OutputPlace::Memory(HeldOutput::default()));
        }
        let is_one_file = matches!(paths, [path] if !is_dir(path));
        let own = if is_one_file { endings } else { &[] };
        match (named("-o", path, own), endings) {
            (Ok(Named::Directory), _) => Ok(OutputPlace::Below(path.clone())),
            (Ok(Named::File), _) => Ok(OutputPlace::File(path.clone())),
            (Err(message), [first, ..]) if !is_one_file => Err(format!(
                "{message}; with one input file there is `-o FILE.{first}`, too"
            )),
            (Err(message), _) => Err(message),
        }
    }

    /// Returns the size of pictures on the report page of a run over `inputs` inputs, in pixels; 0 for none.
    pub fn thumbnail_size(&self, inputs: usize) -> u16 {
        let has_page = self.html.is_some();
        let default = if has_page && inputs <= 1000 { 160 } else { 0 };
        self.thumbnails.unwrap_or(default)
    }

    /// Returns the greatest length of a model on the report page of a run over `inputs` inputs, in bytes; 0 for none.
    pub fn model_len(&self, inputs: usize) -> u64 {
        self.models
            .unwrap_or(if inputs <= 50 { 32 << 20 } else { 0 })
    }

    /// Returns the name of the option by which outputs are not written, if there is one.
    pub fn mode(&self) -> Option<&'static str> {
        match (self.check, self.dry_run) {
            (true, _) => Some("check"),
            (false, true) => Some("dry-run"),
            (false, false) => None,
        }
    }

    /// Returns true if outputs are not to be written.
    pub fn writes_nothing(&self) -> bool {
        self.dry_run || self.check
    }

    /// Returns the options that all inputs share.
    pub fn options(&self, paths: &[PathBuf], output: OutputPlace) -> Result<Options, Fatal> {
        let common = &self.common;
        Ok(Options {
            output,
            root: self.root.clone(),
            force: self.force,
            dry_run: self.writes_nothing(),
            fail_fast: self.fail_fast,
            warnings: self.warning_policy(),
            hash: common.format == OutcomeFormat::Json
                || self.report.is_some()
                || self.html.is_some(),
            map: !common.no_mmap,
            sync: self.sync,
            isa: common.isa.or_best()?,
            memory: memory_or_half(self.memory),
            limits: self.limit.limits()?,
            shard: self.shard,
            paths: paths.to_vec(),
            keeping: Vec::new(),
            prune: self.prune,
            held_input: None,
        })
    }
}
