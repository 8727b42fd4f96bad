//! Progress bars on standard error.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::{color, width};
use crate::run::batch::FramesMade;

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
