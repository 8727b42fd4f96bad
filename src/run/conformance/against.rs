//! Comparing the outputs of another implementation with what a manifest expects.
//!
//! The expected bytes of a test are those of its golden file; without one, those of this program's own output. The file of
//! the other implementation has the path of the golden file below its directory, or the golden file's name there, or the name that
//! this program would give the output.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::manifest::{Expectation, Test, positions_difference};
use super::verify::{MAX_GOLDEN, Suite, Verdict, own_output};
use crate::io::{DirectoryLoader, IoError};
use crate::run::batch::{OutputFormat, bake_file_name, document_stem, pose_file_name};
use rigy_base::loader::{Loader, Location};
use rigy_base::paths::Slashed;
use rigy_view::difference::{Difference, Side, compare};

/// The directory of the other implementation's outputs.
pub struct Others {
    directory: PathBuf,
    loader: DirectoryLoader,
}

/// A test and the file that another implementation made for it.
#[derive(Debug)]
pub struct Compared {
    /// Path of what is expected: the golden file, or the document if there is none.
    pub expected: PathBuf,
    /// Path of the other implementation's file; `None` if there is none.
    pub found: Option<PathBuf>,
    /// The comparison of the two.
    pub difference: Difference,
}

impl Others {
    /// Makes the outputs below a directory available.
    ///
    /// # Errors
    /// If it is not a directory.
    pub fn new(directory: &Path) -> Result<Self, IoError> {
        Ok(Self {
            directory: directory.to_owned(),
            loader: DirectoryLoader::new(directory)?,
        })
    }

    /// Reads the first file that exists of those with these paths below the directory.
    fn read(&self, names: &[PathBuf]) -> Result<Option<(PathBuf, Vec<u8>)>, String> {
        let here = Location(self.directory.join("manifest.json"));
        for name in names {
            let path = self.directory.join(name);
            let reference = name.shown();
            let Ok(location) = self.loader.resolve(&here, &reference) else {
                if name
                    .components()
                    .all(|part| matches!(part, Component::Normal(_)))
                {
                    let path = path.slashed();
                    return Err(format!(
                        "`{path}` is a link that leads out of the directory"
                    ));
                }
                continue; // The name itself leads out.
            };
            match self.loader.read(&location, MAX_GOLDEN) {
                Ok(bytes) => return Ok(Some((path, bytes.as_ref().to_vec()))),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(IoError::new("read", path, error).to_string()),
            }
        }
        Ok(None)
    }
}

/// Compares the file that another implementation made for a test of the manifest in `directory`; `files` are the files of
/// the suite. For a document that must be refused, the difference is none if there is no file.
pub fn against(test: &Test, suite: &Suite, others: &Others) -> Compared {
    let golden = test.expected_output.as_deref().unwrap_or(&test.input);
    let mut compared = Compared {
        expected: suite.directory.join(golden),
        found: None,
        difference: Difference::none(),
    };
    let result = others.read(&names(test)).and_then(|found| {
        compared.found = found.as_ref().map(|(path, _)| path.clone());
        difference(test, suite, others, found)
    });
    compared.difference = result.unwrap_or_else(Difference::incomparable);
    compared
}

/// Returns the verdict of a comparison; a test passes if its files are equal, or within the tolerance if
/// there is one.
pub fn verdict(test: &Test, compared: &Compared, tolerance: Option<f64>) -> Verdict {
    let difference = &compared.difference;
    let passed = difference.passes(tolerance);
    let distance = difference.max_distance;
    let distance = distance.map(|distance| format!("largest distance {distance:.2e} model units"));
    let parts = difference
        .first_difference
        .iter()
        .cloned()
        .chain(difference.structure.first().cloned());
    let detail = match (difference.equal, test.expectation) {
        (true, Expectation::Negative) => "there is no output".to_owned(),
        (true, Expectation::Positive) => "equal".to_owned(),
        _ => parts.chain(distance).collect::<Vec<_>>().join("; "),
    };
    Verdict::of(test, passed, detail)
}

/// Returns the comparison of a test's file with what is expected.
fn difference(
    test: &Test,
    suite: &Suite,
    others: &Others,
    found: Option<(PathBuf, Vec<u8>)>,
) -> Result<Difference, String> {
    let found = match (test.expectation, found) {
        (Expectation::Negative, None) => return Ok(Difference::none()),
        (Expectation::Negative, Some(_)) => {
            return Err("the document must be refused, but there is an output".into());
        }
        (Expectation::Positive, None) => return Err("there is no such file".into()),
        (Expectation::Positive, Some(found)) => found,
    };
    let expected = expected(test, suite)?;
    let difference = with_sides(&expected, &found, suite, others, compare);
    match positions(test, suite, others)? {
        Some(message) if difference.equal => Err(message),
        _ => Ok(difference),
    }
}

/// Calls `act` with both files of a test, of which the first is expected, as [`against`] compares them.
///
/// # Errors
/// If one of the two is not there or cannot be read.
pub fn with_files<T>(
    test: &Test,
    suite: &Suite,
    others: &Others,
    act: impl FnOnce(&Side, &Side) -> T,
) -> Result<T, String> {
    let found = others.read(&names(test))?;
    let found = found.ok_or("there is no such file")?;
    let expected = expected(test, suite)?;
    Ok(with_sides(&expected, &found, suite, others, act))
}

/// Returns the bytes that a test expects.
fn expected(test: &Test, suite: &Suite) -> Result<Vec<u8>, String> {
    match &test.expected_output {
        Some(golden) => suite.file(golden),
        None => Ok(own_output(test, suite)?.bytes),
    }
}

fn with_sides<T>(
    expected: &[u8],
    (path, bytes): &(PathBuf, Vec<u8>),
    suite: &Suite,
    others: &Others,
    act: impl FnOnce(&Side, &Side) -> T,
) -> T {
    let a = Side {
        bytes: expected,
        location: &Location(suite.directory.join("manifest.json")),
        loader: suite.files.loader(),
    };
    let b = Side {
        bytes,
        location: &Location(path.clone()),
        loader: &others.loader,
    };
    act(&a, &b)
}

/// Returns how the other implementation's positions differ from the golden ones; `None` if they do not, or if one of the two files
/// is not there.
fn positions(test: &Test, suite: &Suite, others: &Others) -> Result<Option<String>, String> {
    let Some(golden) = &test.expected_positions else {
        return Ok(None);
    };
    let Some((_, found)) = others.read(&places(golden))? else {
        return Ok(None);
    };
    let expected = suite.file(golden)?;
    Ok(positions_difference(&found, &expected))
}

/// Returns the paths at which the file of a test may be, below the directory of the other implementation. The name that this program
/// gives comes before the golden file's without its directory, because that of a baked pose may be the name of a rest pose.
fn names(test: &Test) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = test
        .expected_output
        .iter()
        .flat_map(|path| places(path))
        .collect();
    let stem = document_stem(Path::new(&test.input).file_name().unwrap_or_default());
    let own = match &test.pose_id {
        Some(pose_id) if test.baked => pose_file_name(&stem, pose_id, OutputFormat::Glb),
        _ => bake_file_name(&stem, None, None, "glb"),
    };
    let beside = Path::new(&test.input)
        .parent()
        .map(|parent| parent.join(&own));
    let second = names.len().min(1);
    names.splice(second..second, beside.into_iter().chain([own.into()]));
    names
}

/// Returns a path and its last component.
fn places(path: &str) -> Vec<PathBuf> {
    let name = Path::new(path).file_name().map(PathBuf::from);
    [PathBuf::from(path)].into_iter().chain(name).collect()
}
