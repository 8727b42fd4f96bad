//! The options of a batch.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::shard::Shard;
use crate::base::diag::WarningPolicy;
use crate::base::limits::Limits;
use crate::io::{Durability, Found, IoError};
use crate::kernel::simd::Isa;

/// The options of a batch. None of them changes a byte of any GLB.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory for outputs; `None` puts each output beside its input.
    pub output: Option<PathBuf>,
    /// The directory that references must stay in; `None` means the root of each input.
    pub root: Option<PathBuf>,
    /// True rewrites files that already have the right content.
    pub force: bool,
    /// True does all the work without writing any file.
    pub dry_run: bool,
    /// True starts no further input after the first failure.
    pub fail_fast: bool,
    /// The policy that silences warnings or turns them into errors.
    pub warnings: WarningPolicy,
    /// True computes the SHA-256 of every output.
    pub hash: bool,
    /// True maps large files instead of reading them.
    pub map: bool,
    /// The moment at which outputs are forced onto the disk.
    pub durability: Durability,
    /// The instruction set of the kernel.
    pub isa: Isa,
    /// The bytes of memory that all inputs in work may take together, by estimate. An input that needs more is processed
    /// alone.
    pub memory: u64,
    /// The part of the inputs that is processed; `None` means all.
    pub shard: Option<Shard>,
    /// The limits on the size of an input.
    pub limits: Limits,
}

impl Options {
    /// Returns the directory that references of an input must stay in.
    pub(super) fn root_of<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.root.as_deref().unwrap_or(&input.root)
    }

    /// Returns the root of the directory for outputs of an input.
    pub(super) fn output_root_of<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.output.as_deref().unwrap_or(&input.root)
    }

    /// Returns the directory for outputs of an input: its own, or the corresponding one below the output directory.
    pub(super) fn directory_of(&self, input: &Found) -> PathBuf {
        let parent = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
        match &self.output {
            Some(output) => output.join(parent(input.relative())),
            None => parent(&input.path),
        }
    }
}

/// Calls `make` once for each different directory and returns the results by directory.
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
