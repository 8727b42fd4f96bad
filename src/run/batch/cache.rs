//! The cache: recognising inputs whose outputs are up to date.
//!
//! A [`Journal`] below the output root has a line for each input: the files that it was made of, the options, and the
//! outputs, with a [`Trace`] or [`Stamp`] of each file. All of these are compared with the present files, and a line that
//! cannot be read is ignored, so the journal may be deleted or shortened at any time. Lines are appended during a run, so
//! the work of a run that is killed is not lost. Memory holds only the positions of lines.
//!
//! Images of file systems may have fixed times, so the bytes of inputs on them are always compared ([`FileSystems`]).
//!
//! A file that is changed within the second in which it was noted may keep its stamp, where times are whole seconds. Such notes
//! are marked as uncertain ([`Stamp::may_hide_change`]). The bytes of all their files are compared once, by digest or hash, and
//! the note that is written then is certain.

pub mod entry;
pub mod key;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::SystemTime;

use crate::io::{
    FileSystems, IoError, Journal, Root, Sink, exists, is_link, private_directory, stamp_of,
    stamp_of_file, tag, trace_of,
};
use crate::run::batch::outcome::{Outcome, OutputRecord, Status};
use crate::run::batch::prune::{Places, digest_of};
use entry::{Entry, Product};
use key::Key;
use rigy_base::loader::{FileRead, Trace, is_absence};
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::sync::Mutex;

/// The notes about the inputs of one output root.
pub struct Cache {
    journal: Journal,
    /// The time before this run has read or written any file.
    opened: SystemTime,
    /// The private directory with the journal.
    private: PathBuf,
    /// The directory that relative paths start from.
    directory: PathBuf,
    /// Is done when the private directory has its tags.
    tagged: Once,
    /// Present traces of files whose stamps have changed since they were noted, by route. A file that many inputs are made
    /// of is so read only once.
    changed: Mutex<HashMap<PathBuf, Trace>>,
    file_systems: FileSystems,
    /// A digest of the path of each output in the notes, with the number of its note.
    makers: OnceLock<Vec<(u64, u64)>>,
    /// Digests of the paths of outputs in the notes, as they were named and with links resolved.
    noted: OnceLock<HashSet<u64>>,
    /// Numbers of notes whose outputs this run has all made or found up to date, so that none of them is left.
    complete: Mutex<HashSet<u64>>,
}

/// Returns true if there still is no file where none was found.
fn is_still_absent(file: &FileRead) -> bool {
    stamp_of(&file.route).is_err_and(|error| is_absence(&error))
}

/// The name of the journal in the private directory.
const NAME: &str = "cache";
/// Most notes have no more bytes than this.
const NOTE_LEN: usize = 8 << 10;

impl Cache {
    /// Opens the cache of an output root. If there is none, or it cannot be read, it has no notes.
    pub fn open(root: &Path) -> Self {
        let private = private_directory(root);
        Self {
            journal: Journal::open(&private.join(NAME)),
            opened: SystemTime::now(),
            private,
            directory: std::env::current_dir().unwrap_or_default(),
            tagged: Once::new(),
            changed: Mutex::default(),
            file_systems: FileSystems::default(),
            makers: OnceLock::new(),
            noted: OnceLock::new(),
            complete: Mutex::default(),
        }
    }

