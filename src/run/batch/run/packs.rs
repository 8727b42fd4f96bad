//! Running a batch whose outputs go into packs.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::{Batch, Done, StartError};
use crate::io::pack::{EntryData, PackError, PackName, PackSetWriter};
use crate::io::{Found, IoError, identity};
use crate::run::batch::conflicts::sources::Sources;
use crate::run::batch::outcome::Outcome;
use crate::run::batch::packing::Packer;
use crate::run::batch::work::Work;

/// The number of outcomes that are prepared at a time.
const AT_A_TIME: usize = 1024;

impl<W: Work> Batch<W> {
    /// Prepares to write packs, if the options ask for them.
    pub(super) fn open_packs(&mut self) -> Result<(), StartError> {
        let Some(packing) = &self.options.pack else {
            return Ok(());
        };
        let root = self.options.output.as_deref().unwrap_or(Path::new(""));
        let shard = self.options.shard.map(|shard| shard.parts());
        let name = PackName::new(&packing.name, shard).map_err(|error| PackError::Faulty {
            path: root.to_owned(),
            fault: error.to_string(),
        })?;
        let sink = match self.sinks.get(root) {
            Some(sink) => sink.clone(),
            // There are no inputs; the list says so.
            None => crate::io::Sink::new(root, self.options.durability)?,
        };
        let writer = PackSetWriter::new(root, name, packing.format, packing.most, sink)?;
        self.check_not_read(root, &writer)?;
        *self.packs.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(writer);
        Ok(())
    }

    /// Checks that no input refers to a file that has the name of a pack and would be replaced. Inputs are read for that only if
    /// the packs go to a directory in which references may lead.
    ///
    /// # Errors
    /// The file that an input refers to; if files cannot be looked at.
    fn check_not_read(&self, root: &Path, writer: &PackSetWriter) -> Result<(), PackError> {
        let there = identity(root);
        let roots: BTreeSet<&Path> = self
            .found
            .iter()
            .map(|input| self.options.root_of(input))
            .collect();
        if !roots
            .into_iter()
            .any(|root| there.starts_with(identity(root)))
        {
            return Ok(());
        }
        let references_of = |input: &Found| self.references_of(input);
        let sources = Sources::new(&self.found, &self.of_other_shards, &references_of);
        for name in writer.files()? {
            let path = root.join(name);
            let reference = sources.reference_at(&path);
            if reference
                .map_err(|error| IoError::new("look at", &path, error))?
                .is_some()
            {
                return Err(PackError::Faulty {
                    path,
                    fault: "an input refers to it, and a pack of this run would replace it; choose another name with `--pack-name`, or another directory".into(),
                });
            }
        }
        Ok(())
    }

    /// Returns the writer of packs, if there are to be any and this is the first run.
    pub(super) fn take_packs(&self) -> Option<PackSetWriter> {
        self.packs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Processes every input, puts outputs into packs on the calling thread, and passes on the results of inputs whose pack is in
    /// its place.
    pub(super) fn run_with_packs<T: Send>(
        &self,
        writer: PackSetWriter,
        pool: &rayon::ThreadPool,
        prepare: impl Fn(Outcome) -> (T, usize) + Sync,
        mut hand_on: impl FnMut(T),
    ) -> Vec<IoError> {
        let mut pass_on = |mut settled: Vec<Outcome>| {
            while !settled.is_empty() {
                let rest = settled.split_off(settled.len().min(AT_A_TIME));
                let some = std::mem::replace(&mut settled, rest);
                let prepared: Vec<T> = pool.install(|| {
                    let results = some.into_par_iter().map(|outcome| prepare(outcome).0);
                    results.collect()
                });
                prepared.into_iter().for_each(&mut hand_on);
            }
        };
        let mut packer = Packer::new(&self.options, writer);
        let keep = |Done { outcome, packed }| {
            let entries = packed.into_list();
            let len = entries
                .iter()
                .map(|(record, data)| len_of(&outcome, *record, data));
            let len = 1024 + len.sum::<usize>();
            ((outcome, entries), len)
        };
        self.process_all(pool, keep, |(outcome, entries)| {
            let settled = packer.add(outcome, entries);
            if packer.has_failed() || self.options.fail_fast && packer.has_refused() {
                self.failed.store(true, Ordering::Relaxed);
            }
            pass_on(settled);
        });
        let (settled, error) = packer.end(self.found.len());
        pass_on(settled);
        let mut errors = self.finish();
        errors.extend(error);
        errors
    }
}

/// Returns the bytes that an output takes while it waits, in memory or on the disk.
fn len_of(outcome: &Outcome, record: usize, data: &EntryData) -> usize {
    let len = outcome.records[record].bytes.unwrap_or_default();
    let len = usize::try_from(len).unwrap_or(usize::MAX / 4);
    len + size_of_val(data)
}
