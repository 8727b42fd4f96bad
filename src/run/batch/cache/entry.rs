//! The note about one input, as a line of the journal has it.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::key::Key;
use crate::base::diag::Diagnostic;
use crate::base::loader::{FileRead, Stamp};
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
    /// Returns true if the file is there and has not changed.
    pub fn is_there(&self) -> bool {
        Stamp::of(&self.path).is_ok_and(|stamp| stamp == self.stamp)
    }
}

/// The note about one input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry<'o> {
    pub key: Key,
    /// The directory that relative paths start from; empty in notes of older versions.
    #[serde(default)]
    pub directory: PathBuf,
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

    /// Returns the outputs, former ones included.
    pub fn into_outputs(self) -> impl Iterator<Item = Product> {
        self.products.into_iter().chain(self.former)
    }
}