    /// Returns the note with a key.
    fn entry(&self, key: &Key) -> Option<Entry<'static>> {
        let text = self.journal.get(key.number())?;
        let entry = serde_json::from_str::<Entry>(&text).ok()?;
        (entry.key == *key).then_some(entry)
    }

    /// Returns true if an earlier run has written the file at `path` as an output of any input with any options, and it has not
    /// changed since. The note with `key` is asked first; where it does not know the file, all notes are read once.
    pub fn has_made(&self, key: &Key, path: &Path) -> bool {
        let place = self.directory.join(path);
        let has_made = |entry: Entry| {
            let mut made = entry.outputs().filter(|made| entry.path_of(made) == place);
            made.any(|made| made.file(&entry).is_unchanged(path))
        };
        if self.entry(key).is_some_and(has_made) {
            return true;
        }
        let makers = self.makers.get_or_init(|| self.all_makers());
        let digest = digest_of(&place);
        let first = makers.partition_point(|(made, _)| *made < digest);
        let makers = makers[first..].iter();
        let mut makers = makers.take_while(|(made, _)| *made == digest);
        makers.any(|(_, number)| {
            let text = self.journal.get(*number);
            let entry = text.and_then(|text| serde_json::from_str(&text).ok());
            entry.is_some_and(has_made)
        })
    }

    /// Returns a digest of the path of each output in the notes, sorted, with the number of its note.
    fn all_makers(&self) -> Vec<(u64, u64)> {
        let mut makers = Vec::new();
        self.journal.for_each(|text| {
            if let Ok(entry) = serde_json::from_str::<Entry>(text) {
                let number = entry.key.number();
                let places = entry.outputs().map(|made| entry.path_of(made));
                makers.extend(places.map(|place| (digest_of(&place), number)));
            }
        });
        makers.sort_unstable();
        makers
    }

    /// Returns true if a note has an output at a path, whatever has become of the file.
    pub fn has_noted(&self, path: &Path) -> bool {
        let noted = self.noted.get_or_init(|| self.all_noted());
        let place = Places::default().of(&self.directory.join(path));
        noted.contains(&digest_of(path)) || noted.contains(&digest_of(&place))
    }

    /// Returns digests of the paths of all outputs in the notes, as they were named and with links resolved.
    fn all_noted(&self) -> HashSet<u64> {
        let (mut noted, mut places) = (HashSet::default(), Places::default());
        self.journal.for_each(|text| {
            if let Ok(entry) = serde_json::from_str::<Entry>(text) {
                for made in entry.outputs() {
                    noted.insert(digest_of(&made.path));
                    noted.insert(digest_of(&places.of(&entry.path_of(made))));
                }
            }
        });
        noted
    }

    /// Returns true if earlier runs have left notes.
    pub fn has_notes(&self) -> bool {
        !self.journal.is_empty()
    }

    /// Returns the paths of the files that an input was made of, if their stamps tell that none of them has changed since.
    pub fn references(&self, key: &Key) -> Option<Vec<PathBuf>> {
        let entry = self.entry(key).filter(|entry| !entry.is_uncertain)?;
        let made_of = entry.made_of;
        let is_same = |file: &FileRead| {
            let stamp = stamp_of(&file.route).ok();
            let is_telling = |stamp| !self.file_systems.may_repeat(&stamp, &file.route);
            stamp.is_none_or(is_telling) && stamp == file.trace.map(|trace| trace.stamp)
        };
        let same = made_of.iter().all(is_same);
        same.then(|| made_of.iter().map(|file| file.route.clone()).collect())
    }

    /// Returns the outcome of an input if neither its files nor its outputs have changed, and its references still lead to
    /// the same files below `root`. If `hash` is true, the hashes of outputs must be known. The
    /// outcome is to be noted again if stamps have changed while bytes have not, or if the note was uncertain.
    pub fn outcome(&self, key: &Key, input: &Path, root: &Root, hash: bool) -> Option<Outcome> {
        let entry = self.entry(key)?;
        let record = |product: &Product| {
            let is_there = product.file(&entry).is_unchanged(&product.path);
            if !is_there || (hash && product.sha256.is_none()) {
                return None;
            }
            let (pose, path) = (product.pose.clone(), Some(product.path.clone()));
            Some(OutputRecord {
                status: Status::Unchanged,
                sha256: product.sha256.clone(),
                bytes: Some(product.stamp.len),
                stamp: Some(product.stamp),
                moment: product.moment.clone(),
                is_beside: product.is_beside,
                ..OutputRecord::new(pose, product.format, path)
            })
        };
        let records = entry.products.iter().map(record);
        let records: Vec<OutputRecord> = records.collect::<Option<_>>()?;
        let now = |file: &FileRead| {
            if file.is_absent {
                return is_still_absent(file).then(|| file.clone());
            }
            let locate = || root.locate(&file.route).ok().flatten();
            let is_there = || locate().as_ref() == Some(&file.location);
            let trace = self
                .unchanged(file, entry.is_uncertain)
                .filter(|_| file.route == input || is_there());
            Some(FileRead {
                trace: Some(trace?),
                ..file.clone()
            })
        };
        let made_of: Vec<FileRead> = entry.made_of.iter().map(now).collect::<Option<_>>()?;
        self.completes(key.number(), &entry.former);
        Some(Outcome {
            is_news: entry.is_uncertain || *made_of != *entry.made_of,
            made_of,
            warnings: entry.warnings.into_owned(),
            known: true,
            ..Outcome::of(input, records, entry.names.into_owned())
        })
    }

    /// Returns the present trace of a file; `None` if its bytes have changed or cannot be compared. They are compared if its stamp
    /// has changed or does not tell, or if the note is uncertain.
    fn unchanged(&self, file: &FileRead, is_uncertain: bool) -> Option<Trace> {
        let (before, stamp) = (file.trace?, stamp_of(&file.route).ok()?);
        let may_repeat = || self.file_systems.may_repeat(&stamp, &file.route);
        if stamp == before.stamp && !is_uncertain && !may_repeat() {
            return Some(before);
        }
        // A link may lead to another file now, so that references form a circle.
        if before.hash.is_none() || stamp.len != before.stamp.len || is_link(&file.route) {
            return None;
        }
        let known = self.changed.lock().get(&file.route).copied();
        let now = match known.filter(|known| known.stamp == stamp) {
            Some(known) => known,
            None => trace_of(&file.route).ok()?,
        };
        self.changed.lock().insert(file.route.clone(), now);
        (now.hash == before.hash).then_some(now)
    }

    /// Notes the outcome of an input that has been processed. Nothing is noted, so that the next run processes the input
    /// again, if its files are not known for certain, or if another file has taken the path of an output meanwhile.
    pub fn note(&self, key: Key, outcome: &Outcome) {
        if !outcome.is_news {
            return;
        }
        let made_of = &outcome.made_of;
        let product = |record: &OutputRecord| {
            let path = record.path.as_ref()?;
            let stamp = stamp_of(path).ok()?;
            if !stamp.has_bytes_of(&record.stamp?) {
                return None;
            }
            Some(Product {
                stamp,
                path: path.clone(),
                pose: record.pose.clone(),
                moment: record.moment.clone(),
                format: record.format,
                is_beside: record.is_beside,
                sha256: record.sha256.clone(),
            })
        };
        let products: Option<Vec<_>> = outcome.records.iter().map(product).collect();
        let Some(products) = products else {
            return;
        };
        let number = key.number();
        let former = self.former(&key, &products);
        self.completes(number, &former);
        let outputs = products.iter().chain(&former).map(|product| product.stamp);
        let read = made_of.iter().filter_map(|file| Some(file.trace?.stamp));
        let entry = Entry {
            key,
            directory: self.directory.clone(),
            is_uncertain: read
                .chain(outputs)
                .any(|stamp| stamp.may_hide_change(self.opened)),
            made_of: made_of.into(),
            products,
            former,
            names: (&outcome.names).into(),
            warnings: (&outcome.warnings).into(),
        };
        // Paths that are not UTF-8 cannot be written as JSON and are not noted.
        let mut text = Vec::with_capacity(NOTE_LEN);
        if serde_json::to_writer(&mut text, &entry).is_ok() {
            self.tagged.call_once(|| tag(&self.private));
            self.journal.add(number, &text);
        }
    }

    /// Remembers that the note with a number is complete, unless earlier runs have left outputs of it.
    fn completes(&self, number: u64, former: &[Product]) {
        if former.is_empty() {
            self.complete.lock().insert(number);
        }
    }

    /// Returns the outputs that the present note of an input has and the next one has not, as far as they are there
    /// unchanged: `--prune` may remove them in a later run.
    fn former(&self, key: &Key, products: &[Product]) -> Vec<Product> {
        let Some(before) = self.entry(key) else {
            return Vec::new();
        };
        let made: HashSet<&Path> = products.iter().map(|product| &*product.path).collect();
        let is_left = |product: &&Product| {
            let path = &*product.path;
            !made.contains(path) && product.file(&before).is_unchanged(path)
        };
        before.outputs().filter(is_left).cloned().collect()
    }

    /// Writes the notes to the journal. If that has grown too long, it is rewritten with the notes of this build of the program
    /// about inputs that exist, and with those that have an output that is still there and in none of these.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn keep(&self, sink: &Sink, program: &str) -> Result<(), IoError> {
        if self.journal.was_there() {
            self.tagged.call_once(|| tag(&self.private));
        }
        let is_present = |entry: &Entry| entry.key.program == program && exists(&entry.key.input);
        let claimed = OnceCell::new();
        self.journal.finish(sink, |text| {
            let Ok(entry) = serde_json::from_str::<Entry>(text) else {
                return false;
            };
            let claimed = || claimed.get_or_init(|| self.outputs_of(&is_present));
            is_present(&entry)
                || (entry
                    .outputs()
                    .map(|product| (entry.path_of(product), product)))
                .any(|(path, product)| {
                    let stamp = || stamp_of_file(&path);
                    !claimed().contains(&path) && stamp() == Some(product.stamp)
                })
        })
    }

    /// Returns the paths of all outputs in those present notes for which `is_chosen` returns true.
    fn outputs_of(&self, is_chosen: &dyn Fn(&Entry) -> bool) -> HashSet<PathBuf> {
        let mut paths = HashSet::default();
        Journal::open(&self.private.join(NAME)).for_each(|text| {
            let entry = serde_json::from_str::<Entry>(text);
            if let Some(entry) = entry.ok().filter(is_chosen) {
                paths.extend(entry.outputs().map(|product| entry.path_of(product)));
            }
        });
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::batch::OutputFormat;
    use std::fs;

    #[test]
    fn an_output_that_another_run_has_replaced_is_not_up_to_date() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.glb");
        let key = Key {
            input: path.clone(),
            program: String::new(),
            job: String::new(),
        };
        let known = |another: bool| {
            let sink = Sink::new(root.path(), false).unwrap();
            let cache = Cache::open(root.path());
            fs::write(&path, "ours").unwrap();
            let mut record = OutputRecord::new(None, OutputFormat::Glb, Some(path.clone()));
            record.stamp = stamp_of(&path).ok();
            if another {
                fs::write(root.path().join("theirs"), "ours").unwrap();
                fs::rename(root.path().join("theirs"), &path).unwrap();
            }
            let mut outcome = Outcome::of(&path, vec![record], Vec::new());
            outcome.is_news = true;
            cache.note(key.clone(), &outcome);
            cache.keep(&sink, "").unwrap();
            drop((cache, sink)); // closes the files that are to be removed
            let inputs = Root::at(root.path().to_owned());
            let outcome = Cache::open(root.path()).outcome(&key, &path, &inputs, false);
            let _ = fs::remove_dir_all(private_directory(root.path()));
            outcome.is_some()
        };
        assert!(known(false));
        assert!(!known(true));
    }
}
