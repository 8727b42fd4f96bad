//! Running one test of a manifest.

use std::path::Path;

use serde::Serialize;

use super::manifest::{Expectation, Test, positions_difference};
use crate::base::diag::{Diagnostic, Warned};
use crate::base::hash::sha256;
use crate::base::loader::Location;
use crate::base::output::OutputFile;
use crate::compile::{self, Compiled, Files, Input};
use crate::io::IoError;
use crate::kernel::simd::Isa;
use crate::run::parallel::Parallel;
use crate::view::first_difference;

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

/// The largest golden file that is read, in bytes.
pub(super) const MAX_GOLDEN: u64 = u32::MAX as u64;

/// Runs a test of the manifest in `directory` and returns its verdict; `files` are the files of the suite.
pub fn verify(test: &Test, directory: &Path, files: &Files, isa: Isa) -> Verdict {
    let outcome = match test.expectation {
        Expectation::Positive => positive(test, directory, files, isa),
        Expectation::Negative => negative(test, directory, files, isa),
    };
    let (passed, detail) = match outcome {
        Ok(detail) => (true, detail),
        Err(detail) => (false, detail),
    };
    Verdict {
        id: test.id.clone(),
        category: test.category.clone(),
        passed,
        detail,
    }
}

/// Reads a file of the suite.
pub(super) fn suite_file(directory: &Path, name: &str, files: &Files) -> Result<Vec<u8>, String> {
    let manifest = Location(directory.join("manifest.json"));
    let Ok(location) = files.loader().resolve(&manifest, name) else {
        return Err(format!("`{name}` lies outside the suite"));
    };
    match files.loader().read(&location, MAX_GOLDEN) {
        Ok(bytes) => Ok(bytes.as_ref().to_vec()),
        Err(error) => Err(IoError::new("read", directory.join(name), error).to_string()),
    }
}

/// Compiles the document of a test. Returns all warnings with it.
fn compiled(
    test: &Test,
    directory: &Path,
    bytes: &[u8],
    files: &Files,
    isa: Isa,
) -> Result<Warned<Compiled>, Vec<Diagnostic>> {
    let text = compile::decode(&test.input, bytes)?;
    let input = Input {
        name: &test.input,
        location: Location(directory.join(&test.input)),
        text,
    };
    let Warned { value, warnings } = compile::check(input, files)?;
    let mut built = value.build_by(isa, &Parallel)?;
    built.warnings.splice(0..0, warnings);
    Ok(built)
}

/// The output that a test is about, as this program makes it.
pub(super) struct OwnOutput {
    /// The bytes of the GLB.
    pub bytes: Vec<u8>,
    /// The posed vertices as JSON, if the test is of a pose and asks for them.
    positions: Option<Vec<u8>>,
    /// All warnings about the document.
    warnings: Vec<Diagnostic>,
}

/// Compiles the document of a positive test and makes the output that the test is about.
pub(super) fn own_output(
    test: &Test,
    directory: &Path,
    files: &Files,
    isa: Isa,
) -> Result<OwnOutput, String> {
    let document = suite_file(directory, &test.input, files)?;
    let refused = |errors: Vec<Diagnostic>| first(&errors);
    let Warned { value, warnings } =
        compiled(test, directory, &document, files, isa).map_err(refused)?;
    let (bytes, positions) = if test.baked {
        let pose_id = test.pose_id.as_deref().unwrap_or_default();
        let posed = value.pose(pose_id, isa, &Parallel);
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
fn positive(test: &Test, directory: &Path, files: &Files, isa: Isa) -> Result<String, String> {
    let OwnOutput {
        bytes,
        positions,
        warnings,
    } = own_output(test, directory, files, isa)?;
    let mut compared = Vec::new();
    if let Some(output) = &test.expected_output {
        let expected = suite_file(directory, output, files)?;
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
        let expected = suite_file(directory, list, files)?;
        if let Some(difference) = positions_difference(&found, &expected) {
            return Err(difference);
        }
        compared.push("positions".into());
    }
    if compared.is_empty() {
        return Err("the manifest gives no output, hash or positions to compare with".into());
    }
    if let Some(expected) = &test.expected_warnings {
        let codes = warnings.iter().filter_map(|warning| warning.code);
        let found: Vec<&str> = codes.map(|code| code.name()).collect();
        if found != *expected {
            let (found, expected) = (found.join(", "), expected.join(", "));
            return Err(format!("warnings are [{found}] instead of [{expected}]"));
        }
        compared.push("warnings".into());
    }
    Ok(format!("{} equal", compared.join(" and ")))
}

/// Runs a negative test. Returns the first error of the document.
fn negative(test: &Test, directory: &Path, files: &Files, isa: Isa) -> Result<String, String> {
    let document = suite_file(directory, &test.input, files)?;
    let refused = compiled(test, directory, &document, files, isa).and_then(|compiled| {
        let compiled = compiled.value;
        compiled.export()?;
        let pose_ids: Vec<String> = compiled.pose_ids().map(str::to_owned).collect();
        for posed in pose_ids
            .iter()
            .filter_map(|id| compiled.pose(id, isa, &Parallel))
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
    let category = error.category.name();
    if test.expected_error_type.as_deref() != Some(category) {
        let wanted = test.expected_error_type.as_deref().unwrap_or("no category");
        return Err(format!(
            "refused with {}; expected {wanted}",
            first(&errors)
        ));
    }
    let code = error.code.map(|code| code.name());
    if test.expected_code.is_some() && test.expected_code.as_deref() != code {
        let wanted = test.expected_code.as_deref().unwrap_or_default();
        return Err(format!(
            "refused with {}; expected {wanted}",
            first(&errors)
        ));
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
