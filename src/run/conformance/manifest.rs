//! The format of manifests, and the comparison of files of the secondary format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::io::{IoError, bytes_of};
use rigy_base::paths::Slashed;
use rigy_kernel::math::Vec3;
use rigy_view::first_other;

/// Largest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 64 << 20;

/// A conformance suite. Unknown fields, as later revisions of the format may have, are ignored.
#[derive(Debug, Deserialize)]
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
    #[error("`{}` is not a manifest: {source}", path.slashed())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The first fault.
        source: serde_json::Error,
    },
    /// It has no tests.
    #[error("`{}` has no tests, so it cannot pass", .0.slashed())]
    Empty(PathBuf),
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read, is no manifest, or has no tests.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let bytes = bytes_of(path, MAX_MANIFEST)?;
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
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// The document must compile to the given bytes.
    Positive,
    /// The document must be refused with an error of the given category.
    Negative,
}

/// One test of a suite.
#[derive(Debug, Deserialize)]
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
}

/// The vertices of one mesh in the secondary format.
#[derive(serde::Deserialize)]
struct Listed {
    normals: Vec<Vec3>,
    positions: Vec<Vec3>,
}

/// Compares two files of the secondary format. Returns a message about the first difference; `None` if all bytes are equal.
pub fn positions_difference(found: &[u8], expected: &[u8]) -> Option<String> {
    if found == expected {
        return None;
    }
    let read = |bytes| serde_json::from_slice::<BTreeMap<String, Listed>>(bytes);
    let described = match (read(found), read(expected)) {
        (Ok(found), Ok(expected)) => in_vertices(&found, &expected),
        (_, Err(error)) => Some(format!("the expected positions are malformed: {error}")),
        (Err(error), _) => Some(format!("the positions are malformed: {error}")),
    };
    let at = first_other(found, expected);
    Some(described.unwrap_or_else(|| {
        format!("the numbers are equal, but the text is not canonical from byte {at} on")
    }))
}

/// Returns a message about the first mesh and vertex in which two lists differ; `None` if all numbers are equal.
fn in_vertices(
    found: &BTreeMap<String, Listed>,
    expected: &BTreeMap<String, Listed>,
) -> Option<String> {
    let names = |list: &BTreeMap<String, Listed>| list.keys().cloned().collect::<Vec<_>>();
    if !found.keys().eq(expected.keys()) {
        let (found, expected) = (names(found), names(expected));
        return Some(format!("meshes are {found:?} instead of {expected:?}"));
    }
    for (name, expected) in expected {
        let found = &found[name];
        for (what, found, expected) in [
            ("normal", &found.normals, &expected.normals),
            ("position", &found.positions, &expected.positions),
        ] {
            if found.len() != expected.len() {
                let (found, expected) = (found.len(), expected.len());
                return Some(format!(
                    "mesh `{name}` has {found} {what}s instead of {expected}"
                ));
            }
            let bits = |vector: &Vec3| vector.map(f64::to_bits);
            if let Some(vertex) = found
                .iter()
                .zip(expected)
                .position(|(a, b)| bits(a) != bits(b))
            {
                let (found, expected) = (found[vertex], expected[vertex]);
                return Some(format!(
                    "mesh `{name}`, {what} {vertex} is {found:?} instead of {expected:?}"
                ));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_vertices_are_named() {
        let list = |x: &str| format!("{{\"m\":{{\"normals\":[],\"positions\":[[0.0,{x},1.0]]}}}}");
        let difference = |a: &str, b: &str| {
            positions_difference(list(a).as_bytes(), list(b).as_bytes()).unwrap_or_default()
        };
        assert_eq!(difference("0.0", "0.0"), "");
        assert!(difference("0.0", "-0.0").contains("mesh `m`, position 0 is [0.0, 0.0, 1.0]"));
        assert!(difference("1.5", "1.50").contains("not canonical from byte"));
        assert!(difference("x", "1.5").contains("malformed"));
    }
}
