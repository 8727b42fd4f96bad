//! `--watch`: the whole run again after each change of a file, until the user interrupts.

use std::path::PathBuf;
use std::time::Duration;

use super::args::{Args, Command};
use super::arguments::arguments;
use super::batch_args::Batch;
use super::configuration::{self, Stop};
use super::interrupt::{INTERRUPTED, Interrupt};
use super::messages::{print_findings, print_message};
use super::page::data_directory;
use super::rendered::Rendered;
use super::status::{Result, bail};
use super::streams::{is_standard_output, stream_of};
use crate::io::{Changes, directory_of, is_dir, stamp_of};
use rigy_base::loader::{Stamp, digest};
use rigy_base::maps::HashMap;

/// The time in which a program that saves the configuration file may write the rest of it.
const SETTLING: Duration = Duration::from_millis(100);

/// The messages of the rounds so far, which later rounds do not print again.
#[derive(Default)]
pub struct Told {
    /// Number of rounds that have ended.
    rounds: usize,
    /// Inputs that have failed, with a digest of their printed findings.
    failed: HashMap<PathBuf, u64>,
    /// The error that kept the last round from starting.
    start_error: Option<String>,
}

impl Told {
    /// Returns true in the first round.
    pub fn is_first(&self) -> bool {
        self.rounds == 0
    }

    /// Returns true if an outcome is to be printed. In later rounds it is not if the cache had the outcome, or if the input has failed
    /// before with the same findings.
    pub fn is_new(&mut self, rendered: &Rendered) -> bool {
        let before = self.failed.remove(&rendered.input);
        if rendered.counts.failed > 0 {
            let [number, ..] = digest(rendered.findings().as_bytes());
            self.failed.insert(rendered.input.clone(), number);
            return before != Some(number);
        }
        // An input that failed before and succeeds now is new, even if the cache had its outcome.
        before.is_some() || self.is_first() || !rendered.known
    }
}

/// Runs again after each change of a file, until the user interrupts. When the configuration file changes, this begins anew with its options.
///
/// # Errors
/// If the first run cannot start. Later ones that cannot start print their error.
pub fn run(mut args: Args) -> Result<u8> {
    let interrupt = Interrupt::new()?;
    while let Some(changed) = rounds(&mut args, &interrupt)? {
        args = changed;
    }
    Ok(INTERRUPTED)
}

/// Runs with the same options until others are in force, and returns these; `None` if the user has interrupted.
fn rounds(args: &mut Args, interrupt: &Interrupt) -> Result<Option<Args>> {
    let motion = match &args.command {
        Some(Command::Bake(bake)) => bake.options.motion.clone(),
        _ => None,
    };
    let (batch, paths) = args.batch();
    refuse(batch, paths)?;
    let mut watched = watched(batch, paths);
    watched.extend(motion.map(|path| directory_of(&path).to_owned()));
    let mut file = ConfigurationFile::of(batch);
    // Watching starts a thread, so it begins before the first run, which may take all threads that the system gives.
    let mut changes = Changes::below(&watched, &written(batch))?;
    let quiet = batch.common.quiet;
    batch.allow_empty = true;
    let mut told = Told::default();
    loop {
        match super::command::run(args, Some(&mut told)) {
            Ok(INTERRUPTED) => return Ok(None),
            Ok(_) => told.start_error = None,
            Err(error) if told.is_first() => return Err(error),
            Err(error) => {
                let before = told.start_error.replace(error.to_string());
                if before != told.start_error {
                    print_message(&error);
                }
            }
        }
        if told.is_first() && !quiet {
            print_message(&"watching for changes; Ctrl-C ends it");
        }
        told.rounds += 1;
        args.batch().0.force = false;
        match wait(&mut changes, interrupt, file.as_mut()) {
            Change::Files => {}
            Change::Options(args) => return Ok(Some(*args)),
            Change::Interrupt => return Ok(None),
        }
    }
}

/// Refuses streams, which cannot be read or written again.
fn refuse(args: &Batch, paths: &[PathBuf]) -> Result<()> {
    let format = args.common.format;
    if format.is_document() {
        let name = format.name();
        bail!(
            "`--format {name}` is one document, so it does not go with `--watch`; use human or json there"
        );
    }
    let what = match args.output.as_deref() {
        Some(output) if is_standard_output(output) => "`-o -`",
        _ if stream_of(paths)?.is_some() => "an input that is a stream",
        _ => return Ok(()),
    };
    bail!("`--watch` does not go with {what}; leave it out")
}

/// The reason why waiting has ended.
enum Change {
    /// A file has changed that may be an input, or that one refers to.
    Files,
    /// The configuration file has changed, and it is in order.
    Options(Box<Args>),
    Interrupt,
}

/// Waits for a change. Faults in a changed configuration file are printed, and the options stay as they are.
fn wait(
    changes: &mut Changes,
    interrupt: &Interrupt,
    mut file: Option<&mut ConfigurationFile>,
) -> Change {
    loop {
        let has_new_options = || file.as_ref().is_some_and(|file| file.has_changed());
        let has_changed = changes.wait(|| interrupt.is_set() || has_new_options());
        if interrupt.is_set() {
            return Change::Interrupt;
        }
        if has_changed && !has_new_options() {
            return Change::Files;
        }
        std::thread::sleep(SETTLING);
        if let Some(file) = &mut file {
            file.stamp = stamp_of(&file.path).ok();
        }
        match configuration::parse(arguments()) {
            Ok(args) => {
                print_message(&"the configuration file has changed: its options are in force now");
                return Change::Options(Box::new(args));
            }
            Err(Stop::Clap(error)) => print_message(&configuration::message(&error)),
            Err(Stop::File(findings)) => print_findings(&findings),
        }
    }
}

/// The configuration file, and its state when it was read last.
struct ConfigurationFile {
    path: PathBuf,
    /// `None` if the system did not tell.
    stamp: Option<Stamp>,
}

impl ConfigurationFile {
    fn of(args: &Batch) -> Option<Self> {
        let loaded = args.source.loaded.as_ref()?;
        Some(Self {
            path: loaded.file.clone(),
            stamp: loaded.stamp,
        })
    }

    /// Returns true if the file is another now. A file that is gone is not: a program may be about to put another in its place.
    fn has_changed(&self) -> bool {
        stamp_of(&self.path).is_ok_and(|stamp| Some(stamp) != self.stamp)
    }
}

/// Returns the directories that hold the inputs and the files that they refer to.
fn watched(args: &Batch, paths: &[PathBuf]) -> Vec<PathBuf> {
    paths
        .iter()
        .map(|path| {
            if is_dir(path) {
                path.clone()
            } else {
                directory_of(path).to_owned()
            }
        })
        .chain(args.root.clone())
        .collect()
}

/// Returns the files and directories that a run writes reports to.
fn written(args: &Batch) -> Vec<PathBuf> {
    let page = args
        .html
        .as_ref()
        .map(|page| vec![page.to_owned(), data_directory(page)]);
    args.report
        .clone()
        .into_iter()
        .chain(page.into_iter().flatten())
        .collect()
}
