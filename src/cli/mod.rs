//! The command line: arguments in, text and an exit status out.
//!
//! In: arguments. Out: progress and diagnostics on standard error, results on standard output, and a status of 0 (all
//! good), 1 (some input failed), 2 (could not start), 75 (failed for a reason that may pass) or 130 (interrupted); `inspect` has 3 for a check that
//! fails. The work itself is done by the other modules.

mod args;
mod bake;
mod bake_args;
mod bake_options;
mod bake_values;
mod batch_args;
mod batch_options;
mod batch_values;
mod bench;
mod circumstances;
mod color;
mod common_args;
mod configuration;
mod diff;
mod documents;
mod expanded;
mod explain;
mod fmt;
mod formats;
mod init;
mod inputs;
mod inspect;
mod instead;
mod interrupt;
mod lsp;
mod manual;
mod merge;
mod named;
mod opened;
pub mod page; // tests plant faults in it
mod palette;
mod places;
mod preview;
mod progress;
mod render;
mod rendered;
mod report;
mod reporter;
mod requested;
mod run_context;
mod scene;
mod schema;
mod stream;
mod streams;
mod summary;
mod verify;
mod view;
mod warning_groups;
mod watch;
mod width;

use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use clap::CommandFactory;
use clap::error::ContextKind;

use args::{Args, Command};
use configuration::Stop;
use progress::progress;
pub use run_context::memory_or_half;

/// All good.
const SUCCESS: u8 = 0;
/// Some input failed; the others have been processed.
const FAILED: u8 = 1;
/// The run could not start.
const COULD_NOT_START: u8 = 2;
/// Some input failed, or the run could not start, for a reason that may pass: `EX_TEMPFAIL` of sysexits.h. A scheduler may start
/// the same run again.
const TRY_AGAIN: u8 = 75;

/// An error that keeps a run from starting.
type Fatal = Box<dyn Error>;

/// The arguments of the program, the name of the program first.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    #[cfg(windows)]
    let arguments = wild::args_os();
    #[cfg(not(windows))]
    let arguments = std::env::args_os();
    ExitCode::from(run_with(arguments.collect()))
}

/// Runs the program with these arguments, the name of the program first, and returns its exit status. It handles the signals of
/// the process, so it is called once, and the process ends with the status.
pub fn run_with(arguments: Vec<OsString>) -> u8 {
    let arguments = ARGUMENTS.get_or_init(|| arguments);
    if has_room_on_stack() {
        return run_here(arguments);
    }
    let thread = std::thread::Builder::new().stack_size(STACK);
    match thread.spawn(|| run_here(arguments)) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(error) => exit_status(Err(error.into())),
    }
}

/// The bytes of stack that the program may need, which is the usual limit of systems.
const STACK: usize = 8 << 20;

/// Returns true if the limit on the stack of the first thread (`ulimit -s`) lets it grow to [`STACK`].
fn has_room_on_stack() -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::Stack).current;
        limit.is_none_or(|limit| limit >= STACK as u64)
    }
    #[cfg(not(unix))]
    true
}

fn run_here(arguments: &[OsString]) -> u8 {
    if let Err(error) = interrupt::survive_file_size_limit() {
        print_message(&error);
        return COULD_NOT_START;
    }
    crate::io::handle_sigbus();
    crate::io::keep_little_memory();
    if let Some(message) = requested::one_hyphen(arguments.iter().skip(1).cloned()) {
        print_message(&message);
        return COULD_NOT_START;
    }
    color::decide(arguments.iter().skip(1).cloned());
    exit_status(match configuration::parse(arguments) {
        Ok(mut args) => {
            let runs = args.program.completions.is_none() && args.program.man.is_none();
            if runs && args.batch().0.watch {
                watch::run(args)
            } else {
                run(&args, None)
            }
        }
        Err(Stop::Clap(help_or_error)) => print_help(*help_or_error),
        Err(Stop::File(findings)) => {
            print_findings(&findings);
            Ok(COULD_NOT_START)
        }
    })
}

/// Runs the command of parsed arguments. What `told` knows is not said again.
fn run(args: &Args, told: Option<&mut watch::Told>) -> Result<u8, Fatal> {
    if let Some(shell) = args.program.completions {
        // The generator panics if a write fails, so it writes to memory first.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "rigy-batch", &mut script);
        return print(&mut &*script).map(|()| SUCCESS);
    }
    if let Some(name) = &args.program.man {
        let page = manual::page(name, &args.documents.paths);
        return page.map(|()| SUCCESS);
    }
    let takes_urls = matches!(args.command, None | Some(Command::Bake(_)));
    if !takes_urls {
        places::refuse_urls(arguments())?;
    }
    match &args.command {
        Some(Command::Verify(verify)) => verify::run(verify),
        Some(Command::Diff(diff)) => diff::run(diff),
        Some(Command::Explain(explain)) => explain::run(explain),
        Some(Command::Init(init)) => init::run(init),
        Some(Command::Schema(schema)) => schema::run(schema),
        Some(Command::Inspect(inspect)) => inspect::run(inspect),
        Some(Command::Palette(palette)) => palette::run(palette),
        Some(Command::Bake(bake)) => bake::run(bake, told),
        Some(Command::Bench(bench)) => bench::run(bench),
        Some(Command::Fmt(fmt)) => fmt::run(fmt),
        Some(Command::Lsp(lsp)) => lsp::run(lsp),
        Some(Command::View(view)) => view::run(view),
        Some(Command::MergeReports(merge)) => merge::run(merge),
        Some(Command::Preview(preview)) => preview::run(preview),
        None => documents::run(&args.documents, told),
    }
}

