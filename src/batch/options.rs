//! How a batch is done.

use std::path::PathBuf;

use crate::diag::WarningPolicy;
use crate::simd::Isa;

/// Which poses are baked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoseFilter {
    /// All of every document.
    All,
    /// None: only ordinary exports.
    None,
    /// Those with these ids.
    Ids(Vec<String>),
}

impl PoseFilter {
    /// Whether a pose is to be baked.
    pub fn wants(&self, pose_id: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Ids(ids) => ids.iter().any(|id| id == pose_id),
        }
    }
}

/// How a batch is done. None of it changes a byte of any GLB.
#[derive(Clone, Debug)]
pub struct Options {
    /// Poses to bake.
    pub poses: PoseFilter,
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
    /// Write posed vertices as JSON beside each baked GLB, too.
    pub positions: bool,
    /// Which warnings are silenced, and which fail their document.
    pub warnings: WarningPolicy,
    /// Work out the hash of every output.
    pub hash: bool,
    /// Map large files instead of reading them.
    pub map: bool,
    /// Instruction set of the kernel.
    pub isa: Isa,
}
