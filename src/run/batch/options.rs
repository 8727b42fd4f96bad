//! How a batch is done.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::shard::Shard;
use crate::base::diag::WarningPolicy;
use crate::base::limits::Limits;
use crate::io::{Durability, Found, IoError};
use crate::kernel::simd::Isa;

/// How a batch is done. None of it changes a byte of any GLB.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where outputs go; beside their inputs if `None`.
    pub output: Option<PathBuf>,
    /// Directory that references may not leave; each input's own root if `None`.
    pub root: Option<PathBuf>,
    /// Rewrite files that already have the right content.
    pub force: bool,
    /// Do everything but write.
    pub dry_run: bool,
    /// Start nothing new after the first failure.
    pub fail_fast: bool,
    /// Which warnings are silenced, and which fail their document.
    pub warnings: WarningPolicy,
    /// Work out the hash of every output.
    pub hash: bool,
    /// Map large files instead of reading them.
    pub map: bool,
    /// When outputs are forced onto the disk.
    pub durability: Durability,
    /// Instruction set of the kernel.
    pub isa: Isa,
    /// Bytes that inputs may take together, by estimate; one that needs more is done alone.
    pub memory: u64,
    /// The part of the inputs that is done; all of them if `None`.
    pub shard: Option<Shard>,
    /// What a document may be at most.
    pub limits: Limits,
}

impl Options {
    /// The directory that references of an input may not leave.
    pub(super) fn root_of<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.root.as_deref().unwrap_or(&input.root)
    }

    /// The directory below which outputs of an input go.
    pub(super) fn output_root_of<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.output.as_deref().unwrap_or(&input.root)
    }

    /// Where outputs of an input go: beside it, or at its place in the mirrored tree.
    pub(super) fn directory_of(&self, input: &Found) -> PathBuf {
        let parent = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
        match &self.output {
            Some(output) => output.join(parent(input.relative())),
            None => parent(&input.path),
        }
    }
}

/// What `make` makes of each of some directories, once for those that come again.
pub(super) fn one_for_each<'a, T>(
    roots: impl Iterator<Item = &'a Path>,
    mut make: impl FnMut(&Path) -> Result<T, IoError>,
) -> Result<HashMap<PathBuf, T>, IoError> {
    let mut made = HashMap::new();
    for root in roots {
        if !made.contains_key(root) {
            made.insert(root.to_owned(), make(root)?);
        }
    }
    Ok(made)
}
