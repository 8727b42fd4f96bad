//! Keys that authors write for fields which the language calls otherwise.

use super::{Field, Form, Presence, Record};
use crate::version::Version;
use crate::yaml::{Entry, Kind};

/// Fields, and what other programs or other places of the language call them.
const OTHER_WORDS: [(&str, &[&str]); 16] = [
    ("id", &["name", "label", "title", "identifier"]),
    (
        "translation",
        &["position", "location", "pos", "origin", "translate"],
    ),
    ("rotation", &["orientation", "quaternion"]),
    ("import", &["source", "part", "file"]),
    ("source", &["import", "file", "path", "uri", "url"]),
    ("base", &["source", "import", "part"]),
    ("dimensions", &["size", "sizes", "extents"]),
    ("type", &["shape", "kind", "primitive"]),
    (
        "base_color",
        &["color", "colour", "rgba", "diffuse", "albedo"],
    ),
    ("head", &["start", "begin"]),
    ("tail", &["end", "tip"]),
    ("bone_id", &["joint", "name"]),
    ("primitive_id", &["part", "shape"]),
    ("weight", &["value", "influence"]),
    ("bones", &["joints", "influences"]),
    ("vertices", &["indices"]),
];

impl Record {
    /// Returns the field that a mapping lacks and that the key of an entry is another word for.
    pub fn called(
        &self,
        entries: &[Entry],
        entry: &Entry,
        version: Version,
    ) -> Option<&'static str> {
        OTHER_WORDS
            .iter()
            .filter(|(_, others)| others.contains(&&*entry.key))
            .filter_map(|(field, _)| self.field(field))
            .find(|field| is_absent(field, entries, version))
            .map(|field| field.name)
    }

    /// Returns the field that a mapping lacks and that an entry with an unknown key is likely meant for: the only one that has
    /// the key among its words, or is required and has a word of the key; or, where no other key is unknown, the only required one,
    /// if the value is of its form.
    pub fn meant(
        &self,
        entries: &[Entry],
        entry: &Entry,
        kind: &Kind,
        version: Version,
    ) -> Option<&'static str> {
        let absent = self
            .fields
            .iter()
            .filter(|field| is_absent(field, entries, version));
        let is_required = |field: &&Field| field.presence == Presence::Required;
        let unknown = entries
            .iter()
            .filter(|e| !self.accepts(&e.key, version))
            .count();
        let by_word = only(absent.clone().filter(|field| {
            let is_it = |word: &str| word == entry.key;
            let is_part = |word: &str| entry.key.split('_').any(|part| part == word);
            field
                .name
                .split('_')
                .any(|word| is_it(word) || is_required(field) && is_part(word))
        }));
        let by_form = || only(absent.filter(is_required)).filter(|field| field.form.fits(kind));
        by_word
            .or_else(|| (unknown == 1).then(by_form).flatten())
            .map(|field| field.name)
    }
}

fn is_absent(field: &Field, entries: &[Entry], version: Version) -> bool {
    field.since <= version && entries.iter().all(|entry| entry.key != field.name)
}

fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

impl Form {
    /// Returns true for a value that few other forms have: texts fit none.
    fn fits(self, kind: &Kind) -> bool {
        match (self, kind) {
            (Self::Tuple(len, _), Kind::Seq(items)) => items.len() == len,
            (Self::List(_) | Self::OneOrMore(_), Kind::Seq(_)) => true,
            (Self::Map(_) | Self::Record(_) | Self::OneOrMore(_), Kind::Map(_)) => true,
            (Self::Number, Kind::Int(_) | Kind::Float(_)) => true,
            _ => false,
        }
    }
}
