//! What is known about the objects of a bucket.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::{ObjectMeta, UpdateVersion};
use tokio::sync::OnceCell;

use super::mirror::Mirrored;
use super::place::is_below;
use crate::base::loader::digest;
use crate::io::system::ObjectStat;

/// Most objects that an index takes from listings.
pub(super) const MOST_LISTED: usize = 1_000_000;

/// Objects by their keys.
#[derive(Debug, Default)]
pub(super) struct Index {
    entries: BTreeMap<Box<str>, Entry>,
    /// Prefixes whose objects all are in the index.
    whole: Vec<String>,
}

/// What is known about one key.
#[derive(Debug, Default)]
struct Entry {
    /// `None` if nothing is known, `Some(None)` if there is no object.
    object: Option<Option<Known>>,
    /// The bytes, once they are asked for.
    bytes: Option<Bytes>,
    /// True once the bytes have been read: they are not to change from then on.
    was_read: bool,
}

/// The file with the bytes of an object, which one caller fetches while the others wait.
pub(super) type Bytes = Arc<OnceCell<Arc<Mirrored>>>;

/// What a store has said about an object.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub stat: ObjectStat,
    pub version: UpdateVersion,
}

impl Known {
    pub fn new(meta: &ObjectMeta) -> Self {
        let version = UpdateVersion {
            e_tag: meta.e_tag.clone(),
            version: meta.version.clone(),
        };
        // Listings and answers about one object say the same in two ways: some listings have no quotes around ETags, and times in answers
        // are whole seconds.
        let tag = version.e_tag.as_ref().map(|tag| tag.trim_matches('"'));
        let name = tag.or(version.version.as_deref());
        let seconds = u64::try_from(meta.last_modified.timestamp()).unwrap_or(0);
        let stat = ObjectStat {
            len: meta.size,
            modified: SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
            version: digest(name.unwrap_or_default().as_bytes())[0],
        };
        Self { stat, version }
    }
}

impl Index {
    /// Returns what is known about a key; `None` if nothing is known, `Some(None)` if there is no object.
    pub fn get(&self, key: &str) -> Option<Option<&Known>> {
        match self.get_noted(key) {
            Some(object) => Some(object.as_ref()),
            None => self.is_listed(key).then_some(None),
        }
    }

    fn get_noted(&self, key: &str) -> Option<&Option<Known>> {
        self.entries.get(key)?.object.as_ref()
    }

    /// Returns true if all objects with this key or below it are known.
    fn is_listed(&self, key: &str) -> bool {
        // The listing of a prefix has what lies below it, and not an object of that very name.
        let has = |prefix: &String| is_below(key, prefix) && key != prefix;
        self.whole.iter().any(has)
    }

    /// Returns true if an object is known whose key continues with a slash after `prefix`.
    pub fn has_below(&self, prefix: &str) -> bool {
        self.objects_from(&start_of(prefix)).next().is_some()
    }

    /// Returns the keys of objects that begin with `start`.
    fn objects_from<'s>(&'s self, start: &'s str) -> impl Iterator<Item = &'s str> {
        let from = (Bound::Included(start), Bound::Unbounded);
        let entries = self.entries.range::<str, _>(from);
        let entries = entries.take_while(move |(key, _)| key.starts_with(start));
        let present = entries.filter(|(_, entry)| matches!(entry.object, Some(Some(_))));
        present.map(|(key, _)| &**key)
    }

    /// Adds an object from a listing, unless there are too many. One that is known already stays as it is.
    pub fn add_listed(&mut self, key: &str, known: Known) {
        if !self.is_full() && self.get_noted(key).is_none() {
            self.note(key, Some(known));
        }
    }

    /// Returns the keys of all objects below a prefix, relative to it, in order; `None` if not all are known.
    pub fn keys_below(&self, prefix: &str) -> Option<Vec<String>> {
        self.whole.iter().find(|whole| **whole == prefix)?;
        let start = start_of(prefix);
        let objects = self.objects_from(&start);
        Some(objects.map(|key| key[start.len()..].to_owned()).collect())
    }

    /// Says that all objects below a prefix have been added.
    pub fn set_whole(&mut self, prefix: &str) {
        self.whole.push(prefix.to_owned());
    }

    /// Returns true if further objects of listings are not added.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= MOST_LISTED
    }

    /// Notes what a store has said about a key.
    pub fn note(&mut self, key: &str, object: Option<Known>) {
        self.entry(key).object = Some(object);
    }

    /// Notes an object whose bytes have been read.
    pub fn note_read(&mut self, key: &str, known: Known) {
        let entry = self.entry(key);
        (entry.object, entry.was_read) = (Some(Some(known)), true);
    }

    /// Notes an object that this run has written.
    pub fn note_written(&mut self, key: &str, known: Known) {
        *self.entry(key) = Entry {
            object: Some(Some(known)),
            ..Entry::default()
        };
    }

    /// Returns the ETag of an object that has been read before, whose bytes must be the same when they are read again.
    pub fn tag_read(&self, key: &str) -> Option<String> {
        let entry = self.entries.get(key).filter(|entry| entry.was_read)?;
        entry.object.as_ref()?.as_ref()?.version.e_tag.clone()
    }

    /// Returns the place for the bytes of an object.
    pub fn bytes(&mut self, key: &str) -> Bytes {
        self.entry(key).bytes.get_or_insert_default().clone()
    }

    /// Forgets the bytes of an object.
    pub fn forget_bytes(&mut self, key: &str) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.bytes = None;
        }
    }

    /// Forgets all about an object.
    pub fn forget(&mut self, key: &str) {
        self.entries.remove(key);
    }

    fn entry(&mut self, key: &str) -> &mut Entry {
        if !self.entries.contains_key(key) {
            self.entries.insert(key.into(), Entry::default());
        }
        self.entries
            .get_mut(key)
            .expect("it has just been inserted")
    }
}

/// Returns what the keys of objects below a prefix begin with.
fn start_of(prefix: &str) -> String {
    match prefix {
        "" => String::new(),
        prefix => format!("{prefix}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_and_an_answer_say_the_same_about_an_object() {
        let stat = |milliseconds, tag: &str| {
            let at = SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
            let meta = ObjectMeta {
                location: "a".into(),
                last_modified: at.into(),
                size: 7,
                e_tag: Some(tag.into()),
                version: None,
            };
            Known::new(&meta).stat
        };
        let answered = stat(5000, "\"0x1\"");
        assert_eq!(stat(5250, "0x1"), answered);
        assert!(stat(6000, "0x1") != answered && stat(5000, "0x2") != answered);
    }
}
