//! A plan for people.

use super::figures::Planned;
use crate::cli::Output;
use crate::cli::render::printable;
use crate::cli::summary::duration;
use crate::io::ListedKind;
use crate::run::plan::Estimate;

/// Prints a plan.
pub(super) fn print(out: &mut Output, plan: &Planned) {
    let word = match plan.kind {
        ListedKind::Documents => "document",
        ListedKind::Files => "file",
    };
    let shards = &plan.shards;
    let hours = |hours: f64| time(hours * 3600.0);
    out.line(&format!(
        "inputs    {}, {}",
        plural(plan.inputs.count, word),
        bytes(plan.inputs.bytes as f64)
    ));
    let failed = match plan.sample.failed {
        0 => String::new(),
        count => format!(", of which {count} failed"),
    };
    let took = duration(plan.sample.seconds);
    out.line(&format!(
        "sample    {}{failed}, {took} on one thread",
        plural(plan.sample.count as u64, word)
    ));
    out.line(&format!(
        "work      {} of one processor ({})",
        hours(plan.core_hours.estimate),
        range(plan.core_hours, hours)
    ));
    let count = |number: f64| format!("{number:.0}");
    let (files, len) = (plan.outputs.count, plan.outputs.bytes);
    out.line(&format!(
        "outputs   {} files ({}), {} ({})",
        count(files.estimate),
        range(files, count),
        bytes(len.estimate),
        range(len, bytes)
    ));
    let cores = plural(shards.cores.into(), "processor");
    let start = duration(shards.start_seconds);
    out.line(&format!(
        "shards    {} of {cores}: {} each, the longest about {}, {start} of them to start",
        shards.count,
        hours(shards.hours),
        hours(shards.longest_hours)
    ));
    out.line(&format!(
        "objects   {}, one for each output",
        plan.objects.files
    ));
    for cost in &plan.costs {
        let name = match cost.engine.as_str() {
            "" => "cost".to_owned(),
            engine => printable(engine),
        };
        let [compute, all, month] = [cost.compute, cost.with_files, cost.month].map(money);
        out.line(&format!(
            "{name:<9} {all} ({compute} for processors); {month} a month of storage"
        ));
    }
    if let Some(path) = &plan.inputs_to {
        out.line(&format!("list      `{}`", printable(path)));
    }
}

fn plural(count: u64, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Returns the ends of a range.
fn range(estimate: Estimate, text: impl Fn(f64) -> String) -> String {
    format!("{} to {}", text(estimate.low), text(estimate.high))
}

/// Returns a time in hours, minutes or seconds.
fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 36_000.0 => format!("{:.0} h", s / 3600.0),
        s if s >= 3600.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 60.0 => format!("{:.1} min", s / 60.0),
        s => duration(s),
    }
}

/// Returns a number of bytes with a unit, a power of 1000.
fn bytes(bytes: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let (mut number, mut unit) = (bytes, 0);
    while number >= 999.5 && unit + 1 < units.len() {
        (number, unit) = (number / 1000.0, unit + 1);
    }
    let places = usize::from(unit > 0 && number < 99.95);
    format!("{number:.places$} {}", units[unit])
}

/// Returns an amount of money, in whatever currency the prices have.
fn money(amount: f64) -> String {
    match amount {
        x if x >= 0.995 || x == 0.0 => format!("{x:.2}"),
        x => format!("{x:.5}"),
    }
}
