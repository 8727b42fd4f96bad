//! Running one test of a manifest.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::manifest::{Expectation, Test, positions_difference};
use crate::compile::{self, Compiled, Files, Input};
use crate::io::{DirectoryLoader, IoError};
use crate::run::parallel::Parallel;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned};
use rigy_base::hash::sha256;
use rigy_base::limits::Limits;
use rigy_base::loader::Location;
use rigy_base::output::OutputFile;
use rigy_base::paths::parent_of;
use rigy_kernel::simd::Isa;
use rigy_view::first_difference;

/// The result of a test.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// The name of the test.
    pub id: String,
    /// The letter of its category.
    pub category: String,
    /// True if the test has passed.
    pub passed: bool,
    /// The items that were compared, or the reason why the test has failed.
    pub detail: String,
}

impl Verdict {
    pub(super) fn of(test: &Test, passed: bool, detail: String) -> Self {
        Self {
            id: test.id.clone(),
            category: test.category.clone(),
            passed,
            detail,
        }
    }
}

/// The largest golden file that is read, in bytes.
pub const MAX_GOLDEN: u64 = u32::MAX as u64;

/// Runs a test of a suite and returns its verdict.
pub fn verify(test: &Test, suite: &Suite) -> Verdict {
    let outcome = match test.expectation {
        Expectation::Positive => positive(test, suite),
        Expectation::Negative => negative(test, suite),
    };
    let (passed, detail) = match outcome {
        Ok(detail) => (true, detail),
        Err(detail) => (false, detail),
    };
    Verdict::of(test, passed, detail)
}

/// The directory of a manifest with its files, and the instruction set with which its outputs are made.
pub struct Suite {
    /// The directory of the manifest.
    pub directory: PathBuf,
    /// The files below it.
    pub files: Files,
    /// The instruction set.
    pub isa: Isa,
}

impl Suite {
    /// Makes the suite of a manifest.
    ///
    /// # Errors
    /// If the directory of the manifest cannot be resolved.
    pub fn of(manifest: &Path, limits: Limits, isa: Isa) -> Result<Self, IoError> {
        let directory = parent_of(manifest).to_owned();
        let files = Files::new(DirectoryLoader::new(&directory)?).within(limits);
        Ok(Self {
            directory,
            files,
            isa,
        })
    }

    /// Reads a file of the suite.
    pub(super) fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let manifest = Location(self.directory.join("manifest.json"));
        let Ok(location) = self.files.loader().resolve(&manifest, name) else {
            return Err(format!("`{name}` lies outside the suite"));
        };
        match self.files.loader().read(&location, MAX_GOLDEN) {
            Ok(bytes) => Ok(bytes.as_ref().to_vec()),
            Err(error) => Err(IoError::new("read", self.directory.join(name), error).to_string()),
        }
    }
}

/// Compiles the document of a test. Returns all warnings with it.
fn compiled(test: &Test, bytes: &[u8], suite: &Suite) -> Diagnosed<Warned<Compiled>> {
    let location = Location(suite.directory.join(&test.input));
    let input = Input::decoded(&test.input, location, bytes)?;
    let Warned { value, warnings } = compile::check(input, &suite.files)?;
    let mut built = value.build_by(suite.isa, &Parallel)?;
    built.warnings.splice(0..0, warnings);
    Ok(built)
}

/// The output that a test is about, as this program makes it.
pub struct OwnOutput {
    /// The bytes of the GLB.
    pub bytes: Vec<u8>,
    /// The posed vertices as JSON, if the test is of a pose and asks for them.
    positions: Option<Vec<u8>>,
    /// All warnings about the document.
    warnings: Vec<Diagnostic>,
}

