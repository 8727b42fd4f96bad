//! Reads mappings of fields, and reports unknown and missing fields.

use super::reader::{Read, Reader};
use super::shapes::{record_shape, with_article};
use crate::model::Shape;
use crate::model::rigging::POSE_BONE;
use crate::schema::{Form, Presence, Record};
use crate::version::Feature;
use crate::yaml::{Entry, Kind, NodeId};
use rigy_base::diag::{Code, Diagnostic, Mend, Span, quoted};

/// A mapping whose unknown keys have been reported.
pub struct Object<'r, 't, 's> {
    pub reader: &'r Reader<'t, 's>,
    entries: &'t [Entry<'s>],
    /// Its fields, and its name in messages.
    record: &'static Record,
    /// The fields that unknown keys are likely misspellings of.
    misspelt: Vec<String>,
    pub span: Span,
}

impl<'t, 's> Reader<'t, 's> {
    /// Returns a mapping of these fields, and reports other keys.
    pub fn object(&self, id: NodeId, record: &'static Record) -> Option<Object<'_, 't, 's>> {
        let Kind::Map(entries) = &self.node(id).kind else {
            let wanted = format!("{}, which is a mapping", with_article(record.name));
            let help = record_shape(record, &self.node(id).kind);
            return self.fail(self.mismatch(id, &wanted).help(help));
        };
        let mut misspelt = Vec::new();
        let mut next = 0;
        for entry in entries {
            match record.position(&entry.key, next) {
                Some(at) if record.fields[at].accepted <= self.version => next = at + 1,
                _ => misspelt.extend(self.unknown_field(entry, entries, record)),
            }
        }
        Some(Object {
            reader: self,
            entries,
            record,
            misspelt,
            span: self.span(id),
        })
    }

    /// Reports a key of a mapping that is no field; returns the field of the declared version that it likely means.
    pub fn unknown_field(
        &self,
        entry: &Entry,
        entries: &[Entry],
        record: &'static Record,
    ) -> Option<String> {
        if self.is_full() {
            return None; // the fault would be dropped
        }
        let message = format!("{} has no field `{}`", with_article(record.name), entry.key);
        let error = Diagnostic::new(self.version.unknown_field(), self.key_span(entry), message);
        if let Some(later) = record.field(&entry.key) {
            let (since, declared) = (later.since, self.version);
            let help = format!("version {since} introduced it; this document declares {declared}");
            return self.fail(error.help(help).mend(Mend::Declare(since.to_string())));
        }
        let fields = record.names(self.version);
        let glued = glued(&entry.key, &fields);
        let called = record.called(entries, entry, self.version);
        let near = match called {
            Some(_) => None,
            None => self.nearest(
                &entry.key,
                fields.iter().copied().filter(|field| {
                    entries.len() > fields.len() || entries.iter().all(|e| e.key != **field)
                }),
            ),
        };
        let may_be_meant = called.is_none() && near.is_none() && entries.len() <= fields.len();
        let called = if may_be_meant && self.is_thorough() {
            record.meant(entries, entry, &self.node(entry.value).kind, self.version)
        } else {
            called
        };
        let error = match (glued, called.or(near)) {
            (Some((field, value)), _) => {
                let written = format!("{field}: {value}");
                let error = error.help(format!("write `{written}`, with a colon and a space"));
                // A value after the key would become a part of this one.
                if self.node(entry.value).span.start <= entry.key_span.end {
                    error.written_as(&*entry.key, written)
                } else {
                    error
                }
            }
            (None, Some(field)) if called.is_some() => {
                let mut error = error.called(&entry.key, field);
                if let Some(example) = example(field) {
                    error.add_help(&example);
                }
                error
            }
            (None, Some(field)) => error.did_you_mean(&entry.key, field),
            (None, None) if (record.id, &*entry.key) == (POSE_BONE.id, "scale") => {
                error.help(RIGID_BONES)
            }
            (None, None) => {
                error.help(format!("its fields are {}", quoted(fields.iter().copied())))
            }
        };
        let near = glued.map(|(field, _)| field).or(called).or(near);
        let _: Option<()> = self.fail(error);
        near.map(str::to_owned)
    }
}

impl Object<'_, '_, '_> {
    /// Checks, in debug builds, that the table has the field, with one of these presences.
    fn check(&self, field: &str, expected: &[Presence]) {
        debug_assert!(
            self.record
                .field(field)
                .is_some_and(|field| expected.contains(&field.presence)),
            "the table of a {} has another `{field}` than {expected:?}",
            self.record.name,
        );
    }

    fn find(&self, field: &str) -> Option<NodeId> {
        let entry = self.entries.iter().find(|entry| entry.key == field);
        entry.map(|entry| entry.value)
    }

    pub fn span(&self) -> Span {
        self.span
    }

    /// Reports a fault of the whole mapping without a code of its own.
    pub fn fail<T>(&self, message: &str) -> Option<T> {
        self.reader
            .fail(Diagnostic::new(Code::U10, self.span, message))
    }

