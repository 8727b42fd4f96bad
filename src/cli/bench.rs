//! `rigy-batch bench`.

use std::time::Duration;

use super::args::Bench as Args;
use super::common_args::Format;
use super::messages::print_message;
use super::output::Output;
use super::printer::{Listing, Table, plural};
use super::progress::progress;
use super::status::{FAILED, Result, SUCCESS};
use crate::run::bench::{Bench, BenchError, Measurement, Plan};

/// The numbers of a cell of the tables.
const UNITS: &str = "cycles a vertex, million vertices a second, time over memcpy";

/// Steps of the progress bar.
const STEPS: usize = 100;

/// Measures, and prints a table or JSON lines.
pub fn run(args: &Args) -> Result<u8> {
    let pool = args.threads.pool()?;
    let sets = args.instruction_sets()?;
    let time = Duration::from_secs(args.seconds.into()) / args.vertices.len() as u32;
    let mut out = Output::new();
    for count in &args.vertices {
        let plan = Plan {
            vertex_count: *count as usize,
            instruction_sets: sets.clone(),
            time,
        };
        let bench: Result<Bench, BenchError> = Bench::new(plan, &pool);
        let bench = match bench {
            Ok(bench) => bench,
            Err(error) => {
                print_message(&error);
                return Ok(FAILED);
            }
        };
        let bar = progress(STEPS, args.quiet);
        let measurements = bench.run(|done| bar.set_position((done * STEPS as f64) as u64));
        bar.finish_and_clear();
        match args.format {
            Format::Json => measurements.iter().for_each(|one| out.json(one)),
            Format::Human => tables(&mut out, &measurements),
        }
    }
    Ok(out.status(SUCCESS))
}

/// Prints one table for each number of threads: workloads down, instruction sets across.
fn tables(out: &mut Output, measurements: &[Measurement]) {
    let mut lines = Listing::new(None);
    for cases in measurements.chunk_by(|a, b| a.threads == b.threads) {
        let Some((copy, cases)) = cases.split_first() else {
            continue;
        };
        let (vertices, threads) = (copy.vertices, plural(copy.threads, "thread"));
        let clock = copy.clock_ghz;
        lines.gap();
        lines.line(format!(
            "{vertices} vertices, {threads}, clock {clock:.2} GHz; {UNITS}"
        ));
        let mut rows: Vec<&[Measurement]> = cases
            .chunk_by(|a, b| (a.solver, a.workload) == (b.solver, b.workload))
            .collect();
        let sets = rows.first().copied().unwrap_or_default();
        rows.push(std::slice::from_ref(copy));
        let mut table = Table::of(&rows).text("workload", |row| {
            format!("{} {}", row[0].solver, row[0].workload)
        });
        for (index, case) in sets.iter().enumerate() {
            let name = case.isa.unwrap_or_default();
            table = table.number(name, |row| row.get(index).map_or(String::new(), cell));
        }
        lines.table(table);
    }
    out.line(&lines.finish());
}

fn cell(case: &Measurement) -> String {
    format!(
        "{:.1} {:>6.1} {:>5.2}×",
        case.cycles_per_vertex, case.mverts_per_second, case.over_memcpy
    )
}
