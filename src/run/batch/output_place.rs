//! The place of a run's outputs: what `-o` says, decided once before the run.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::io::{Found, directory_of};
use rigy_base::paths::parent_of;
use rigy_base::sync::Mutex;

/// The place of the outputs of a run.
#[derive(Clone, Debug, Default)]
pub enum OutputPlace {
    /// Beside each input.
    #[default]
    Beside,
    /// Below this directory, which mirrors the tree of the inputs.
    Below(PathBuf),
    /// The output of the one input of a run is this file. Several outputs have names that begin as it does. The cache is not used, and
    /// nothing is pruned.
    File(PathBuf),
    /// The one output of the one input of a run stays in memory. The cache is not used.
    Memory(HeldOutput),
}

impl OutputPlace {
    /// Returns the directory that all outputs go to, if it is named: they are not beside their inputs then.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Beside | Self::Memory(_) => None,
            Self::Below(directory) => Some(directory),
            Self::File(file) => Some(directory_of(file)),
        }
    }

    /// Returns what takes the output, if it stays in memory.
    pub fn held(&self) -> Option<&HeldOutput> {
        match self {
            Self::Memory(held) => Some(held),
            _ => None,
        }
    }

    /// Returns true if the cache can tell what has become of an input. It knows nothing of outputs that were named one by one: none of
    /// them takes the place of another.
    pub(super) fn is_noted(&self) -> bool {
        matches!(self, Self::Beside | Self::Below(_))
    }

    /// Returns the output root of an input: the directory below which its outputs go.
    pub(super) fn root_of<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.directory().unwrap_or(&input.root)
    }

    /// Returns the directory of the outputs of an input: its own, or the one at its place in the mirrored tree.
    pub(super) fn directory_of(&self, input: &Found) -> PathBuf {
        let parent = |path: &Path| parent_of(path).to_owned();
        match self.directory() {
            Some(root) => root.join(parent(input.relative())),
            None => parent(&input.path),
        }
    }

    /// Returns the beginning of the names of an input's outputs, which is followed by a dot; `of_name` takes it from the name of the
    /// input.
    pub(super) fn stem_of(&self, input: &Found, of_name: impl Fn(&OsStr) -> OsString) -> OsString {
        match self {
            Self::File(file) => file.file_stem().unwrap_or_default().to_owned(),
            _ => of_name(input.path.file_name().unwrap_or_default()),
        }
    }
}

/// Takes the bytes of the one output of a batch, which is not written to the disk. An input with several outputs fails. Clones
/// share the bytes.
///
/// ```
/// use rigy_batch::run::batch::{HeldOutput, Options, OutputPlace};
///
/// let output = HeldOutput::default();
/// let options = Options {
///     output: OutputPlace::Memory(output.clone()),
///     ..Options::default()
/// };
/// // Run a batch of one input with these options, then:
/// assert_eq!(output.take(), None); // the output was not made
/// ```
#[derive(Clone, Default)]
pub struct HeldOutput(Arc<Mutex<Option<Vec<u8>>>>);

impl HeldOutput {
    /// Returns the bytes, and keeps none; `None` if the output was not made.
    pub fn take(&self) -> Option<Vec<u8>> {
        self.0.lock().take()
    }

    /// Keeps the bytes of the output.
    pub(super) fn put(&self, bytes: Vec<u8>) {
        *self.0.lock() = Some(bytes);
    }
}

impl fmt::Debug for HeldOutput {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("HeldOutput")
    }
}
