//! Removing what earlier runs have left and nothing makes any more.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::{Batch, Sources};
use crate::io::{Found, IoError, KnownFile, Target, is_missing};
use crate::run::batch::cache::Cache;
use crate::run::batch::cache::notes::{Note, NotedOutput};
use crate::run::batch::outcome::{Outcome, OutputRecord, Status};
use crate::run::batch::prune::places::{Kept, Places};
use crate::run::batch::prune::{Inputs, Judge, Judged, Leftover};
use crate::run::batch::work::{Standing, Work};

/// Files that were removed, or would be, by the path for reports of their input, then by their own.
type Removed = BTreeMap<(PathBuf, PathBuf), NotedOutput>;

impl<W: Work> Batch<W> {
    /// Removes the outputs of earlier runs that this run has not made, if the [options](super::Options::prune) ask for it. Returns an
    /// outcome for each of their inputs, sorted by path, whose records have the status [`Removed`](Status::Removed), and the
    /// failures. In a dry run nothing is removed.
    ///
    /// It is to be called after [`run`](Self::run). If that has not processed every input, nothing is removed.
    #[must_use = "the failures are in no outcome"]
    pub fn prune(&self) -> (Vec<Outcome>, Vec<IoError>) {
        let Some(searched) = &self.options.prune else {
            return (Vec::new(), Vec::new());
        };
        let inputs =
            std::mem::take(&mut *(self.processed.lock()).unwrap_or_else(PoisonError::into_inner));
        if inputs.len() < self.found.len() || self.is_stopped() {
            return (Vec::new(), Vec::new());
        }
        let absolute = |path: &PathBuf| {
            let place = self.keys.directory.join(path);
            (std::path::absolute(&place).unwrap_or(place), path.clone())
        };
        let searched: Vec<_> = searched.iter().map(absolute).collect();
        let (mut removed, mut errors) = (Removed::new(), Vec::new());
        for (root, cache) in self.caches.iter().collect::<BTreeMap<_, _>>() {
            let judge = Judge {
                cache,
                inputs: &inputs,
                searched: &searched,
                shard: self.options.shard,
                judges: &|pose, animation, names| self.work.judges(pose, animation, names),
            };
            errors.extend(self.prune_root((root, cache), &judge, &mut removed));
        }
        (outcomes(removed), errors)
    }

    /// Removes the leftovers below one output root. Returns the failures.
    fn prune_root(
        &self,
        (root, cache): (&PathBuf, &Cache),
        judge: &Judge<'_>,
        removed: &mut Removed,
    ) -> Vec<IoError> {
        let notes = cache.notes();
        let judged = judge.judge(&notes);
        let mut places = Places::new(root, &self.keys.directory);
        let mut made = Kept::default();
        let outputs = judge.inputs.values().flat_map(|input| input.outputs());
        outputs.for_each(|path| made.add(places.of(path)));
        let mut kept = Kept::default();
        judged
            .kept
            .iter()
            .for_each(|path| kept.add(places.of(path)));
        let references_of = |input: &Found| self.references_of(input);
        let sources = Sources::new(&self.found, &self.of_other_shards, &references_of);
        let mut errors = Vec::new();
        let Judged {
            leftovers,
            offering,
            ..
        } = judged;
        let frames = judge.frames(&notes).into_iter().map(|one| (one, false));
        let leftovers = leftovers.into_iter().map(|one| (one, true));
        let mut seen = HashSet::new();
        for (Leftover { input, output }, may_be_kept) in frames.chain(leftovers) {
            let Some(place) = places.below_root(&output.path) else {
                continue;
            };
            let stays = made.has(&place) || (may_be_kept && kept.has(&place));
            if stays || !output.is_there() || self.is_read(&output.path, &sources) {
                continue;
            }
            if self.is_stopped() {
                break;
            }
            if !seen.insert(place) {
                continue;
            }
            match self.remove(&output.path) {
                Ok(()) => drop(removed.insert((input, output.shown.clone()), output.clone())),
                Err(error) => errors.push(error),
            }
        }
        errors.extend(self.forget(root, cache, &offering).err());
        errors
    }

    /// Returns true if the run reads a file, or may do so.
    fn is_read(&self, path: &Path, sources: &Sources<'_>) -> bool {
        let is_input = || -> std::io::Result<bool> {
            let Some(file) = KnownFile::existing(path)? else {
                return Ok(false);
            };
            Ok(sources.input_that_is(&file)?.is_some()
                || (self.work.standing_of(path) != Standing::Output
                    && sources.reference_at(path)?.is_some()))
        };
        is_input().unwrap_or(true)
    }

    /// Removes one file, except in a dry run. It is no failure if it is gone already.
    fn remove(&self, path: &Path) -> Result<(), IoError> {
        if self.options.dry_run {
            return Ok(());
        }
        match Target::new(path).remove() {
            Err(error) if !is_missing(path) => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes the cache forget those notes of which no output is left.
    fn forget(&self, root: &Path, cache: &Cache, notes: &[&Note]) -> Result<(), IoError> {
        let Some(sink) = self.sinks.get(root) else {
            return Ok(());
        };
        let is_empty = |note: &&&Note| !note.all().any(NotedOutput::is_there);
        let empty: Vec<&Note> = notes.iter().filter(is_empty).copied().collect();
        match empty.is_empty() {
            true => Ok(()),
            false => cache.forget(empty.into_iter(), sink),
        }
    }

    /// Notes the facts about an input that pruning needs.
    pub(super) fn add_processed(&self, input: PathBuf, facts: impl FnOnce() -> super::Processed) {
        if self.options.prune.is_some() {
            let processed = self.processed.lock();
            let mut processed: std::sync::MutexGuard<'_, Inputs> =
                processed.unwrap_or_else(PoisonError::into_inner);
            processed.insert(input, facts());
        }
    }
}

/// Returns an outcome for each input.
fn outcomes(removed: Removed) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for ((input, shown), output) in removed {
        let record = OutputRecord {
            status: Status::Removed,
            moment: output.moment,
            is_beside: output.is_beside,
            ..OutputRecord::new(output.pose, output.format, Some(shown))
        };
        match outcomes.last_mut().filter(|last| last.input == input) {
            Some(last) => last.records.push(record),
            None => outcomes.push(Outcome::of(&input, vec![record], Vec::new())),
        }
    }
    outcomes
}
