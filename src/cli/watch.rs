//! Rounds: one, or with `--watch` another whenever something has changed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::batch_args::Batch;
use super::interrupt::{INTERRUPTED, Interrupt};
use super::report::ReportPlace;
use super::told::Told;
use super::{Fatal, complain_of};
use crate::base::loader::digest;
use crate::io::Changes;

/// What is known from one round to the next.
pub struct Rounds {
    pub interrupt: Interrupt,
    /// The threads of all rounds.
    pub pool: Arc<rayon::ThreadPool>,
    /// Whether there may be another one.
    watching: bool,
    /// How many there have been.
    over: usize,
    /// Inputs that have failed, each with a number for what was said of it.
    failed: HashMap<PathBuf, u64>,
    /// What kept the last one from starting.
    unstarted: Option<String>,
    /// Where the report of the next round goes, if one is asked for.
    report: Option<ReportPlace>,
}

/// Does `round` once, or, if somebody wants to watch, again and again. Nothing that keeps it from starting ends it but
/// the first time.
pub fn run(
    args: &Batch,
    paths: &[PathBuf],
    mut round: impl FnMut(&mut Rounds) -> Result<u8, Fatal>,
) -> Result<u8, Fatal> {
    let interrupt = Interrupt::new()?;
    // Before the pool, which may take all threads that the system gives.
    let changes = || Changes::below(&watched(args, paths), args.report.as_deref());
    let changes = args.watch.then(changes).transpose()?;
    let mut rounds = Rounds {
        interrupt,
        pool: Arc::new(args.common.threads.pool()?),
        watching: args.watch,
        over: 0,
        failed: HashMap::new(),
        unstarted: None,
        report: None,
    };
    let mut round = |rounds: &mut Rounds| {
        let place = args.report.as_deref().map(ReportPlace::check);
        rounds.report = place.transpose()?;
        args.refuse_two_on_standard_output(rounds.report.as_ref())?;
        round(rounds)
    };
    let Some(mut changes) = changes else {
        return round(&mut rounds);
    };
    loop {
        match round(&mut rounds) {
            Ok(INTERRUPTED) => return Ok(INTERRUPTED),
            Ok(_) => rounds.unstarted = None,
            Err(error) if rounds.is_first() => return Err(error),
            Err(error) => {
                let said = rounds.unstarted.replace(error.to_string());
                if said != rounds.unstarted {
                    complain_of(&error);
                }
            }
        }
        if rounds.is_first() && !args.common.quiet {
            complain_of(&"watching for changes; Ctrl-C ends it");
        }
        rounds.over += 1;
        if !changes.wait(|| rounds.interrupt.has_come()) {
            return Ok(INTERRUPTED);
        }
    }
}

/// Where everything lies that an input may be made of.
fn watched(args: &Batch, paths: &[PathBuf]) -> Vec<PathBuf> {
    let root = |path: &PathBuf| match path.parent() {
        _ if path.is_dir() => path.clone(),
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    paths.iter().map(root).chain(args.root.clone()).collect()
}

impl Rounds {
    /// Whether this is the first.
    pub fn is_first(&self) -> bool {
        self.over == 0
    }

    /// Where the report of this round goes, if one is asked for.
    pub fn report(&self) -> Option<&ReportPlace> {
        self.report.as_ref()
    }

    /// Whether anything is to be said of an input: not if nothing had to be done, nor if what is said of its failure has
    /// been said before.
    pub fn is_news(&mut self, told: &Told) -> bool {
        if !self.watching {
            return true;
        }
        let before = self.failed.remove(&told.input);
        if told.counts.failed > 0 {
            let [number, ..] = digest(told.findings.as_bytes());
            self.failed.insert(told.input.clone(), number);
            return before != Some(number);
        }
        // One that is good again is news, though all of it may be known from before.
        before.is_some() || self.is_first() || !told.known
    }
}
