//! Removing or counting the outputs of earlier runs that this run has not made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Batch, Sources};
use crate::io::{FileId, Found, IoError, Target, is_missing};
use crate::run::batch::cache::Cache;
use crate::run::batch::cache::entry::NotedOutput;
use crate::run::batch::outcome::{Outcome, OutputRecord, Status};
use crate::run::batch::prune::{Judge, Judged, OutputRoot, Places, SearchedPath, digest_of};
use crate::run::batch::work::job::Work;
use rigy_base::maps::HashSet;

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

/// Files that were removed, or could be, by the path for reports of their input, then by their own.
type Removed = BTreeMap<(PathBuf, PathBuf), NotedOutput>;

impl<W: Work> Batch<W> {
    /// Removes the outputs of earlier runs that this run has not made, if the [options](super::Options::prune) ask for it. In a dry run
    /// nothing is removed, and the outcomes say what would be.
    ///
    /// It is to be called after [`run`](Self::run). If that has not processed every input, nothing is removed.
    pub fn prune(&self) -> Pruned {
        let mut pruned = Pruned::default();
        if !self.options.prune {
            return pruned;
        }
        let mut removed = Removed::new();
        self.for_each_root(|place, judged, searched, sources| {
            let spared = judged.spared.iter().map(|index| &searched[*index].shown);
            pruned.spared.extend(spared.cloned());
            let failures = self.remove_offered(place, judged, sources, &mut removed);
            pruned.failures.extend(failures);
        });
        pruned.spared.sort();
        pruned.spared.dedup();
        pruned.outcomes = outcomes(removed);
        pruned
    }

    /// Returns the outputs of earlier runs that this run has not made, by output root, if they are not to be removed. Files
    /// that inputs refer to are among them, because finding these would take a look at every input.
    ///
    /// It is to be called after [`run`](Self::run). If that has not processed every input, there are none.
    pub fn leftovers(&self) -> BTreeMap<PathBuf, Vec<PathBuf>> {
        let mut left = BTreeMap::new();
        if self.options.prune {
            return left;
        }
        self.for_each_root(|place, judged, _, sources| {
            let mut found = Removed::new();
            let failures = self.remove_offered(place, judged, sources, &mut found);
            debug_assert!(failures.is_empty(), "nothing is removed");
            if !found.is_empty() {
                let paths = found.into_keys().map(|(_, shown)| shown);
                left.insert(place.0.to_owned(), paths.collect());
            }
        });
        left
    }

    /// Calls `visit` with each output root and its cache, the decisions about its notes, the PATHs and the files that the run reads. Does
    /// nothing if the run has not processed every input, or does not use the cache.
    fn for_each_root(
        &self,
        mut visit: impl FnMut((&Path, &Cache), Judged, &[SearchedPath], &Sources),
    ) {
        let mut made = std::mem::take(&mut *self.made.lock());
        let has_processed_all = made.processed >= self.found.len() && !self.is_stopped();
        let has_notes = || self.caches.values().any(Cache::may_have_left);
        if !has_processed_all || !self.options.uses_cache() || !has_notes() {
            return;
        }
        made.sort();
        let searched: Vec<SearchedPath> = (self.options.paths.iter())
            .map(|path| {
                let found = self.found.iter().chain(&self.of_other_shards);
                SearchedPath::new(path, &self.keys.directory, found)
            })
            .collect();
        let mut inputs: Vec<(u64, u32)> = self
            .found
            .iter()
            .zip(0..)
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
        for (root, cache) in self.caches.iter().collect::<BTreeMap<_, _>>() {
            let mut judged = Judged::default();
            cache.for_each_note(|note| judged.add(note, &judge));
            visit((root, cache), judged, &searched, &sources);
        }
    }

    /// Removes the leftovers below one output root, or only finds them if they are not to be removed. Returns the failures.
    fn remove_offered(
        &self,
        (root, cache): (&Path, &Cache),
        mut judged: Judged,
        sources: &Sources,
        removed: &mut Removed,
    ) -> Vec<IoError> {
        let offers = std::mem::take(&mut judged.offers);
        let mut remover = Remover {
            batch: self,
            root: OutputRoot::new(root, &self.keys.directory),
            sources,
            places: Places::default(),
            seen: HashSet::default(),
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
        if !self.options.prune {
            return failures;
        }
        let empty: Vec<u64> = offers
            .iter()
            .zip(stays)
            .filter(|(_, stays)| !stays)
            .map(|(offer, _)| offer.number)
            .collect();
        if let Some(sink) = self.sinks.get(root).filter(|_| !empty.is_empty()) {
            failures.extend(cache.forget(&empty, sink).err());
        }
        failures
    }

    /// Returns true if the run reads a file, or may do so. References are looked at only if the file would be removed.
    fn is_read(&self, path: &Path, sources: &Sources) -> bool {
        match FileId::existing(path) {
            Ok(None) => false,
            Ok(Some(file)) if sources.input_that_is(file).is_some() => true,
            Ok(_) if !self.options.prune => false,
            Ok(_) => !matches!(sources.reference_at(path), Ok(None)),
            Err(_) => true,
        }
    }

    /// Returns true if leftovers are looked for after the run. Without notes there are none.
    pub(super) fn looks_for_leftovers(&self) -> bool {
        self.options.uses_cache() && self.caches.values().any(Cache::has_notes)
    }

    /// Adds the facts about an input that pruning needs.
    pub(super) fn add_made(&self, outcome: &Outcome, input: &Path) {
        if self.may_have_leftovers {
            let mut made = self.made.lock();
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

    /// Removes one file, if that is asked for and this is no dry run. It is no failure if it is gone already.
    fn remove(&mut self, input: &Path, output: &NotedOutput) {
        let options = &self.batch.options;
        if options.prune
            && !options.dry_run
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
