//! The summary of a run and its times as text for people.

use std::path::Path;
use std::time::Duration;

use super::color::{Colour, painted};
use super::render::printable;
use crate::base::paths::Slashed;
use crate::run::batch::{Figures, InputCounts, LastLine, TimingsReport};

/// Returns the summary as a sentence, in colours if `is_coloured`. Before the semicolon are inputs, each once, so that these
/// numbers add up; what else is counted follows. `input` is the word for an input.
pub fn sentence(last: &LastLine, inputs: &InputCounts, input: &str, is_coloured: bool) -> String {
    let counts = &last.summary.counts;
    let (verb, removed) = if last.dry_run {
        ("to write", "to remove")
    } else {
        ("written", "removed")
    };
    let mut written = format!("{} {verb}", inputs.written);
    let has_own_count = inputs.written > 0 && counts.written != inputs.written;
    if has_own_count {
        written += &format!(" ({})", plural(counts.written, "output"));
    }
    let count = |count, colour, word| (count, colour, format!("{count} {word}"));
    let of_inputs = [
        (inputs.written, Colour::Green, written),
        count(inputs.unchanged, Colour::None, "unchanged"),
        count(inputs.failed, Colour::Red, "failed"),
        count(inputs.skipped, Colour::None, "skipped"),
    ];
    // An input that has failed may have written some outputs all the same.
    let of_failed = if inputs.written == 0 {
        counts.written
    } else {
        0
    };
    let outputs = |count, word| {
        let text = format!("{} {word}", plural(count, "output"));
        (count, Colour::None, text)
    };
    let others = [
        outputs(of_failed, verb),
        outputs(counts.removed, removed),
        (
            counts.warnings,
            Colour::Yellow,
            plural(counts.warnings, "warning"),
        ),
    ];
    let shown = |(count, colour, text): &(usize, Colour, String)| {
        (*count > 0).then(|| painted(text, *colour, is_coloured))
    };
    let of_inputs: Vec<String> = of_inputs.iter().filter_map(shown).collect();
    let others: Vec<String> = others.iter().filter_map(shown).collect();
    let shard = last.shard.as_ref().map(|shard| format!("shard {shard}: "));
    let all = format!(
        "{}{}",
        shard.unwrap_or_default(),
        plural(counts.inputs, input)
    );
    let parts = [(": ", of_inputs), ("; ", others)];
    let parts = parts.iter().filter(|(_, texts)| !texts.is_empty());
    let parts = parts.map(|(before, texts)| format!("{before}{}", texts.join(", ")));
    std::iter::once(all).chain(parts).collect()
}

