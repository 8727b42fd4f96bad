//! Running a batch whose outputs go into one tar file.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::{Batch, Done};
use crate::io::{IoError, Sink, directory_of};
use crate::run::batch::archive::Archive;
use crate::run::batch::outcome::Outcome;
use crate::run::batch::work::Work;

/// The number of outcomes that are prepared at a time.
const AT_A_TIME: usize = 64;

impl<W: Work> Batch<W> {
    /// Prepares to write the tar file, if outputs go into one.
    pub(super) fn open_archive(&mut self) -> Result<(), IoError> {
        let Some(path) = self.options.output.clone().filter(|_| self.options.archive) else {
            return Ok(());
        };
        // Large outputs wait in temporary files beside it.
        let sink = Sink::new(directory_of(&path), self.options.durability)?;
        *self
            .archive
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner) =
            Some(Archive::begin(&path, self.options.durability)?);
        self.sinks.insert(path, sink);
        Ok(())
    }

    /// Processes every input, and adds outputs to the tar file on the calling thread.
    pub(super) fn run_into<T: Send>(
        &self,
        mut archive: Archive,
        pool: &rayon::ThreadPool,
        prepare: impl Fn(Outcome) -> (T, usize) + Sync,
        mut hand_on: impl FnMut(T),
    ) -> Vec<IoError> {
        let mut added = Vec::new();
        let mut pass_on = |outcomes: Vec<Outcome>| {
            let results = || outcomes.into_par_iter().map(|outcome| prepare(outcome).0);
            let prepared: Vec<T> = pool.install(|| results().collect());
            prepared.into_iter().for_each(&mut hand_on);
        };
        let keep = |Done { outcome, entries }| {
            let entries = entries.into_list();
            let len = |index: &usize| outcome.records[*index].bytes.unwrap_or_default();
            let len: u64 = entries.iter().map(|(record, _)| len(record)).sum();
            let len = usize::try_from(len).unwrap_or(usize::MAX / 4);
            ((outcome, entries), 1024 + len)
        };
        self.process_all(pool, keep, |(mut outcome, entries)| {
            if let Err(error) = archive.add(&outcome, &entries) {
                outcome.fail(error);
                if archive.has_failed() || self.options.fail_fast {
                    self.failed.store(true, Ordering::Relaxed);
                }
            }
            if !self.options.hash {
                outcome.forget_hashes(); // files beside outputs alone have needed them
            }
            added.push(outcome);
            if added.len() == AT_A_TIME {
                pass_on(std::mem::take(&mut added));
            }
        });
        pass_on(added);
        let mut errors = self.finish();
        errors.extend(archive.end(self.found.len()).err());
        errors
    }
}