    /// Returns true if an unknown key is likely a misspelling of this field.
    pub fn is_misspelt(&self, field: &str) -> bool {
        self.misspelt.iter().any(|known| known == field)
    }

    /// Returns the span of a field's key, if the mapping has the field.
    pub fn key_span(&self, field: &str) -> Option<Span> {
        let entry = self.entries.iter().find(|entry| entry.key == field);
        entry.map(|entry| self.reader.key_span(entry))
    }

    /// Adds a use of a feature of version 0.5, if the mapping has the field.
    pub fn uses_feature(&self, field: &str, name: &'static str) {
        if let Some(span) = self.key_span(field) {
            self.reader.use_feature(name, Feature::Poses, span);
        }
    }

    /// Reads a required field; reports `V34` if it is missing.
    pub fn required<T>(&self, field: &str, read: impl Read<T>) -> Option<T> {
        self.check(field, &[Presence::Required, Presence::Dependent]);
        match self.find(field) {
            Some(id) => self.reader.read(id, read),
            None => self.missing(field),
        }
    }

    /// Reports a required field that is missing (`V34`).
    fn missing<T>(&self, field: &str) -> Option<T> {
        // It has been reported as a misspelling, or by another word.
        if self.is_misspelt(field) {
            return None;
        }
        let message = format!("this {} has no `{field}`", self.record.name);
        let error = Diagnostic::new(Code::V34, self.span, message);
        let form = self.record.field(field).map(|field| field.form);
        let error = match form.and_then(Form::first_value) {
            Some(value) => error.mend(Mend::Insert {
                field: field.to_owned(),
                value,
            }),
            None => error,
        };
        self.reader.fail(match example(field) {
            Some(help) => error.help(help),
            None => error,
        })
    }

    /// Reads a required field that is missing if it is null; reports `V34` then.
    pub fn present<T>(&self, field: &str, read: impl Read<T>) -> Option<T> {
        self.check(field, &[Presence::Dependent]);
        if self.has(field) {
            self.required(field, read)
        } else {
            self.missing(field)
        }
    }

    /// Returns true if the mapping has the field, and it is not null.
    pub fn has(&self, field: &str) -> bool {
        let value = self.find(field).map(|id| &self.reader.node(id).kind);
        value.is_some_and(|kind| !matches!(kind, Kind::Null))
    }

    /// Reads a field that may be missing, but not null. The outer `None` means that a fault was reported.
    pub fn optional<T>(&self, field: &str, read: impl Read<T>) -> Option<Option<T>> {
        self.check(field, &[Presence::Optional]);
        self.if_there(field, read)
    }

    /// Reads a field that may be missing or null, which mean the same.
    pub fn nullable<T>(&self, field: &str, read: impl Read<T>) -> Option<Option<T>> {
        self.check(field, &[Presence::Nullable, Presence::Dependent]);
        match self.find(field) {
            Some(id) if matches!(self.reader.node(id).kind, Kind::Null) => Some(None),
            _ => self.if_there(field, read),
        }
    }

    fn if_there<T>(&self, field: &str, read: impl Read<T>) -> Option<Option<T>> {
        match self.find(field) {
            Some(id) => self.reader.read(id, read).map(Some),
            None => Some(None),
        }
    }
}

/// Splits a key that contains its value, such as `mode:rigid` or `weight 0.5`, into a field and the value.
fn glued<'k>(key: &'k str, fields: &[&str]) -> Option<(&'k str, &'k str)> {
    let (field, value) = key.split_once([':', '=', ' '])?;
    let value = value.trim_start_matches([':', '=', ' ']);
    (fields.contains(&field.trim_end()) && !value.is_empty()).then_some((field.trim_end(), value))
}

/// Returns advice for a missing field, with examples of its values.
fn example(field: &str) -> Option<String> {
    let example = match field {
        "parent" => ROOT_BONE,
        "mode" => "one of `mode: rigid`, `mode: uniform` and `mode: affine`",
        "axis" => "one of `axis: x`, `axis: y` and `axis: z`",
        "range" => "such as `range: [0.0, 1.0]`, in metres",
        "type" => return Some(shapes()),
        "dimensions" => {
            "such as `dimensions: {x: 1, y: 1, z: 1}` for a box, or `dimensions: {radius: 0.5}` for a sphere"
        }
        "attach3" => {
            "three anchors `from` the part and three of this document `to` bring them, with a `mode`"
        }
        _ => return None,
    };
    Some(example.to_owned())
}

/// Returns the names of all shapes as advice.
fn shapes() -> String {
    let names = Shape::NAMES.map(|name| format!("`{name}`"));
    let (last, others) = names.split_last().expect("there are shapes");
    format!("one of {} and {last}", others.join(", "))
}

/// Advice about `scale` in an entry of a pose (amendment 0.5, section 4).
const RIGID_BONES: &str = "bone transforms are rigid: `rotation` and `translation` only, no scale";

/// Advice about the parent of a root bone.
pub const ROOT_BONE: &str = "a bone without a parent says `parent: none`";
