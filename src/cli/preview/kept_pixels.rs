//! The limit on the pixels of all pictures together, where they are kept until the end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::pictures::Work;
use super::states::states;
use crate::cli::opened::Opened;
use crate::io::Found;
use crate::run::batch::gltf_stem;
use crate::view::picture::{MAX_PIXELS, check_sheet};

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
            let count = catch_unwind(AssertUnwindSafe(|| self.state_count(found)));
            let count = count.ok().flatten().unwrap_or(0);
            let size = self.options.size;
            let is_drawn = check_sheet(count, size).is_ok();
            if is_drawn { count * size * size } else { 0 }
        };
        let pixels: usize = found.par_iter().map(pixels).sum();
        match pixels > MAX_PIXELS {
            true => Err(TooManyPixels),
            false => Ok(()),
        }
    }

    /// Returns the number of states in which a file is shown; `None` for a document with errors.
    fn state_count(&self, found: &Found) -> Option<usize> {
        let name = found.path.file_name()?;
        let poses = match gltf_stem(name) == name {
            true => Opened::new(found).ok()?.checked_pose_ids()?,
            false => None,
        };
        Some(states(self.options, poses.as_deref()).len())
    }

    /// Counts pixels that are kept until the end.
    ///
    /// # Errors
    /// If there are too many, which ends the run.
    pub fn keep(&self, pixels: usize) -> Result<(), TooManyPixels> {
        let kept = self.kept_pixels.as_ref();
        kept.map(|kept| kept.fetch_add(pixels as u64, Ordering::Relaxed));
        self.check_kept()
    }

    /// Checks the number of pixels that are kept until the end.
    ///
    /// # Errors
    /// If there are too many.
    pub fn check_kept(&self) -> Result<(), TooManyPixels> {
        let kept = self.kept_pixels.as_ref();
        match kept.map_or(0, |kept| kept.load(Ordering::Relaxed)) > MAX_PIXELS as u64 {
            true => Err(TooManyPixels),
            false => Ok(()),
        }
    }
}
