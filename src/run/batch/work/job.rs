//! A kind of work, and what the work on one input needs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::beside::Placed;
use super::outlet::Outlet;
use crate::io::{Found, MappedFiles};
use crate::run::batch::cache::Cache;
use crate::run::batch::cache::key::Key;
use crate::run::batch::conflicts::sources::Sources;
use crate::run::batch::options::Options;
use crate::run::batch::outcome::{Outcome, OutputRecord};
use crate::run::batch::schedule::budget::{Grant, Postponed};
use crate::run::batch::schedule::clock::Clock;
use crate::run::batch::schedule::progress::InputProgress;
use rigy_base::diag::{Diagnosed, Diagnostic};

/// A kind of input, and the work that is done with an input of this kind.
pub trait Work: Sync {
    /// Returns the beginning of the names of an input's outputs, which is followed by a dot.
    fn stem(&self, file_name: &OsStr) -> OsString;

    /// Returns the paths of all files that an input would write to `directory`; none if the input cannot be read. `known`
    /// returns its outcome from the cache, if there is one.
    fn outputs(
        &self,
        found: &Found,
        directory: &Path,
        options: &Options,
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf>;

    /// Returns the files that an input refers to, directly or through other files. Reads the input; if it has errors, some
    /// files may be missing.
    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf>;

    /// Returns a text that differs if other outputs are made of the same input with the same [`Options`].
    fn describe(&self) -> String;

    /// Returns an estimate of the bytes of memory that an input takes, from what is known before it is read.
    fn estimate(&self, found: &Found) -> u64;

    /// Processes an input and writes either all of its outputs or none.
    fn run(&self, job: &JobContext, buffers: &mut Buffers) -> Result<Outcome, Unfinished>;
}

/// The reasons why an input has no outcome.
#[derive(Debug)]
pub enum Unfinished {
    /// It has these errors.
    Failed(Vec<Diagnostic>),
    /// It needs more memory than the others leave, and is done when they have ended.
    Postponed(Postponed),
}

impl From<Vec<Diagnostic>> for Unfinished {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Self::Failed(errors)
    }
}

impl From<Postponed> for Unfinished {
    fn from(postponed: Postponed) -> Self {
        Self::Postponed(postponed)
    }
}

/// An input, and everything that the work on it needs.
pub struct JobContext<'a> {
    /// The input.
    pub(crate) found: &'a Found,
    /// The name of the input in diagnostics.
    pub(crate) name: &'a str,
    /// The directory for its outputs.
    pub(crate) directory: &'a Path,
    /// The options of the batch.
    pub(crate) options: &'a Options,
    /// Records the files that are read for this input.
    pub(crate) mapped: &'a Arc<MappedFiles>,
    /// Takes the outputs.
    pub(crate) outlet: &'a dyn Outlet,
    /// The memory that is reserved for this input.
    pub(crate) memory: &'a Grant<'a>,
    /// The files that no output may replace.
    pub(crate) sources: &'a Sources<'a>,
    /// The notes about earlier runs.
    pub(crate) cache: &'a Cache,
    /// Counts the frames that have been made.
    pub(crate) progress: &'a InputProgress<'a>,
    /// True once the run is to end without the rest of this input.
    pub(crate) stop: &'a AtomicBool,
    /// The files beside outputs that the batch has put in their places.
    pub(crate) placed: &'a Placed,
    /// The key of this input in the cache.
    pub(crate) key: &'a Key,
}

impl JobContext<'_> {
    /// Returns true if the hashes of outputs are asked for, or the cache needs them.
    pub fn needs_hashes(&self) -> bool {
        self.options.hash || self.options.uses_cache() && self.outlet.has_coarse_times()
    }

    /// Reserves `bytes` of memory for the input in total, including what is reserved already.
    ///
    /// # Errors
    /// If there is not enough memory until other inputs have ended. The work must stop and is started again later.
    pub fn reserve(&self, bytes: u64) -> Result<(), Postponed> {
        self.memory.grow_to(bytes)
    }

    /// Returns those outputs that go to files: all or none.
    pub(crate) fn on_disk<'r>(&self, records: &'r [OutputRecord]) -> &'r [OutputRecord] {
        if self.options.output.held().is_none() {
            records
        } else {
            &[]
        }
    }

    /// Returns true if the run has been stopped: what is left of the input is not to be made.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Checks between two outputs or frames that the run has not been stopped.
    pub(crate) fn check_stop(&self) -> Diagnosed<()> {
        if self.is_stopped() {
            Err(Vec::new())
        } else {
            Ok(())
        }
    }

    /// Returns true if work with this result was given up because the run has been stopped.
    pub(crate) fn given_up(&self, result: &Diagnosed<()>) -> bool {
        self.is_stopped() && matches!(result, Err(errors) if errors.is_empty())
    }
}

/// Memory that is used for one input after another, so that it is allocated, and its pages are touched for the first time,
/// only once.
pub struct Buffers {
    /// The text of a document.
    pub(crate) input: Vec<u8>,
    /// The bytes of one output.
    pub(crate) output: Vec<u8>,
    /// Measures the time of the input.
    pub(crate) clock: Clock,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            input: Vec::new(),
            output: Vec::new(),
            clock: Clock::start(),
        }
    }
}
