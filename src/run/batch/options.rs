//! The options of a batch, and an input that is in memory instead of on the disk.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::output_place::OutputPlace;
use super::schedule::budget::MemoryLimit;
use super::shard::Shard;
use crate::io::{FileId, Found, IoError, identity};
use rigy_base::diag::WarningPolicy;
use rigy_base::limits::Limits;
use rigy_base::maps::HashMap;
use rigy_base::paths::parent_of;
use rigy_kernel::simd::Isa;

/// The options that all inputs of a batch share. None of them changes a byte of any GLB.
///
/// ```
/// use rigy_batch::run::batch::{Options, OutputPlace};
///
/// let options = Options {
///     output: OutputPlace::Below("out".into()),
///     fail_fast: true,
///     ..Options::default()
/// };
/// assert!(!options.force);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The place of outputs.
    pub output: OutputPlace,
    /// The directory that references must stay in; `None` means the root of each input.
    pub root: Option<PathBuf>,
    /// True writes files again that already have the right content.
    pub force: bool,
    /// True does everything except writing.
    pub dry_run: bool,
    /// True begins no further input after the first failure.
    pub fail_fast: bool,
    /// Warnings that are silenced, and warnings that fail their input.
    pub warnings: WarningPolicy,
    /// True computes the SHA-256 of every output.
    pub hash: bool,
    /// True maps large files instead of reading them.
    pub map: bool,
    /// True ends the run by waiting until everything that was written is on the disk; on Linux this includes outputs that were up to
    /// date.
    pub sync: bool,
    /// The instruction set of the kernel.
    pub isa: Isa,
    /// The memory that inputs in progress may take together.
    pub memory: MemoryLimit,
    /// The part of the inputs that this run processes; all of them if `None`.
    pub shard: Option<Shard>,
    /// The files and directories that the user has named. Outputs of inputs that are gone from these are leftovers, too.
    pub paths: Vec<PathBuf>,
    /// Directories in which a file is replaced only if an earlier run has written it, as the cache knows.
    pub keeping: Vec<PathBuf>,
    /// True if [`Batch::prune`](super::Batch::prune) is to remove outputs of earlier runs that this run has not made.
    pub prune: bool,
    /// Limits on each document.
    pub limits: Limits,
    /// The bytes of the input, if they are not read from its path. It is for batches of one input; the cache is not used.
    pub held_input: Option<HeldInput>,
}

impl Default for Options {
    /// Outputs beside inputs, nothing rewritten needlessly, no hashes, no warnings silenced, large files mapped, nothing
    /// flushed, the widest instruction set of this machine, any amount of memory, all inputs, nothing removed, [`Limits::DEFAULT`].
    fn default() -> Self {
        Self {
            output: OutputPlace::Beside,
            root: None,
            force: false,
            dry_run: false,
            fail_fast: false,
            warnings: WarningPolicy::default(),
            hash: false,
            map: true,
            sync: false,
            isa: Isa::best(),
            memory: MemoryLimit::Bytes(u64::MAX),
            shard: None,
            paths: Vec::new(),
            keeping: Vec::new(),
            prune: false,
            limits: Limits::DEFAULT,
            held_input: None,
        }
    }
}

impl Options {
    /// Returns the directory that references of an input may not leave.
    pub fn root_of<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.root.as_deref().unwrap_or(&input.root)
    }

    /// Returns true if an existing file lies where only files of earlier runs are replaced.
    pub(super) fn keeps(&self, path: &Path) -> bool {
        if self.keeping.is_empty() {
            return false;
        }
        let keeping: Vec<FileId> = self
            .keeping
            .iter()
            .filter_map(|path| FileId::of(path).ok())
            .collect();
        identity(parent_of(path))
            .ancestors()
            .any(|place| FileId::of(place).is_ok_and(|place| keeping.contains(&place)))
    }

    /// Returns true if the cache can tell what has become of an input.
    pub(super) fn uses_cache(&self) -> bool {
        self.held_input.is_none() && self.output.is_noted()
    }
}

/// Returns the result of `make` for each of some directories, by directory; `make` is called once for each.
pub fn one_for_each<'a, T>(
    roots: impl Iterator<Item = &'a Path>,
    mut make: impl FnMut(&Path) -> Result<T, IoError>,
) -> Result<HashMap<PathBuf, T>, IoError> {
    let mut made = HashMap::default();
    for root in roots {
        if !made.contains_key(root) {
            made.insert(root.to_owned(), make(root)?);
        }
    }
    Ok(made)
}

/// The bytes of the one input of a batch, which are not read from its path. References in it are relative to the directory of
/// that path. Clones share the bytes.
#[derive(Clone)]
pub struct HeldInput(Arc<[u8]>);

impl HeldInput {
    /// Makes an input of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl AsRef<[u8]> for HeldInput {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for HeldInput {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "HeldInput({} bytes)", self.0.len())
    }
}