/// Compiles the document of a positive test and makes the output that the test is about.
pub fn own_output(test: &Test, suite: &Suite) -> Result<OwnOutput, String> {
    let document = suite.file(&test.input)?;
    let refused = |errors: Vec<Diagnostic>| first(&errors);
    let Warned { value, warnings } = compiled(test, &document, suite).map_err(refused)?;
    let (bytes, positions) = if test.baked {
        let pose_id = test.pose_id.as_deref().unwrap_or_default();
        let posed = value.pose(pose_id, suite.isa, &Parallel);
        let posed = posed.ok_or_else(|| format!("the document has no pose `{pose_id}`"))?;
        let wanted = test.expected_positions.is_some();
        let positions = wanted.then(|| posed.positions().map(|list| list.to_bytes()));
        let bytes = posed.bake().map_err(refused)?.to_bytes();
        (bytes, positions.transpose().map_err(refused)?)
    } else {
        (value.export().map_err(refused)?.to_bytes(), None)
    };
    Ok(OwnOutput {
        bytes,
        positions,
        warnings,
    })
}

/// Runs a positive test. Returns the items that were compared.
fn positive(test: &Test, suite: &Suite) -> Result<String, String> {
    let OwnOutput {
        bytes,
        positions,
        warnings,
    } = own_output(test, suite)?;
    let mut compared = Vec::new();
    if let Some(output) = &test.expected_output {
        let expected = suite.file(output)?;
        if let Some(difference) = first_difference(&bytes, &expected) {
            return Err(difference);
        }
        compared.push(format!("{} bytes", bytes.len()));
    }
    if let Some(expected) = &test.expected_sha256 {
        let found = sha256(&bytes);
        if *expected != found {
            return Err(format!("SHA-256 is {found}, the manifest says {expected}"));
        }
        compared.push("SHA-256".into());
    }
    if let Some(list) = &test.expected_positions {
        let Some(found) = positions else {
            return Err("`expected_positions` is for baked tests".into());
        };
        let expected = suite.file(list)?;
        if let Some(difference) = positions_difference(&found, &expected) {
            return Err(difference);
        }
        compared.push("positions".into());
    }
    if compared.is_empty() {
        return Err("the manifest gives no output, hash or positions to compare with".into());
    }
    if let Some(expected) = &test.expected_warnings {
        let found: Vec<&str> = warnings
            .iter()
            .filter_map(|warning| warning.code)
            .map(Code::name)
            .collect();
        if found != *expected {
            let (found, expected) = (found.join(", "), expected.join(", "));
            return Err(format!("warnings are [{found}] instead of [{expected}]"));
        }
        compared.push("warnings".into());
    }
    Ok(format!("{} equal", compared.join(" and ")))
}

/// Runs a negative test. Returns the first error of the document.
fn negative(test: &Test, suite: &Suite) -> Result<String, String> {
    let document = suite.file(&test.input)?;
    let refused = compiled(test, &document, suite).and_then(|compiled| {
        let compiled = compiled.value;
        compiled.export()?;
        let pose_ids: Vec<String> = compiled.pose_ids().map(str::to_owned).collect();
        for posed in pose_ids
            .iter()
            .filter_map(|id| compiled.pose(id, suite.isa, &Parallel))
        {
            posed.bake()?;
        }
        Ok(())
    });
    let Err(errors) = refused else {
        return Err("the document compiles; it must be refused".into());
    };
    let Some(error) = errors.first() else {
        return Err("the document is refused without an error".into());
    };
    let expected = |wanted: &str| format!("refused with {}; expected {wanted}", first(&errors));
    let category = test.expected_error_type.as_deref();
    if category != Some(error.category.name()) {
        return Err(expected(category.unwrap_or("no category")));
    }
    let code = test.expected_code.as_deref();
    if code.is_some() && code != error.code.map(Code::name) {
        return Err(expected(code.unwrap_or_default()));
    }
    Ok(format!("refused: {}", first(&errors)))
}

/// Returns the first error in one line.
fn first(errors: &[Diagnostic]) -> String {
    let Some(error) = errors.first() else {
        return "no error".into();
    };
    let code = error.code.map_or(String::new(), |code| format!(" {code}"));
    format!("{}{code}: {}", error.category, error.message_with_path())
}
