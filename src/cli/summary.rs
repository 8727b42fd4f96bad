//! The summary of a run and its times as text for people.

use std::path::Path;

use super::color::{Colour, painted};
use super::printer::{Listing, Table, at_most, duration, plural};
use super::render::printable;
use crate::run::batch::{InputCounts, LastLine, StageFigures, TimingsReport};
use rigy_base::paths::Slashed;

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
    // A run that writes nothing does not name those that would stay.
    let unchanged = if last.dry_run && counts.unchanged != inputs.unchanged {
        counts.unchanged
    } else {
        0
    };
    let outputs = |count, word| {
        let text = format!("{} {word}", plural(count, "output"));
        (count, Colour::None, text)
    };
    let others = [
        outputs(of_failed, verb),
        outputs(unchanged, "unchanged"),
        outputs(counts.removed, removed),
        (
            counts.warnings,
            Colour::Yellow,
            plural(counts.warnings, "warning"),
        ),
    ];
    let mut sentence = last
        .shard
        .as_ref()
        .map(|shard| format!("shard {shard}: "))
        .unwrap_or_default()
        + &plural(counts.inputs, input);
    for (before, counted) in [(": ", &of_inputs[..]), ("; ", &others)] {
        let shown = counted.iter().filter(|(count, ..)| *count > 0);
        let texts: Vec<String> = shown
            .map(|(_, colour, text)| painted(text, *colour, is_coloured))
            .collect();
        if !texts.is_empty() {
            sentence += &format!("{before}{}", texts.join(", "));
        }
    }
    sentence
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
    let line = |path: &&Path| format!("removed `{}`", printable(&path.shown()));
    at_most(MOST, &paths, line)
        .iter()
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Returns times as tables.
pub fn times(timings: &TimingsReport) -> String {
    let mut rows = timings.stages.clone();
    rows.push(StageFigures {
        stage: "all",
        figures: timings.inputs,
    });
    let mut lines = Listing::new(None);
    lines.table(
        Table::of(&rows)
            .text("stage", |row| row.stage)
            .number("p50", |row| duration(row.figures.p50))
            .number("p99", |row| duration(row.figures.p99))
            .number("max", |row| duration(row.figures.max))
            .number("total", |row| duration(row.figures.total)),
    );
    lines.line("slowest:");
    lines.list(
        Table::of(&timings.slowest)
            .number("", |slow| duration(slow.seconds))
            .text("", |slow| &slow.input),
    );
    lines.finish()
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
}