/// Returns a number with a word in the singular or the plural.
pub fn plural(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Returns what a user may do next about the findings of a run: their codes explained, and a page with all of them unless the run has
/// written one. `None` if there is nothing to do.
pub fn next_step(codes: &[&str], has_failed: bool, has_list: bool) -> Option<String> {
    let shown = &codes[..codes.len().min(3)];
    let explain = format!(
        "`rigy-batch explain {}` says what is wrong",
        shown.join(" ")
    );
    let explain = (!shown.is_empty()).then_some(explain);
    let list = "`--html report.html` lists all findings".to_owned();
    let list = (has_failed && !has_list).then_some(list);
    let steps: Vec<String> = explain.into_iter().chain(list).collect();
    (!steps.is_empty()).then(|| format!("Next: {}", steps.join("; ")))
}

/// Most names of removed files that are printed.
const MOST: usize = 20;

/// Returns the names of files that were removed, a line for each.
pub fn removed_files<'p>(paths: impl Iterator<Item = &'p Path>) -> String {
    let paths: Vec<&Path> = paths.collect();
    let line = |path: &&Path| format!("removed `{}`\n", printable(&path.shown()));
    let mut text: String = paths.iter().take(MOST).map(line).collect();
    if paths.len() > MOST {
        let more = paths.len() - MOST;
        text += &format!("… and {more} more; `--format json` has them all\n");
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
    text += "slowest:";
    for slow in &timings.slowest {
        let name = printable(&slow.input);
        text += &format!("\n{:>9}  {name}", duration(slow.seconds));
    }
    text
}

/// Returns a number of seconds with a unit, in about three digits.
pub fn duration(seconds: f64) -> String {
    let whole = seconds as u64;
    match seconds {
        s if s >= 3600.0 => format!("{} h {} min", whole / 3600, whole / 60 % 60),
        s if s >= 100.0 => format!("{} min {} s", whole / 60, whole % 60),
        s if s >= 10.0 => format!("{s:.1} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 0.01 => format!("{:.1} ms", s * 1e3),
        s if s >= 0.001 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

/// Returns a time in whole seconds, and from 100 seconds on as [`duration`] does.
pub fn whole_seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds => duration(seconds as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::batch::Summary;

    #[test]
    fn the_inputs_of_a_summary_add_up() {
        let said = |counts: [usize; 4], outputs: Summary, dry_run| {
            let [written, unchanged, failed, skipped] = counts;
            let inputs = InputCounts {
                written,
                unchanged,
                failed,
                skipped,
            };
            let inputs_in_all = counts.iter().sum();
            let outputs = Summary {
                inputs: inputs_in_all,
                ..outputs
            };
            let last = LastLine {
                dry_run,
                ..LastLine::of(outputs)
            };
            sentence(&last, &inputs, "file", false)
        };
        let outputs = |written, removed, warnings| Summary {
            written,
            removed,
            warnings,
            ..Summary::default()
        };
        for (counts, outputs, dry_run, expected) in [
            ([1, 0, 0, 0], outputs(1, 0, 0), false, "1 file: 1 written"),
            (
                [2, 0, 0, 0],
                outputs(5, 0, 1),
                false,
                "2 files: 2 written (5 outputs); 1 warning",
            ),
            (
                [0, 3, 0, 0],
                outputs(0, 0, 0),
                false,
                "3 files: 3 unchanged",
            ),
            (
                [1, 3, 1, 2],
                outputs(1, 2, 0),
                false,
                "7 files: 1 written, 3 unchanged, 1 failed, 2 skipped; 2 outputs removed",
            ),
            (
                [0, 0, 1, 0],
                outputs(1, 0, 0),
                false,
                "1 file: 1 failed; 1 output written",
            ),
            (
                [1, 0, 0, 0],
                outputs(2, 1, 0),
                true,
                "1 file: 1 to write (2 outputs); 1 output to remove",
            ),
            ([0, 0, 0, 0], outputs(0, 0, 0), false, "0 files"),
        ] {
            assert_eq!(said(counts, outputs, dry_run), expected);
        }
    }

    #[test]
    fn the_next_step_is_about_what_was_found() {
        let page = "`--html report.html` lists all findings";
        assert_eq!(next_step(&[], false, false), None);
        assert_eq!(next_step(&[], true, true), None);
        assert_eq!(next_step(&[], true, false), Some(format!("Next: {page}")));
        let explain = "`rigy-batch explain W07` says what is wrong";
        assert_eq!(
            next_step(&["W07"], false, false),
            Some(format!("Next: {explain}"))
        );
        let codes = next_step(&["A", "B", "C", "D"], true, false).unwrap();
        assert_eq!(
            codes,
            format!("Next: `rigy-batch explain A B C` says what is wrong; {page}")
        );
    }

    #[test]
    fn times_have_about_three_digits() {
        for (seconds, expected) in [
            (0.000_012_34, "12.3 µs"),
            (0.001_234, "1.23 ms"),
            (0.0145, "14.5 ms"),
            (1.234, "1.23 s"),
            (12.34, "12.3 s"),
            (125.9, "2 min 5 s"),
            (3725.0, "1 h 2 min"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(whole_seconds(Duration::from_millis(12_999)), "12 s");
        assert_eq!(whole_seconds(Duration::from_secs(125)), "2 min 5 s");
    }
}
