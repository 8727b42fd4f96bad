//! The work on one input: from a file to its outputs.
//!
//! A [`Work`] is a kind of input: [`documents`] compiles and bakes Rigy documents, [`bakes`] bakes skinned glTF files. The
//! other modules are shared by both: names of outputs, estimates of memory, and staging, which makes all outputs of an
//! input before it puts the first in its place.

pub mod bake_content;
pub mod bakes;
mod compiled;
pub mod content;
pub mod documents;
pub mod frames;
pub mod memory;
pub mod names;
pub mod outputs;
pub mod staging;
mod standing;

pub use standing::Standing;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::io::{Found, Reading, Sink};
use crate::run::batch::cache::Cache;
use crate::run::batch::cache::key::Key;
use crate::run::batch::conflicts::sources::Sources;
use crate::run::batch::options::Options;
use crate::run::batch::outcome::Outcome;
use crate::run::batch::schedule::budget::{Grant, Postponed};
use crate::run::batch::schedule::clock::Clock;

/// One kind of input, and what is done with it.
pub trait Work: Sync {
    /// What the names of an input's outputs begin with, before a dot.
    fn stem(&self, file_name: &OsStr) -> OsString;

    /// Everything that an input would write to `directory`; nothing if it cannot be read. `known` is its outcome, if
    /// that is known without reading it.
    fn outputs(
        &self,
        found: &Found,
        directory: &Path,
        options: &Options,
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf>;

    /// The files that an input refers to, directly or through others, as far as they can be found out. Reads the input.
    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf>;

    /// Classifies an existing file in the place of an output by its content and name.
    fn standing_of(&self, path: &Path) -> Standing;

    /// All that decides, beside the options that every kind of work has, what becomes of an input.
    fn describe(&self) -> String;

    /// Memory that an input takes, as far as that is known before it is read.
    fn estimate(&self, found: &Found) -> u64;

    /// Does an input: all of its outputs, or none.
    ///
    /// # Errors
    /// If it turns out to need more memory than there is at the moment ([`JobContext::reserve`]); nothing has been done.
    fn run(&self, job: &JobContext<'_>, buffers: &mut Buffers) -> Result<Outcome, Postponed>;
}

/// An input, and where its outputs go.
pub struct JobContext<'a> {
    pub(crate) found: &'a Found,
    /// What diagnostics call it.
    pub(crate) name: &'a str,
    /// The directory of its outputs.
    pub(crate) directory: &'a Path,
    pub(crate) options: &'a Options,
    /// What it is made from, as far as that is mapped.
    pub(crate) reading: &'a Reading,
    /// `None` in a dry run.
    pub(crate) sink: Option<&'a Sink>,
    pub(crate) memory: &'a Grant<'a>,
    /// The files that no output may replace.
    pub(crate) sources: &'a Sources<'a>,
    /// Tells which outputs an earlier run has made of this input.
    pub(crate) cache: &'a Cache,
    pub(crate) key: &'a Key,
}

impl JobContext<'_> {
    /// Makes sure that the input may take so much memory, all in all.
    ///
    /// # Errors
    /// If it has to wait for others to end; it will be done again from the start.
    pub fn reserve(&self, bytes: u64) -> Result<(), Postponed> {
        self.memory.grow_to(bytes)
    }
}

/// What one thread uses for input after input, so that memory is asked for, and touched for the first time, once.
pub struct Buffers {
    /// The text of a document.
    pub(crate) input: Vec<u8>,
    /// The bytes of one output.
    pub(crate) output: Vec<u8>,
    /// How long the input takes.
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
