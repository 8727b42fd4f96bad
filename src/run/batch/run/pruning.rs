//! Removing the outputs of earlier runs that this run has not made.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::{Batch, Sources};
use crate::io::{Found, IoError, KnownFile, Target, is_missing};
use crate::run::batch::cache::Cache;
use crate::run::batch::cache::notes::NotedOutput;
use crate::run::batch::outcome::{Outcome, OutputRecord, Status};
use crate::run::batch::prune::made::digest_of;
use crate::run::batch::prune::places::{OutputRoot, Places};
use crate::run::batch::prune::{Judge, Judged, SearchedPath};
use crate::run::batch::work::{Standing, Work};

/// The result of pruning.
#[derive(Debug, Default)]
#[must_use = "the failures are in no outcome"]
pub struct Pruned {
    /// An outcome for each input with removed outputs, sorted by path. Its records have the status [`Removed`](Status::Removed).
    pub outcomes: Vec<Outcome>,
    /// The PATHs in which no input was found, and of which outputs of earlier runs stay for that reason.
    pub spared: Vec<PathBuf>,
    /// Files that could not be removed, and caches that could not be written.
    pub failures: Vec<IoError>,
}

/// Files that were removed, or would be, by the path for reports of their input, then by their own.
type Removed = BTreeMap<(PathBuf, PathBuf), NotedOutput>;

impl<W: Work> Batch<W> {
    /// Removes the outputs of earlier runs that this run has not made, if the [options](super::Options::prune) ask for it. In a dry run
    /// nothing is removed, and the outcomes say what would be.
    ///
    /// It is to be called after [`run`](Self::run). If that has not processed every input, nothing is removed.
    pub fn prune(&self) -> Pruned {
        let Some(paths) = &self.options.prune else {
            return Pruned::default();
        };
        let mut made =
            std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner));
        if made.processed < self.found.len() || self.is_stopped() {
            return Pruned::default();
        }
        made.sort();
        let searched: Vec<SearchedPath> = (paths.iter())
            .map(|path| {
                let found = self.found.iter().chain(&self.of_other_shards);
                SearchedPath::new(path, &self.keys.directory, found)
            })
            .collect();
        let inputs = self.found.iter().zip(0..);
        let mut inputs: Vec<(u64, u32)> = inputs
            .map(|(input, index)| (digest_of(&self.keys.input(input)), index))
            .collect();
        inputs.sort_unstable();
        let judge = Judge {
            made: &made,
            inputs: &inputs,
            found: &self.found,
            searched: &searched,
            shard: self.options.shard,
        };
        let references_of = |input: &Found| self.references_of(input);
        let sources = Sources::new(&self.found, &self.of_other_shards, &references_of);
        let mut pruned = Pruned::default();
        let mut removed = Removed::new();
        for (root, cache) in self.caches.iter().collect::<BTreeMap<_, _>>() {
            let mut judged = Judged::default();
            cache.for_each_note(|note| judged.add(note, &judge));
            let spared = judged.spared.iter().map(|index| &searched[*index].shown);
            pruned.spared.extend(spared.cloned());
            let failures = self.remove_offered((root, cache), judged, &sources, &mut removed);
            pruned.failures.extend(failures);
        }
        pruned.spared.sort();
        pruned.spared.dedup();
        pruned.outcomes = outcomes(removed);
        pruned
    }

    /// Removes the leftovers below one output root. Returns the failures.
    fn remove_offered(
        &self,
        (root, cache): (&Path, &Cache),
        mut judged: Judged,
        sources: &Sources<'_>,
        removed: &mut Removed,
    ) -> Vec<IoError> {
        let offers = std::mem::take(&mut judged.offers);
        let mut remover = Remover {
            batch: self,
            root: OutputRoot::new(root, &self.keys.directory),
            sources,
            places: Places::default(),
            seen: HashSet::new(),
            removed,
            failures: Vec::new(),
        };
        let mut stays = Vec::with_capacity(offers.len());
        for offer in &offers {
            let main_stays = remover.remove_all(&offer.input, &offer.main, &judged);
            // Another shard may have begun to use a file that inputs share.
            if main_stays || self.options.shard.is_some() {
                judged.keep(&offer.beside);
            }
            stays.push(main_stays || offer.has_made);
        }
        // Files beside other outputs come last, because they stay with these.
        for (offer, stays) in offers.iter().zip(&mut stays) {
            *stays |= remover.remove_all(&offer.input, &offer.beside, &judged);
        }
        let mut failures = remover.failures;
        let empty = offers.iter().zip(stays).filter(|(_, stays)| !stays);
        let empty: Vec<u64> = empty.map(|(offer, _)| offer.number).collect();
        if let Some(sink) = self.sinks.get(root).filter(|_| !empty.is_empty()) {
            failures.extend(cache.forget(&empty, sink).err());
        }
        failures
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

    /// Adds the facts about an input that pruning needs.
    pub(super) fn add_made(&self, outcome: &Outcome, input: &Path) {
        if self.options.prune.is_some() {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            made.add(outcome, input, &self.keys.directory);
        }
    }
}

/// Removes leftovers below one output root.
struct Remover<'a, W> {
    batch: &'a Batch<W>,
    root: OutputRoot,
    sources: &'a Sources<'a>,
    places: Places,
    /// Digests of the places of leftovers so far.
    seen: HashSet<u64>,
    removed: &'a mut Removed,
    failures: Vec<IoError>,
}

impl<W: Work> Remover<'_, W> {
    /// Removes those outputs of an input that are leftovers. Returns true if one of the others is there.
    fn remove_all(&mut self, input: &Path, outputs: &[NotedOutput], judged: &Judged) -> bool {
        let mut stays = false;
        for output in outputs {
            let place = self.places.of(&output.path);
            if !self.is_leftover(output, &place, judged) {
                stays |= !is_missing(&output.path);
            } else if self.seen.insert(digest_of(&place)) {
                self.remove(input, output);
            }
        }
        stays
    }

    fn is_leftover(&self, output: &NotedOutput, place: &Path, judged: &Judged) -> bool {
        self.root.holds(&output.path, place)
            && !judged.keeps(place)
            && output.is_there()
            && !self.batch.is_read(&output.path, self.sources)
            && !self.batch.is_stopped()
    }

    /// Removes one file, except in a dry run. It is no failure if it is gone already.
    fn remove(&mut self, input: &Path, output: &NotedOutput) {
        if !self.batch.options.dry_run
            && let Err(error) = Target::new(&output.path).remove()
            && !is_missing(&output.path)
        {
            return self.failures.push(error);
        }
        let key = (input.to_owned(), output.shown.clone());
        self.removed.insert(key, output.clone());
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
