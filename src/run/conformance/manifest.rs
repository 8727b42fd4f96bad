//! The manifest's format.

use serde::Deserialize;

/// A conformance suite. Fields of later revisions are passed over.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// Its tests, in order.
    pub tests: Vec<Test>,
}

/// Whether a document must compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// It must, to the given bytes.
    Positive,
    /// It must be refused, with the given category.
    Negative,
}

/// One test.
#[derive(Clone, Debug, Deserialize)]
pub struct Test {
    /// Its unique name.
    pub id: String,
    /// Letter of its category.
    #[serde(default)]
    pub category: String,
    /// Whether the document must compile.
    #[serde(rename = "type")]
    pub expectation: Expectation,
    /// The document, relative to the manifest.
    pub input: String,
    /// The golden file, relative to the manifest.
    pub expected_output: Option<String>,
    /// SHA-256 of the golden file.
    pub expected_sha256: Option<String>,
    /// Whether the golden file is a bake of `pose_id`.
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
    /// What the test is about.
    #[serde(default)]
    pub description: String,
}
