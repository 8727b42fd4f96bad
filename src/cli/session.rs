//! The runs of one invocation: a single run, or with `--watch` another run whenever a file has changed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::batch_args::Batch;
use super::interrupt::{INTERRUPTED, Interrupt};
use super::page::{PageTarget, data_directory};
use super::rendered::Rendered;
use super::report::ReportTarget;
use super::{Fatal, print_message};
use crate::base::loader::digest;
use crate::io::{Changes, identity};

/// State that lasts from one run to the next.
pub struct Session {
    pub interrupt: Interrupt,
    /// The threads of all runs.
    pub pool: Arc<rayon::ThreadPool>,
    /// True with `--watch`.
    watching: bool,
    /// Number of runs that have ended.
    runs: usize,
    /// Inputs that have failed, each with a digest of its printed findings.
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
        if !changes.wait(|| session.interrupt.is_set()) {
            return Ok(INTERRUPTED);
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
