//! The place that pictures go to: one sheet, a directory, or beside the files; and the limit on pixels that are kept for a sheet.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::pictures::{Options, Pictures, Work};
use super::share::states;
use crate::cli::interrupt;
use crate::cli::named::{Named, named};
use crate::cli::output::Output;
use crate::cli::render::printable;
use crate::cli::report::{begins_with, check_not_read, check_replaced};
use crate::cli::status::Result;
use crate::io::{self as files, Draft, Found, IoError, Sink, Staged, Target};
use crate::run::batch::gltf_stem;
use rigy_base::paths::Slashed;
use rigy_view::picture::{MAX_PIXELS, Panel, check_sheet, sheet_png};

/// The first bytes of every PNG.
const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// The word for a sheet in messages.
const KIND: &str = "PNG";

/// The place that pictures go to.
pub enum Destination {
    /// One sheet for all files.
    Sheet(files::Destination),
    /// A sheet for each file, below this directory.
    Directory(PathBuf, Sink),
    /// A sheet for each file, beside it.
    Beside,
}

impl Destination {
    /// Returns the place that `-o` names, or that beside the files. `read` are the files of the run, which are not replaced.
    ///
    /// # Errors
    /// If nothing can be written there, or it is a file that must not be replaced.
    pub fn of(output: Option<&Path>, read: &[&Path]) -> Result<Self> {
        let Some(path) = output else {
            return Ok(Self::Beside);
        };
        if path == Path::new("-") || named("-o", path, &["png", "PNG"])? == Named::File {
            let destination = files::Destination::of(path)?;
            if let files::Destination::File(file) = &destination {
                check_may_be_replaced(file, read)?;
            }
            return Ok(Self::Sheet(destination));
        }
        let sink = Sink::new(path, false)?;
        Ok(Self::Directory(path.to_owned(), sink))
    }

    /// Returns true if all files share one sheet.
    pub fn is_one_sheet(&self) -> bool {
        matches!(self, Self::Sheet(_))
    }

    /// Returns true if the result goes to standard output.
    pub fn is_printed(&self) -> bool {
        matches!(self, Self::Sheet(files::Destination::StandardOutput))
    }

    /// Writes the sheet of a file, if it has one of its own and there are pictures, and returns the rest; otherwise returns the
    /// pictures as they are.
    ///
    /// # Errors
    /// If the sheet cannot be written.
    pub fn put(
        &self,
        found: &Found,
        mut pictures: Pictures,
        options: &Options,
    ) -> Result<Pictures> {
        let place = match self {
            Self::Sheet(_) => return Ok(pictures),
            Self::Directory(directory, _) => directory.join(found.relative()),
            Self::Beside => found.path.clone(),
        };
        let panels = std::mem::take(&mut pictures.panels);
        if panels.is_empty() {
            let path = found.path.slashed();
            let note = format!("{path}: no picture is written, because it has no pose of `--pose`");
            pictures.notes.push(note);
            return Ok(pictures);
        }
        let delay = options.delay();
        let is_numbered = delay.is_some() && matches!(self, Self::Directory(..));
        let in_one = if is_numbered { 1 } else { panels.len() };
        for (number, panels) in panels.chunks(in_one).enumerate() {
            let mut path = place.clone().into_os_string();
            if is_numbered {
                path.push(format!(".{number:04}"));
            }
            path.push(".png");
            let path = PathBuf::from(path);
            check_may_be_replaced(&path, &[&found.path])?;
            let bytes = sheet_png(panels, pictures.scale, options.scenery.background, delay)?;
            self.write_one(&path, &bytes)?;
            pictures.written = matches!(self, Self::Beside).then_some(path);
        }
        Ok(pictures)
    }

    fn write_one(&self, path: &Path, bytes: &[u8]) -> Result<(), IoError> {
        let Self::Directory(_, sink) = self else {
            return Draft::beside(path, false)?.finish(bytes);
        };
        let staged = sink.stage(Target::new(path), |out| out.write_all(bytes))?;
        Staged::prepare([&staged])?;
        staged.commit().map(drop)
    }

