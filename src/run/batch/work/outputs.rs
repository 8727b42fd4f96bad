//! The outputs of a document, and checks that they can be written.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::content::OutputFormat;
#[cfg(feature = "cli")]
use super::names::document_stem;
use super::names::{bake_file_name, pose_file_name};
use crate::io::{FileId, identity};
use crate::run::batch::conflicts::sources::Sources;
use crate::run::batch::conflicts::{claimed_twice, folded};
use crate::run::batch::outcome::{OutputRecord, export_error};
use rigy_base::diag::{Diagnosed, check_none};
use rigy_base::maps::HashSet;
use rigy_base::paths::Slashed;

/// Returns the records of a document's outputs: the export, then a file of each pose in each format.
pub fn wanted_outputs<'p>(
    stem: &OsStr,
    directory: &Path,
    pose_ids: impl Iterator<Item = &'p String>,
    formats: &[OutputFormat],
) -> Vec<OutputRecord> {
    let place = |name| Some(directory.join(name));
    let export = OutputRecord::new(
        None,
        OutputFormat::Glb,
        place(bake_file_name(stem, None, None, "glb")),
    );
    let of_poses = pose_ids.flat_map(|id| {
        let record = |format: &OutputFormat| {
            let path = place(pose_file_name(stem, id, *format));
            OutputRecord::new(Some(id.clone()), *format, path)
        };
        formats.iter().map(record)
    });
    std::iter::once(export).chain(of_poses).collect()
}

/// Checks that the outputs of one input have different names on every file system, also where case does not count.
pub fn check_pose_clashes(records: &[OutputRecord], name: &str) -> Diagnosed<()> {
    let paths = records
        .iter()
        .filter_map(|record| Some((record.pose.as_deref(), record.path.clone()?)));
    let called = |pose: Option<&str>| match pose {
        Some(id) => format!("pose `{id}`"),
        None => "the export".to_owned(),
    };
    let clash = |(owner, second, path): (Option<&str>, Option<&str>, PathBuf)| {
        let (first, second) = (called(owner), called(second));
        let message = format!("{first} and {second} would both write `{}`", path.slashed());
        let help = "rename one of them; case does not count in file names everywhere";
        let error = export_error(name, message).help(help);
        match owner {
            Some(id) => error.of_pose(id),
            None => error,
        }
    };
    check_none(claimed_twice(paths).into_iter().map(clash).collect())
}

/// Checks that the GLBs of a document, which lie beside it, have different names, as [`check_pose_clashes`] does.
#[cfg(feature = "cli")]
pub fn pose_clashes(document: &Path, pose_ids: &[String], name: &str) -> Diagnosed<()> {
    let stem = document_stem(document.file_name().unwrap_or_default());
    let directory = rigy_base::paths::parent_of(document);
    let records = wanted_outputs(&stem, directory, pose_ids.iter(), &[OutputFormat::Glb]);
    check_pose_clashes(&records, name)
}

/// Returns the paths of outputs, each with the index of its output.
fn paths(records: &[OutputRecord]) -> impl Iterator<Item = (usize, &PathBuf)> {
    let records = records.iter().enumerate();
    records.filter_map(|(index, record)| Some((index, record.path.as_ref()?)))
}

/// Checks that no output takes the path of a file that the input refers to and that is not there: the next run would take the
/// output for that file.
pub fn check_absent<'p>(
    records: &[OutputRecord],
    absent: impl Iterator<Item = &'p Path>,
    name: &str,
) -> Diagnosed<()> {
    let place = |path: &Path| folded(identity(path).as_os_str());
    let absent: HashSet<String> = absent.map(place).collect();
    if absent.is_empty() {
        return Ok(());
    }
    let taken = paths(records).filter(|(_, path)| absent.contains(&place(path)));
    let refused = |(index, path): (usize, &PathBuf)| {
        let shown = path.slashed();
        let message = format!(
            "`{shown}` would be in the place of a file that it refers to, which is not there"
        );
        let error = export_error(name, message).help("write elsewhere with `-o`");
        error.of_output(index)
    };
    check_none(taken.map(refused).collect())
}

/// Checks that no output replaces a file that the input is made from, or another input of the run.
pub fn check_overwritten<'p>(
    records: &[OutputRecord],
    made_from: impl Iterator<Item = &'p Path>,
    sources: &Sources,
    name: &str,
) -> Diagnosed<()> {
    let made_from: Vec<&Path> = made_from.collect();
    let table = OnceCell::new();
    let fault = |path: &PathBuf| -> io::Result<Option<String>> {
        let shown = path.slashed();
        let Some(file) = FileId::existing(path)? else {
            return Ok(None);
        };
        if Sources::is_one_of(file, &made_from, &table) {
            let message = format!("`{shown}` would replace a file that it is made from");
            return Ok(Some(message));
        }
        let input = sources.input_that_is(file).map(Slashed::slashed);
        Ok(input.map(|input| {
            format!("`{shown}` would replace the input `{input}`, which is the same file")
        }))
    };
    let refused = |(index, path): (usize, &PathBuf)| {
        let help = "rename that file, or write elsewhere with `-o`";
        let error = |message| export_error(name, message).help(help).of_output(index);
        fault(path).map_or_else(
            |failure| {
                let shown = path.slashed();
                let message =
                    format!("`{shown}` is there, and may be an input by another path: {failure}");
                Some(error(message).caused_by(&failure))
            },
            |message| message.map(error),
        )
    };
    check_none(paths(records).filter_map(refused).collect())
}
