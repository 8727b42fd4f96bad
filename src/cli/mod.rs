//! The command line: arguments in, text and an exit status out.
//!
//! In: what the user typed. Out: progress and diagnostics on stderr, results on stdout, a status of 0 (all
//! good), 1 (some input failed), 2 (could not start) or 130 (interrupted). All work is done elsewhere; this room only chooses and
//! prints.

mod args;
mod bake;
mod bake_args;
mod batch_args;
mod bench;
mod documents;
mod interrupt;
mod manual;
mod merge;
mod render;
mod summary;
mod teller;
mod told;
mod verify;
mod wanted;
mod watch;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};

/// All good.
const SUCCESS: u8 = 0;
/// Some input failed; the others are done.
const FAILED: u8 = 1;
/// Nothing was started.
const COULD_NOT_START: u8 = 2;

/// Something that keeps a run from starting.
type Fatal = Box<dyn std::error::Error>;

/// Runs the program.
pub fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(shell) = args.completions {
        clap_complete::generate(
            shell,
            &mut Args::command(),
            "rigy-batch",
            &mut std::io::stdout(),
        );
        return ExitCode::from(SUCCESS);
    }
    if let Some(name) = &args.man {
        let status = manual::print(name).map(|()| SUCCESS);
        return exit_code(status);
    }
    let status = match args.command {
        Some(Command::Verify(verify)) => verify::run(&verify),
        Some(Command::Bake(bake)) => bake::run(&bake),
        Some(Command::Bench(bench)) => bench::run(&bench),
        Some(Command::MergeReports(merge)) => merge::run(&merge),
        None => documents::run(&args.documents),
    };
    exit_code(status)
}

fn exit_code(status: Result<u8, Fatal>) -> ExitCode {
    ExitCode::from(status.unwrap_or_else(|error| {
        complain_of(&error);
        COULD_NOT_START
    }))
}

/// Writes to standard error, whether or not anybody reads it.
fn complain(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Tells people of something that is about no document; names in it cannot command a terminal.
fn complain_of(message: &dyn std::fmt::Display) {
    for line in message.to_string().lines() {
        complain(&format!("rigy-batch: {}\n", render::printable(line)));
    }
}

/// Standard output that outlives its reader: once nobody reads, it swallows what is written.
struct Output {
    open: bool,
}

impl Output {
    fn new() -> Self {
        Self { open: true }
    }

    fn line(&mut self, text: &str) {
        if self.open {
            let mut out = std::io::stdout().lock();
            self.open = writeln!(out, "{text}").and_then(|()| out.flush()).is_ok();
        }
    }

    fn json(&mut self, value: &impl serde::Serialize) {
        self.line(&serde_json::to_string(value).expect("reports are plain structs"));
    }
}

/// A progress bar on stderr, if that is a terminal and nobody asked for quiet.
fn progress(count: usize, quiet: bool) -> indicatif::ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template(
        "{bar:40} {pos}/{len} {elapsed} (about {eta} left)",
    );
    let bar = indicatif::ProgressBar::new(count as u64);
    bar.with_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()))
}
