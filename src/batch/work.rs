//! What a batch does with each of its inputs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::options::Options;
use super::outcome::Outcome;
use crate::io::{Found, Reading, Sink};

/// One kind of input, and what is done with it.
pub trait Work: Sync {
    /// What the names of an input's outputs begin with, before a dot.
    fn stem(&self, file_name: &OsStr) -> OsString;

    /// Everything that an input would write to `directory`; nothing if it cannot be read.
    fn outputs(&self, found: &Found, directory: &Path, options: &Options) -> Vec<PathBuf>;

    /// Does an input: all of its outputs, or none.
    fn run(&self, place: &Place<'_>, buffers: &mut Buffers) -> Outcome;
}

/// An input, and where its outputs go.
pub struct Place<'a> {
    pub(super) found: &'a Found,
    /// What diagnostics call it.
    pub(super) name: &'a str,
    /// The directory of its outputs.
    pub(super) directory: &'a Path,
    pub(super) options: &'a Options,
    /// What it is made from, as far as that is mapped.
    pub(super) reading: &'a Reading,
    /// `None` in a dry run.
    pub(super) sink: Option<&'a Sink>,
}

/// What one thread uses for input after input, so that memory is asked for, and touched for the first time, once.
#[derive(Default)]
pub struct Buffers {
    /// The text of a document.
    pub(super) input: Vec<u8>,
    /// The bytes of one output.
    pub(super) output: Vec<u8>,
}
