//! The calling thread of a run: it makes objects of outcomes, calls the function of the caller, and handles signals.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use pyo3::prelude::*;
use rigy_batch::Outcome;
use rigy_batch::run::batch::Summary;

use super::Ended;
use crate::results;

/// The time between two looks at signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// The outcomes of a run as they come.
pub struct Watch<'r> {
    on_progress: Option<Py<PyAny>>,
    stop: &'r AtomicBool,
    /// Number of inputs, once it is known.
    total: &'r AtomicUsize,
    /// Each outcome with the path of its input, and whether it is about removed files, which come last.
    outcomes: Vec<((bool, PathBuf), Py<PyAny>)>,
    counts: Summary,
    raised: Option<PyErr>,
}

impl<'r> Watch<'r> {
    pub fn new(
        on_progress: Option<Py<PyAny>>,
        stop: &'r AtomicBool,
        total: &'r AtomicUsize,
    ) -> Self {
        Self {
            on_progress,
            stop,
            total,
            outcomes: Vec::new(),
            counts: Summary::default(),
            raised: None,
        }
    }

    /// Receives outcomes until there are no more. The first exception, of the function or of a signal, stops the run.
    pub fn receive(&mut self, outcomes: &Receiver<Outcome>) {
        loop {
            let first = match outcomes.recv_timeout(INTERVAL) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if self.raised.is_some() {
                continue;
            }
            let taken = Python::attach(|py| {
                for outcome in first.into_iter().chain(outcomes.try_iter()) {
                    self.take(py, &outcome)?;
                }
                py.check_signals()
            });
            if let Err(error) = taken {
                self.stop.store(true, Ordering::Relaxed);
                self.raised = Some(error);
            }
        }
    }

    fn take(&mut self, py: Python<'_>, outcome: &Outcome) -> PyResult<()> {
        self.counts.add(outcome);
        let object = results::outcome(py, outcome)?;
        let key = (outcome.is_removal(), outcome.input.clone());
        self.outcomes.push((key, object.clone().unbind()));
        if let Some(function) = &self.on_progress {
            let total = self.total.load(Ordering::Relaxed);
            function.call1(py, (self.counts.inputs, total, object))?;
        }
        Ok(())
    }

    /// Returns the exception that has stopped the run.
    ///
    /// # Errors
    /// The exception, if there is one.
    pub fn raised(&mut self) -> PyResult<()> {
        self.raised.take().map_or(Ok(()), Err)
    }

    /// Returns the `RunResult`, with the outcomes in the order of the paths of inputs.
    pub fn result(self, py: Python<'_>, ended: Ended) -> PyResult<Bound<'_, PyAny>> {
        let mut outcomes = self.outcomes;
        outcomes.sort_by(|(a, _), (b, _)| a.cmp(b)); // only directories that cannot be listed are out of order
        let outcomes = outcomes.into_iter().map(|(_, object)| object).collect();
        results::run_result(py, outcomes, &self.counts, &ended.errors, ended.is_partial)
    }
}