    /// Writes the sheet of all files, or prints the paths of those that lie beside files. Writes nothing without pictures.
    ///
    /// # Errors
    /// If the sheet is too large, or cannot be written.
    pub fn finish(
        self,
        pictures: Vec<Pictures>,
        options: &Options,
        out: &mut Output,
    ) -> Result<()> {
        let Self::Sheet(destination) = self else {
            let written = pictures
                .iter()
                .filter_map(|of_file| of_file.written.as_ref());
            written.for_each(|path| out.line(&printable(&path.shown())));
            return Ok(());
        };
        let scale = pictures.iter().find_map(|of_file| of_file.scale);
        let panels = pictures.into_iter().flat_map(|of_file| of_file.panels);
        let panels: Vec<Panel> = panels.collect();
        if panels.is_empty() {
            return Ok(());
        }
        let bytes = sheet_png(&panels, scale, options.scenery.background, options.delay())?;
        match Draft::to(&destination, false, interrupt::is_interrupted)? {
            Some(draft) => draft.finish(&bytes)?,
            None => out.bytes(&bytes),
        }
        Ok(())
    }
}

/// Checks that the file at `path`, if there is one, is a PNG or empty, and none of those that are read.
fn check_may_be_replaced(path: &Path, read: &[&Path]) -> Result<()> {
    check_not_read(path, read.iter().copied())?;
    check_replaced(path, path, KIND, |file| begins_with(file, SIGNATURE)).map(drop)
}

/// All pictures together have more than [`MAX_PIXELS`].
#[derive(Debug, thiserror::Error)]
#[error(
    "the pictures would have more than {MAX_PIXELS} pixels together; take fewer files or a smaller `--size`, or name a directory after `-o`"
)]
pub struct TooManyPixels;

impl Work<'_> {
    /// Checks, before any file is drawn, the number of pixels that will be kept until the end. Documents with errors and
    /// files whose own sheet is too large count nothing; glTF files are not read.
    ///
    /// # Errors
    /// If there will be too many.
    pub fn check_all(&self, found: &[Found]) -> Result<(), TooManyPixels> {
        if self.kept_pixels.is_none() || found.len() < 2 {
            return Ok(());
        }
        let pixels = |found: &Found| {
            // A panic is reported when the file is drawn.
            let count = catch_unwind(AssertUnwindSafe(|| self.state_count(found)))
                .ok()
                .flatten()
                .unwrap_or(0);
            let size = self.options.size;
            let is_drawn = check_sheet(count, size).is_ok();
            if is_drawn { count * size * size } else { 0 }
        };
        let pixels: usize = found.par_iter().map(pixels).sum();
        check_pixels(pixels as u64)
    }

    /// Returns the number of states in which a file is shown; `None` for a document with errors.
    fn state_count(&self, found: &Found) -> Option<usize> {
        let name = found.path.file_name()?;
        let poses = if gltf_stem(name) == name {
            self.open(found).ok()?.checked_pose_ids()?
        } else {
            None
        };
        Some(states(self.options, poses.as_deref()).len())
    }

    /// Counts pixels that are kept until the end.
    ///
    /// # Errors
    /// If there are too many, which ends the run.
    pub fn keep(&self, pixels: usize) -> Result<(), TooManyPixels> {
        if let Some(kept) = &self.kept_pixels {
            kept.fetch_add(pixels as u64, Ordering::Relaxed);
        }
        self.check_kept()
    }

    /// Checks the number of pixels that are kept until the end.
    ///
    /// # Errors
    /// If there are too many.
    pub fn check_kept(&self) -> Result<(), TooManyPixels> {
        let kept = self.kept_pixels.as_ref();
        check_pixels(kept.map_or(0, |kept| kept.load(Ordering::Relaxed)))
    }
}

fn check_pixels(pixels: u64) -> Result<(), TooManyPixels> {
    if pixels > MAX_PIXELS as u64 {
        Err(TooManyPixels)
    } else {
        Ok(())
    }
}
