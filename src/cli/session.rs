//! The runs of one invocation: a single run, or with `--watch` another run whenever a file has changed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::batch_args::Batch;
use super::configuration::{FileState, Loaded};
use super::interrupt::{INTERRUPTED, Interrupt};
use super::page::{PageTarget, data_directory};
use super::rendered::Rendered;
use super::report::ReportTarget;
use super::{Fatal, arguments, configuration, print_message};
use crate::base::loader::digest;
use crate::io::{Changes, identity};

/// The status of a session that is to begin anew, because the configuration file has changed. No process ends with it.
pub const RESTART: u8 = 254;

/// The time in which a program that saves the configuration file may write the rest of it.
const SETTLING: Duration = Duration::from_millis(100);

/// State that lasts from one run to the next.
pub struct Session {
    pub interrupt: Interrupt,
    /// The threads of all runs.
    pub pool: Arc<rayon::ThreadPool>,
    /// True with `--watch`.
    watching: bool,
    /// Number of runs that have ended.
    runs: usize,
    /// Inputs that have failed, with a digest of their printed findings.
    failed: HashMap<PathBuf, u64>,
    /// The error that kept the last run from starting.
    start_error: Option<String>,
    /// Destination of the report of the current run, if there is to be one.
    report: Option<ReportTarget>,
    /// Destination of the report page of the current run, if there is to be one.
    page: Option<PageTarget>,
}

/// Calls `run_once` once, or with `--watch` again after each change of a file, until the user interrupts.
///
/// # Errors
/// If the first run cannot start. Later runs that cannot start print their error, and the session goes on.
pub fn run(
    args: &Batch,
    paths: &[PathBuf],
    mut run_once: impl FnMut(&mut Session) -> Result<u8, Fatal>,
) -> Result<u8, Fatal> {
    args.refuse_documents_of_a_session()?;
    let interrupt = Interrupt::new()?;
    // Watching starts a thread, so it begins before the pool, which may take all threads that the system gives.
    let changes = || Changes::below(&watched(args, paths), &written(args));
    let changes = args.watch.then(changes).transpose()?;
    let mut session = Session {
        interrupt,
        pool: Arc::new(args.common.threads.pool()?),
        watching: args.watch,
        runs: 0,
        failed: HashMap::new(),
        start_error: None,
        report: None,
        page: None,
    };
    let loaded = args.source.loaded.as_deref();
    let mut file = loaded.map(Loaded::state);
    let mut run_once = |session: &mut Session| {
        let report = args.report.as_deref().map(ReportTarget::check);
        session.report = report.transpose()?;
        args.refuse_two_on_standard_output(session.report.as_ref())?;
        session.page = args.html().map(PageTarget::check).transpose()?;
        refuse_one_file(session.report.as_ref(), session.page.as_ref())?;
        run_once(session)
    };
    let Some(mut changes) = changes else {
        return run_once(&mut session);
    };
    loop {
        match run_once(&mut session) {
            Ok(INTERRUPTED) => return Ok(INTERRUPTED),
            Ok(_) => session.start_error = None,
            Err(error) if session.is_first() => return Err(error),
            Err(error) => {
                let before = session.start_error.replace(error.to_string());
                if before != session.start_error {
                    print_message(&error);
                }
            }
        }
        if session.is_first() && !args.common.quiet {
            print_message(&"watching for changes; Ctrl-C ends it");
        }
        session.runs += 1;
        match wait(&mut changes, &session.interrupt, file.as_mut()) {
            Change::Files => {}
            Change::Options => return Ok(RESTART),
            Change::Interrupt => return Ok(INTERRUPTED),
        }
    }
}

/// The reason why waiting has ended.
enum Change {
    /// A file has changed that may be an input, or that one refers to.
    Files,
    /// The configuration file has changed, and it is in order.
    Options,
    Interrupt,
}

/// Waits for a change. Faults in a changed configuration file are printed, and the options stay as they are.
fn wait(changes: &mut Changes, interrupt: &Interrupt, mut file: Option<&mut FileState>) -> Change {
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
            file.update();
        }
        match configuration::parse(arguments()) {
            Ok(_) => {
                print_message(&"the configuration file has changed: its options are in force now");
                return Change::Options;
            }
            Err(stop) => stop.print(),
        }
    }
}

/// Returns the directories that hold the inputs and the files that they refer to.
fn watched(args: &Batch, paths: &[PathBuf]) -> Vec<PathBuf> {
    let root = |path: &PathBuf| match path.parent() {
        _ if path.is_dir() => path.clone(),
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    paths.iter().map(root).chain(args.root.clone()).collect()
}

/// Returns the files and directories that a run writes reports to.
fn written(args: &Batch) -> Vec<PathBuf> {
    let page = args
        .html()
        .map(|page| vec![page.to_owned(), data_directory(page)]);
    args.report
        .clone()
        .into_iter()
        .chain(page.into_iter().flatten())
        .collect()
}

/// Refuses a report and a page that would be one file.
///
/// # Errors
/// If they would.
fn refuse_one_file(report: Option<&ReportTarget>, page: Option<&PageTarget>) -> Result<(), Fatal> {
    match (report.and_then(ReportTarget::file), page) {
        (Some(report), Some(page)) if identity(report) == identity(&page.file) => {
            let shown = page.path.display();
            Err(format!(
                "`--report` and `--html` both name `{shown}`; name another file after one of them"
            )
            .into())
        }
        _ => Ok(()),
    }
}

impl Session {
    /// Returns true in the first run.
    pub fn is_first(&self) -> bool {
        self.runs == 0
    }

    /// The destination of the report of this run, if there is to be one.
    pub fn report(&self) -> Option<&ReportTarget> {
        self.report.as_ref()
    }

    /// The destination of the report page of this run, if there is to be one.
    pub fn page(&self) -> Option<&PageTarget> {
        self.page.as_ref()
    }

    /// Returns true if an outcome is to be printed. In the later runs of a watch session it is not if the cache had the
    /// outcome, or if the input has failed before with the same findings.
    pub fn is_new(&mut self, rendered: &Rendered) -> bool {
        if !self.watching {
            return true;
        }
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
