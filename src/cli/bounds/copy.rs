//! The copy of a file with its bounds.

use std::path::Path;

use super::FileBounds;
use crate::cli::Fatal;
use crate::cli::opened::Opened;
use crate::inspect::bounds_copy::{self, with_bounds};
use crate::io::{Durability, Sink, Target, identity};

/// Refuses a copy that would replace the file, or that would not find what the file refers to.
///
/// # Errors
/// If it would.
pub(super) fn check(file: &Path, copy: &Path) -> Result<(), Fatal> {
    let shown = copy.display();
    if identity(file) == identity(copy) {
        return Err(format!("`{shown}` is the file itself; `--write` takes another name").into());
    }
    if copy.is_dir() {
        return Err(format!("`{shown}` is a directory; `--write` takes the name of a file").into());
    }
    let extension = |path: &Path| path.extension().map(|end| end.to_ascii_lowercase());
    if extension(file) != extension(copy) {
        return Err(
            format!("`{shown}` must have the extension of the file that it is a copy of").into(),
        );
    }
    let directory = |path: &Path| path.parent().map(identity);
    let refers = extension(file).is_some_and(|end| end == "gltf");
    if refers && directory(file) != directory(copy) {
        return Err(format!(
            "`{shown}` must be in the directory of the file, whose references to other files lead from there"
        )
        .into());
    }
    Ok(())
}

/// Writes the copy.
///
/// # Errors
/// If it cannot be made or written.
pub(super) fn write(opened: &Opened, copy: &Path, bounds: &FileBounds) -> Result<(), Fatal> {
    let bounds = bounds_copy::FileBounds {
        clips: bounds
            .clips
            .iter()
            .map(|clip| (clip.index, &clip.bounds))
            .collect(),
        all: bounds.all,
        fps: bounds.fps,
    };
    let bytes = with_bounds(&opened.bytes, &bounds)?;
    let parent = copy
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    let sink = Sink::new(directory, Durability::None)?;
    let staged = sink.stage(Target::new(copy), |file| file.write_all(&bytes))?;
    staged.commit()?;
    Ok(())
}
