//! The format of manifests.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::io::{IoError, read_file};

/// Largest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 64 << 20;

/// A conformance suite. Unknown fields, as later revisions of the format may have, are ignored.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// The tests, in order.
    pub tests: Vec<Test>,
}

/// The reason why a file cannot be used as a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// It is not in the format of manifests.
    #[error("`{}` is not a manifest: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The first fault.
        source: serde_json::Error,
    },
    /// It has no tests.
    #[error("`{}` has no tests, so it cannot pass", .0.display())]
    Empty(PathBuf),
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read, is no manifest, or has no tests.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let mut bytes = Vec::new();
        let read = read_file(path, MAX_MANIFEST, &mut bytes);
        read.map_err(|error| IoError::new("read", path, error))?;
        let parsed: Result<Self, _> = serde_json::from_slice(&bytes);
        let path = path.to_owned();
        match parsed {
            Ok(manifest) if manifest.tests.is_empty() => Err(ManifestError::Empty(path)),
            Ok(manifest) => Ok(manifest),
            Err(source) => Err(ManifestError::Malformed { path, source }),
        }
    }
}

/// The expected result of compiling a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// The document must compile to the given bytes.
    Positive,
    /// The document must be refused with an error of the given category.
    Negative,
}

/// One test of a suite.
#[derive(Clone, Debug, Deserialize)]
pub struct Test {
    /// The unique name of the test.
    pub id: String,
    /// The letter of its category.
    #[serde(default)]
    pub category: String,
    /// The expected result.
    #[serde(rename = "type")]
    pub expectation: Expectation,
    /// The document, relative to the manifest.
    pub input: String,
    /// The golden file, relative to the manifest.
    pub expected_output: Option<String>,
    /// SHA-256 of the golden file.
    pub expected_sha256: Option<String>,
    /// True if the golden file is a bake of the pose `pose_id`.
    #[serde(default)]
    pub baked: bool,
    /// The pose of a baked test.
    pub pose_id: Option<String>,
    /// The posed vertices of a baked test as JSON, relative to the manifest; not in published suites.
    pub expected_positions: Option<String>,
    /// Codes of all warnings of a positive test, in order; not in published suites.
    pub expected_warnings: Option<Vec<String>>,
    /// Category of the first error of a negative test.
    pub expected_error_type: Option<String>,
    /// Code of the first error of a negative test; not in published suites.
    pub expected_code: Option<String>,
    /// A description for readers of the manifest.
    #[serde(default)]
    pub description: String,
}
