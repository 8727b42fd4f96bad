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
mod memory;
mod merge;
mod render;
mod report;
mod stream;
mod summary;
mod teller;
mod told;
mod verify;
mod wanted;
mod watch;

use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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
    if let Err(error) = interrupt::survive_file_size_limit() {
        complain_of(&error);
        return ExitCode::from(COULD_NOT_START);
    }
    crate::io::handle_sigbus();
    crate::io::keep_little_memory();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(help_or_error) => return exit_code(explain(&help_or_error)),
    };
    if let Some(shell) = args.completions {
        // As text first: what makes it cannot fail to write.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "rigy-batch", &mut script);
        return exit_code(print(&mut &*script).map(|()| SUCCESS));
    }
    if let Some(name) = &args.man {
        let page = manual::page(name, &args.documents.paths);
        return exit_code(page.map(|()| SUCCESS));
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

/// Help and the version, which somebody has asked for, or what is wrong with the arguments.
fn explain(help_or_error: &clap::Error) -> Result<u8, Fatal> {
    let written = help_or_error.print();
    if !help_or_error.use_stderr() {
        written.or_else(unless_unread)?;
    }
    Ok(help_or_error.exit_code() as u8)
}

/// Writes to standard error. Text that cannot be written is lost; after one that the reader has not read, so is all that
/// follows.
fn complain(text: &str) {
    static UNREAD: AtomicBool = AtomicBool::new(false);
    if !UNREAD.load(Ordering::Relaxed) {
        let written = stream::write_all(std::io::stderr().lock(), text.as_bytes());
        let is_unread = written.is_err_and(|error| error.kind() == ErrorKind::TimedOut);
        UNREAD.store(is_unread, Ordering::Relaxed);
    }
}

/// Tells people of something that is about no document; names in it cannot command a terminal.
fn complain_of(message: &dyn std::fmt::Display) {
    for line in message.to_string().lines() {
        complain(&format!("rigy-batch: {}\n", render::printable(line)));
    }
}

/// Copies all of a text to standard output.
///
/// # Errors
/// If it could not be written, unless nobody reads on.
fn print(text: &mut impl Read) -> Result<(), Fatal> {
    let mut out = std::io::stdout().lock();
    let written = std::io::copy(text, &mut out).and_then(|_| out.flush());
    written.or_else(unless_unread)
}

/// That nobody reads on is no fault; any other failure to write to standard output is one.
fn unless_unread(error: std::io::Error) -> Result<(), Fatal> {
    match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(format!("standard output: {error}").into()),
    }
}

/// Standard output that outlives its reader: once nothing can be written any more, what is still to come is dropped.
struct Output {
    open: bool,
    /// A write has failed for another reason than that there is no reader. That has been told of.
    failed: bool,
    /// The run was to end and the reader did not read, so that the rest was dropped. That has been told of.
    unread: bool,
}

impl Output {
    fn new() -> Self {
        Self {
            open: true,
            failed: false,
            unread: false,
        }
    }

    fn line(&mut self, text: &str) {
        self.bytes(format!("{text}\n").as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if !self.open {
            return;
        }
        let Err(error) = stream::write_all(std::io::stdout().lock(), bytes) else {
            return;
        };
        self.open = false;
        if error.kind() == ErrorKind::TimedOut {
            self.unread = true;
            complain_of(&"nothing reads standard output; the rest of it is left out");
        } else if let Err(fault) = unless_unread(error) {
            self.failed = true;
            complain_of(&fault);
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
