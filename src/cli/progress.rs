//! The progress bar of a run on standard error.

mod time_left;

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::printer::whole_seconds;
use super::{color, width};
use crate::io::len_for_estimate;
use crate::run::batch::{Batch, Progress, Work};
use rigy_base::sync::Mutex;
use time_left::TimeLeft;

/// The time between two drawings.
const INTERVAL: Duration = Duration::from_millis(100);

/// The columns that counts and times take beside the bar.
const TEXT: usize = 64;

/// Returns a progress bar for `count` things that take about the same time; a hidden one if standard error is no terminal or a
/// dumb one, or if `quiet`.
pub fn progress(count: usize, quiet: bool) -> ProgressBar {
    if is_shown(quiet) {
        bar(count, None)
    } else {
        ProgressBar::hidden()
    }
}

/// Returns the same for the inputs of a batch, and for one alone with its frames. Bar and time left are those of the work.
pub fn progress_of(batch: &Batch<impl Work>, quiet: bool) -> ProgressBar {
    if !is_shown(quiet) {
        return ProgressBar::hidden();
    }
    let progress = batch.progress();
    let paths: Vec<PathBuf> = batch
        .inputs()
        .iter()
        .map(|found| found.path.clone())
        .collect();
    let to = progress.clone();
    // On a slow file system this takes long. Until it is done, and if there is no thread for it, no time is shown.
    drop(
        std::thread::Builder::new()
            .spawn(move || to.set_lengths(paths.iter().map(|path| len_for_estimate(path)))),
    );
    bar(batch.len(), Some(progress))
}

fn is_shown(quiet: bool) -> bool {
    !quiet && !color::is_dumb() && std::io::stderr().is_terminal()
}

fn bar(count: usize, progress: Option<Arc<Progress>>) -> ProgressBar {
    let columns = bar_width(width::of_standard_error());
    let text = if columns == 0 {
        "{pos}/{len}{frames}{prefix}{msg} {took}"
    } else {
        "{work} {pos}/{len}{frames}{prefix}{msg} {took}{left}"
    };
    let style = ProgressStyle::with_template(text).unwrap_or_else(|_| ProgressStyle::default_bar());
    let work_of = move |progress: Option<&Progress>, state: &ProgressState| match progress {
        Some(progress) => progress.work(),
        None => Some((state.pos() as f64, state.len().unwrap_or(0) as f64)),
    };
    let (for_bar, for_frames) = (progress.clone(), progress.clone());
    let work = move |state: &ProgressState, out: &mut dyn Write| {
        let (done, total) = work_of(for_bar.as_deref(), state).unwrap_or_default();
        let _ = out.write_str(&drawn(done, total, columns));
    };
    let frames = move |_: &ProgressState, out: &mut dyn Write| {
        let (made, planned) = for_frames.as_ref().map_or((0, 0), |of| of.frames());
        if count == 1 && planned > 1 {
            let _ = write!(out, " (step {made} of {planned})");
        }
    };
    let took = |state: &ProgressState, out: &mut dyn Write| {
        let _ = out.write_str(&whole_seconds(state.elapsed()));
    };
    let estimate = Arc::new(Mutex::new(TimeLeft::default()));
    let style = style
        .with_key("work", work)
        .with_key("frames", frames)
        .with_key("took", took)
        .with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
            let mut estimate = estimate.lock();
            let left = work_of(progress.as_deref(), state)
                .and_then(|(done, total)| estimate.feed(state.elapsed(), done, total));
            if let Some(left) = left {
                let left = Duration::from_secs_f64(left.as_secs_f64().ceil());
                let _ = write!(out, " (about {} left)", whole_seconds(left));
            }
        });
    let bar = ProgressBar::new(count as u64).with_style(style);
    bar.enable_steady_tick(INTERVAL);
    bar
}

/// Returns the columns of the bar on a terminal of this width: the bar gives way to counts and times, and where there is no room
/// for it, there is none for the time that is left.
fn bar_width(width: Option<usize>) -> usize {
    let columns = width.map_or(40, |width| width.saturating_sub(TEXT).min(40));
    if columns < 5 { 0 } else { columns }
}

/// Returns the bar itself.
fn drawn(done: f64, total: f64, columns: usize) -> String {
    let part = if total > 0.0 { done / total } else { 0.0 };
    let full = ((part * columns as f64) as usize).min(columns);
    "█".repeat(full) + &"░".repeat(columns - full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_gives_way_to_the_text() {
        assert_eq!(bar_width(Some(200)), 40);
        assert_eq!(bar_width(Some(80)), 16);
        assert_eq!(bar_width(None), 40);
        for width in [20, 40, 60] {
            assert_eq!(bar_width(Some(width)), 0, "{width}");
        }
    }

    #[test]
    fn the_bar_shows_work() {
        assert_eq!(drawn(0.0, 0.0, 4), "░░░░");
        assert_eq!(drawn(3.0, 8.0, 4), "█░░░");
        assert_eq!(drawn(9.0, 8.0, 4), "████");
    }
}
