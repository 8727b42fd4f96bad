//! The progress of a run, and its summary and times as text for people.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::render::printable;
use super::{color, width};
use crate::run::batch::{Figures, FramesMade, LastLine, TimingsReport};

/// Returns the summary as a sentence.
pub fn sentence(last: &LastLine, input: &str, dry_run: bool) -> String {
    let summary = &last.summary.counts;
    let plural =
        |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let verb = if dry_run { "to write" } else { "written" };
    let mut parts = vec![format!("{} {verb}", summary.written)];
    if summary.unchanged > 0 {
        parts.push(format!("{} unchanged", summary.unchanged));
    }
    if summary.failed > 0 {
        parts.push(format!("{} failed", summary.failed));
    }
    if summary.skipped > 0 {
        parts.push(format!("{} skipped", summary.skipped));
    }
    if summary.removed > 0 {
        let verb = if dry_run { "to remove" } else { "removed" };
        parts.push(format!("{} {verb}", summary.removed));
    }
    if summary.warnings > 0 {
        parts.push(plural(summary.warnings, "warning"));
    }
    let inputs = plural(summary.inputs, input);
    let inputs = match &last.shard {
        Some(shard) => format!("shard {shard}: {inputs}"),
        None => inputs,
    };
    format!("{inputs}: {}", parts.join(", "))
}

/// Most names of removed files that are printed.
const MOST: usize = 20;

/// Returns the names of files that were removed, a line for each.
pub fn removed_files<'p>(paths: impl Iterator<Item = &'p Path>) -> String {
    let paths: Vec<&Path> = paths.collect();
    let line = |path: &&Path| format!("removed `{}`\n", printable(&path.display().to_string()));
    let mut text: String = paths.iter().take(MOST).map(line).collect();
    if paths.len() > MOST {
        let more = paths.len() - MOST;
        text.push_str(&format!(
            "… and {more} more; `--format json` has them all\n"
        ));
    }
    text
}

/// Returns times as a table.
pub fn table(timings: &TimingsReport) -> String {
    let head = ["", "p50", "p99", "max", "total"].map(str::to_owned);
    let row = |name: &str, figures: &Figures| {
        let Figures {
            p50,
            p99,
            max,
            total,
        } = *figures;
        let [p50, p99, max, total] = [p50, p99, max, total].map(duration);
        [name.to_owned(), p50, p99, max, total]
    };
    let stages = timings.stages.iter();
    let stages = stages.map(|stage| row(stage.stage, &stage.figures));
    let all = row("all", &timings.inputs);
    let rows = std::iter::once(head).chain(stages).chain([all]);
    let line = |[name, p50, p99, max, total]: [String; 5]| {
        format!("{name:6}{p50:>9}{p99:>9}{max:>9}{total:>9}\n")
    };
    let mut text: String = rows.map(line).collect();
    text.push_str("slowest:");
    for slow in &timings.slowest {
        let name = printable(&slow.input);
        text.push_str(&format!("\n{:>9}  {name}", duration(slow.seconds)));
    }
    text
}

/// Returns a number of seconds with a unit, in about three digits.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 10.0 => format!("{s:.1} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 0.01 => format!("{:.1} ms", s * 1e3),
        s if s >= 0.001 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} us", s * 1e6),
    }
}

/// Returns a progress bar on standard error; a hidden one if that is no terminal or a dumb one, or if `quiet`.
pub fn progress(count: usize, quiet: bool) -> ProgressBar {
    progress_with_frames(count, quiet, Arc::default())
}

/// Returns the same with a count of frames, as long as there are any. It is drawn ten times a second.
pub fn progress_with_frames(count: usize, quiet: bool, frames: Arc<FramesMade>) -> ProgressBar {
    if quiet || color::is_dumb() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&template(width::of_standard_error()));
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let write = move |_: &ProgressState, out: &mut dyn Write| {
        let (made, planned) = frames.counts();
        if planned > 0 {
            let _ = write!(out, " (frame {made} of {planned})");
        }
    };
    let bar = ProgressBar::new(count as u64).with_style(style.with_key("frames", write));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// The columns that counts and times take beside the bar.
const TEXT: usize = 58;

/// Returns what the line shows on a terminal of this width: the bar gives way to counts and times, and then the time that is
/// left does.
fn template(width: Option<usize>) -> String {
    let bar = width.map_or(40, |width| width.saturating_sub(TEXT).min(40));
    match bar {
        0..5 => "{pos}/{len}{frames} {elapsed}".to_owned(),
        bar => format!("{{bar:{bar}}} {{pos}}/{{len}}{{frames}} {{elapsed}} (about {{eta}} left)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_gives_way_to_the_text() {
        assert!(template(Some(200)).starts_with("{bar:40} "));
        assert!(template(Some(80)).starts_with("{bar:22} "));
        assert!(template(None).starts_with("{bar:40} "));
        for width in [20, 40, 60] {
            assert!(!template(Some(width)).contains("bar"), "{width}");
        }
    }
}