/// Returns the arguments of the program, the name of the program first.
fn arguments() -> &'static [OsString] {
    ARGUMENTS.get().map_or(&[], Vec::as_slice)
}

fn exit_status(status: Result<u8, Fatal>) -> u8 {
    status.unwrap_or_else(|error| {
        print_message(&error);
        if is_transient(&*error) {
            TRY_AGAIN
        } else {
            COULD_NOT_START
        }
    })
}

/// Returns true if an error, or one that has caused it, is one of the system that may pass.
fn is_transient(error: &(dyn Error + 'static)) -> bool {
    let of_system = error.downcast_ref::<std::io::Error>();
    of_system.is_some_and(crate::base::transient::is_transient)
        || error.source().is_some_and(is_transient)
}

/// Prints help, the version, or the error in the arguments, and returns the exit status.
fn print_help(mut help_or_error: clap::Error) -> Result<u8, Fatal> {
    let sentence = instead::of_error(&help_or_error);
    // An option after `--` would be taken for a path, and an option that is only spelled alike for the one that was meant.
    help_or_error.remove(ContextKind::Suggested);
    if sentence.is_some() {
        help_or_error.remove(ContextKind::SuggestedArg);
    }
    let written = help_or_error.print();
    if !help_or_error.use_stderr() {
        written.or_else(ignore_closed_reader)?;
    }
    if let Some(sentence) = sentence {
        print_message(&sentence);
    }
    Ok(help_or_error.exit_code() as u8)
}

/// Writes to standard error. Text that cannot be written is lost. Once a write has timed out because nothing reads the
/// other end, all later text is lost, too.
fn print_stderr(text: &str) {
    static UNREAD: AtomicBool = AtomicBool::new(false);
    if !UNREAD.load(Ordering::Relaxed) {
        let written = stream::write_all(std::io::stderr().lock(), text.as_bytes());
        let is_unread = written.is_err_and(|error| error.kind() == ErrorKind::TimedOut);
        UNREAD.store(is_unread, Ordering::Relaxed);
    }
}

/// Prints findings for people, if there are any.
fn print_findings(findings: &[crate::base::diag::Diagnostic]) {
    if !findings.is_empty() {
        print_stderr(&render::render(findings));
    }
}

/// Prints a message that belongs to no input. Control characters in it are escaped, and it fits the terminal.
fn print_message(message: &dyn std::fmt::Display) {
    for line in message.to_string().lines() {
        let line = format!("rigy-batch: {}\n", render::printable(line));
        print_stderr(&width::wrapped(&line, width::of_standard_error(), 2));
    }
}

/// Prints a message that does not change from one run of this process to the next, once.
fn print_note(message: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if printed.insert(message.to_owned()) {
        print_message(&message);
    }
}

/// Copies all of a text to standard output.
fn print(text: &mut impl Read) -> Result<(), Fatal> {
    let mut out = std::io::stdout().lock();
    let written = std::io::copy(text, &mut out).and_then(|_| out.flush());
    written.or_else(ignore_closed_reader)
}

/// Turns a failed write to standard output into an error, unless the reader has closed the other end, as `head` does.
fn ignore_closed_reader(error: std::io::Error) -> Result<(), Fatal> {
    match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(StandardOutput(error).into()),
    }
}

/// Standard output has refused a write.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
struct StandardOutput(#[source] std::io::Error);

/// The message about a result for which there is no standard output.
const CLOSED: &str =
    "standard output is closed, so what was to go there is lost; open it, or name a file instead";

/// Standard output. After a write has failed, everything that follows is dropped.
struct Output {
    open: bool,
    /// The failure of a write for another reason than a closed reader. The message has been printed.
    fault: Option<Fatal>,
    /// The run was interrupted while the reader read nothing, and the rest was dropped. The message has been printed.
    unread: bool,
}

impl Output {
    fn new() -> Self {
        Self {
            open: true,
            fault: None,
            unread: false,
        }
    }

    /// Standard output in the place of a file, which must not be lost: one that is closed has failed from the start.
    fn in_place_of_a_file() -> Self {
        let mut out = Self::new();
        if stream::is_closed(std::io::stdout()) {
            (out.open, out.fault) = (false, Some(CLOSED.into()));
            print_message(&CLOSED);
        }
        out
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
            print_message(&"nothing reads standard output; the rest of it is left out");
        } else if let Err(fault) = ignore_closed_reader(error) {
            print_message(&fault);
            self.fault = Some(fault);
        }
    }

    /// Returns the exit status of a command that had this `status` but for its standard output.
    fn status(&self, status: u8) -> u8 {
        match &self.fault {
            Some(_) if status == interrupt::INTERRUPTED => status,
            Some(fault) if status == TRY_AGAIN || is_transient(&**fault) => TRY_AGAIN,
            Some(_) => FAILED,
            None => status,
        }
    }

    fn json(&mut self, value: &impl serde::Serialize) {
        self.line(&crate::base::terminal::json(value));
    }
}
