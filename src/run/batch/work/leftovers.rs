//! Frames of an earlier run that this run does not make: told of, or removed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::JobContext;
use super::bake_plan::ClipPlan;
use super::frames::MAX_FRAMES;
use super::names::bake_file_name;
use super::standing::is_baked;
use crate::base::diag::{Code, Diagnostic, Span};
use crate::io::is_missing;

/// The numbers of digits that names of frames have.
const WIDTHS: std::ops::RangeInclusive<usize> = 4..=7;

/// Returns the frames of an animation that lie in `directory`, follow or precede those of the plan without a gap, and were baked by
/// this program; the names begin with `stem`. Frames with another number of digits are of an earlier run, too.
pub(crate) fn leftovers(
    plan: &ClipPlan,
    (directory, stem, beside): (&Path, &OsStr, bool),
) -> Vec<PathBuf> {
    let Some((numbers, own_width)) = plan.numbers() else {
        return Vec::new();
    };
    let there = |width: usize, number: u32| {
        let frame = format!("{number:0width$}");
        let path = directory.join(bake_file_name(
            stem,
            beside,
            plan.label.as_deref(),
            Some(&frame),
            "glb",
        ));
        (!is_missing(&path)).then_some(path)
    };
    let mut found = Vec::new();
    for width in WIDTHS {
        let later = match width == own_width {
            true => numbers.end().saturating_add(1),
            false => *numbers.start(),
        };
        let earlier = (0..*numbers.start())
            .rev()
            .map_while(|number| there(width, number));
        let mut earlier: Vec<PathBuf> = earlier.take(MAX_FRAMES as usize).collect();
        earlier.reverse();
        found.extend(earlier);
        let later = (later..=u32::MAX).map_while(|number| there(width, number));
        found.extend(later.take(MAX_FRAMES as usize));
    }
    found.retain(|path| is_baked(path));
    found
}

/// Returns the warning (W14) that frames of an earlier run lie beside those of this run.
pub(crate) fn leftover_warning(frames: &[PathBuf], job: &JobContext<'_>) -> Option<Diagnostic> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().display().to_string();
    let (first, last) = (frames.first()?, frames.last()?);
    let message = match frames.len() {
        1 => format!(
            "`{}` is a frame of an earlier run, which this run has not made",
            name(first)
        ),
        count => format!(
            "{count} frames from `{}` to `{}` are of an earlier run; this run has not made them",
            name(first),
            name(last)
        ),
    };
    let help = "`--prune` removes those that the cache knows, unless they have been changed";
    Some(
        Diagnostic::new(Code::W14, Span::default(), message)
            .help(help)
            .about_file(job.name),
    )
}
