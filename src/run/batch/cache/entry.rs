//! The note about one input, as a line of the journal has it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::key::Key;
use crate::base::diag::Diagnostic;
use crate::base::hash::sha256_of;
use crate::base::loader::{FileRead, Stamp};
use crate::io::{Target, stamp_of};
use crate::run::batch::outcome::RecordMoment;
use crate::run::batch::work::format::OutputFormat;

/// An output that was written or was up to date.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Product {
    pub path: PathBuf,
    pub pose: Option<String>,
    pub moment: Option<RecordMoment>,
    pub format: OutputFormat,
    pub is_beside: bool,
    pub stamp: Stamp,
    pub sha256: Option<String>,
}

impl Product {
    /// Returns the facts by which the file is recognised.
    pub fn file(&self, entry: &Entry<'_>) -> NotedFile {
        NotedFile {
            stamp: self.stamp,
            is_uncertain: entry.is_uncertain,
            sha256: self.sha256.clone().filter(|_| entry.is_uncertain),
        }
    }
}

/// The facts by which an output of a note is recognised.
#[derive(Clone, Debug)]
pub(crate) struct NotedFile {
    pub stamp: Stamp,
    /// True if the stamp alone does not tell whether the file has changed.
    is_uncertain: bool,
    /// The hash of its bytes, if it is needed and known.
    sha256: Option<String>,
}

impl NotedFile {
    /// Returns true if the file at `path` is the one that was noted and has not changed. If its stamp does not tell for certain, its
    /// bytes are read.
    pub fn is_unchanged(&self, path: &Path) -> bool {
        let has_stamp = || stamp_of(path).is_ok_and(|stamp| stamp == self.stamp);
        has_stamp() && (!self.is_uncertain || (self.has_hash(path) && has_stamp()))
    }

    fn has_hash(&self, path: &Path) -> bool {
        let read = || sha256_of(Target::new(path).open().ok()?).ok();
        self.sha256.is_some() && read() == self.sha256
    }
}

/// The note about one input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry<'o> {
    pub key: Key,
    /// The directory that relative paths start from; empty in notes of older versions.
    #[serde(default)]
    pub directory: PathBuf,
    /// True if the stamps in this note do not tell for certain whether a file has changed.
    #[serde(
        default,
        rename = "uncertain",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub is_uncertain: bool,
    /// The input itself and the files that it refers to, those that were absent included.
    pub made_of: Cow<'o, [FileRead]>,
    /// The outputs.
    pub products: Vec<Product>,
    /// Outputs of earlier runs that were not made again, and were left unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<Product>,
    pub names: Cow<'o, [String]>,
    pub warnings: Cow<'o, [Diagnostic]>,
}

impl Entry<'_> {
    /// Returns the outputs, former ones included.
    pub fn outputs(&self) -> impl Iterator<Item = &Product> {
        self.products.iter().chain(&self.former)
    }

    /// Returns the path of an output, which does not depend on the present directory.
    pub fn path_of(&self, product: &Product) -> PathBuf {
        self.directory.join(&product.path)
    }
}
