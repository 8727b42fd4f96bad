//! The program from its first function to its exit status.

use std::ffi::OsString;
use std::panic::resume_unwind;
use std::process::ExitCode;

use clap::error::ContextKind;

use super::configuration::{self, Stop};
use super::messages::{print_findings, print_message};
use super::output::ignore_closed_reader;
use super::status::{COULD_NOT_START, Result, TRY_AGAIN, is_transient};
use super::{arguments, color, command, instead, interrupt, requested, watch};

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
    let arguments = arguments::keep(arguments);
    if has_room_on_stack() {
        return exit_status(run(arguments));
    }
    let thread = std::thread::Builder::new().stack_size(STACK);
    match thread.spawn(|| exit_status(run(arguments))) {
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

fn run(arguments: &[OsString]) -> Result<u8> {
    interrupt::survive_file_size_limit()?;
    crate::io::handle_sigbus();
    crate::io::keep_little_memory();
    if let Some(message) = requested::one_hyphen(arguments.iter().skip(1).cloned()) {
        return Err(message.into());
    }
    color::decide(arguments.iter().skip(1).cloned());
    match configuration::parse(arguments) {
        Ok(mut args) => {
            let runs = args.program.completions.is_none() && args.program.man.is_none();
            if runs && args.batch().0.watch {
                watch::run(args)
            } else {
                command::run(&args, None)
            }
        }
        Err(Stop::Clap(help_or_error)) => print_help(*help_or_error),
        Err(Stop::File(findings)) => {
            print_findings(&findings);
            Ok(COULD_NOT_START)
        }
    }
}

fn exit_status(status: Result<u8>) -> u8 {
    status.unwrap_or_else(|error| {
        print_message(&error);
        if is_transient(&*error) {
            TRY_AGAIN
        } else {
            COULD_NOT_START
        }
    })
}

/// Prints help, the version, or the error in the arguments, and returns the exit status.
fn print_help(mut help_or_error: clap::Error) -> Result<u8> {
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
