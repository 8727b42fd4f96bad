//! The fields of documents, contracts, scenes and weight files: one table, most of which `record!` makes in [`model`](crate::model).
//!
//! The parser takes from it which keys a mapping may have, in which version; help in messages names its fields; and
//! [`json`] makes JSON Schemas of it, with which editors complete and check what an author types. Debug builds of the
//! parser check that each field is read as the table says.

mod first_value;
pub mod json;
pub mod meshes;
pub mod names;
mod other_words;
pub mod preprocessed;
#[cfg(test)]
mod tests;
pub mod transforms;
pub mod weights;

use super::version::{Feature, Version};
use names::{NameKind, Role};

/// A mapping of fields.
#[derive(Debug)]
pub struct Record {
    /// Its name among the definitions of a JSON Schema.
    pub id: &'static str,
    /// Its name in messages: `bone`, `mesh`, ….
    pub name: &'static str,
    /// One sentence for the author of a file.
    pub about: &'static str,
    /// Its fields. Messages name them in this order.
    pub fields: &'static [Field],
    /// How its fields depend on each other.
    pub rules: &'static [Rule],
}

/// A field of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// One sentence for the author of a file.
    pub about: &'static str,
    /// Its type.
    pub form: Form,
    /// Required or optional.
    pub presence: Presence,
    /// The first version of the language that has it.
    pub since: Version,
    /// The first version in which the parser takes the key.
    pub accepted: Version,
    /// True if preprocessing refuses the key in versions before `since` (V77). Other fields are accepted there by the parser,
    /// and validation refuses their use.
    pub is_refused_before: bool,
    /// The kind of names that the text, or each text of the list, is.
    pub role: Role,
    /// The kind of names that the keys of the mapping are.
    pub key_role: Role,
}

/// Required or optional, and null as a value of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is always there.
    Required,
    /// It may be left out, and is not null.
    Optional,
    /// It may be left out; null means the same.
    Nullable,
    /// Other fields decide; where they let it be left out, null means the same.
    Dependent,
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Any value.
    Any,
    /// The version of a document.
    Version,
    /// A number in any of the accepted spellings (`language.md` §1.3).
    Number,
    /// A number that preprocessing reads: no boolean and no text (`extensions.md` §2.1).
    Plain,
    /// As [`Form::Plain`], above 0.
    Positive,
    /// A whole number in any of the accepted spellings.
    Whole,
    /// The number of a vertex: a whole number of 0 or more in any of the accepted spellings.
    Vertex,
    /// A whole number of 0 or more in JSON.
    Count,
    /// A number from 0 to 1 in JSON.
    Fraction,
    /// A distance of a scene, such as `20cm`.
    Distance,
    /// Text.
    Text,
    /// Text for which later checks, or custom, know these words.
    Known(&'static [&'static str]),
    /// An id of ASCII letters, digits and `_`, no digit first.
    Identifier,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// The type of a primitive.
    Shape,
    /// A list of so many elements.
    Tuple(usize, &'static Form),
    /// Three texts that are different.
    Different,
    /// A list.
    List(&'static Form),
    /// A mapping from names of the author's.
    Map(&'static Form),
    /// A mapping of fields.
    Record(&'static Record),
    /// A mapping of fields, or a list of such mappings.
    OneOrMore(&'static Record),
    /// A primitive or a macro.
    Primitive,
    /// Sizes of a primitive, by name; its type decides which.
    Dimensions,
    /// A rotation: a field as any other up to 0.11, plain numbers from 0.12 on, not null then.
    Rotation(&'static Form),
    /// The id of the mesh that a macro stands in, from 0.12 on; anything before.
    OwnMesh,
    /// The params of a document: numbers, booleans and texts, by name.
    Params,
    /// How often a body is repeated.
    Repetitions,
    /// The name of the token that a body contains.
    Token,
    /// The mapping that is repeated.
    Body,
}

/// A dependence between fields of one mapping. Fields that are null count as left out.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Exactly one of these is there.
    ExactlyOne(&'static [&'static str]),
    /// At most one of these is there.
    AtMostOne(&'static [&'static str]),
    /// The first is there only if the second is, too.
    Needs(&'static str, &'static str),
    /// Up to 0.11 at most one of these is there; from 0.12 on, at most one of [`transforms::ROTATIONS`], where null counts, too.
    OneRotation(&'static [&'static str]),
}

impl Record {
    /// Returns the field with this key.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns true if a version accepts the key.
    pub fn accepts(&self, name: &str, version: Version) -> bool {
        self.field(name)
            .is_some_and(|field| field.accepted <= version)
    }

    /// Returns the index of the field with this key. The search begins at `from`: keys mostly stand in the order of the table.
    pub fn position(&self, name: &str, from: usize) -> Option<usize> {
        let is_it = |at: &usize| self.fields[*at].name == name;
        (from..self.fields.len()).chain(0..from).find(is_it)
    }

    /// Returns the keys of the fields that a version has.
    pub fn names(&self, version: Version) -> Vec<&'static str> {
        self.fields
            .iter()
            .filter(|field| field.since <= version)
            .map(|field| field.name)
            .collect()
    }
}

impl Field {
    const fn new(name: &'static str, form: Form, presence: Presence, about: &'static str) -> Self {
        Self {
            name,
            about,
            form,
            presence,
            since: Version::OLDEST,
            accepted: Version::OLDEST,
            is_refused_before: false,
            role: Role::None,
            key_role: Role::None,
        }
    }

    /// Returns the field as one that the language has since a feature. The parser takes the key in all versions of which
    /// the record has fields: up to 0.5, or from 0.6 on.
    pub(crate) const fn since(self, feature: Feature) -> Self {
        let accepted = match feature {
            Feature::Poses => Version::OLDEST,
            _ => Feature::Materials.since(),
        };
        Self {
            since: feature.since(),
            accepted,
            ..self
        }
    }

    /// Returns the field as one whose text names the element that has it.
    pub(crate) const fn defines(self, kind: NameKind) -> Self {
        let role = Role::Defines(kind);
        Self { role, ..self }
    }

    /// Returns the field as one whose texts refer to elements.
    pub(crate) const fn refers(self, kind: NameKind) -> Self {
        let role = Role::Refers(kind);
        Self { role, ..self }
    }

    /// Returns the field as one whose texts are paths of files.
    pub(crate) const fn path(self) -> Self {
        let role = Role::Path;
        Self { role, ..self }
    }

    /// Returns the field as a mapping whose keys name its elements.
    pub(crate) const fn keys_define(self, kind: NameKind) -> Self {
        let key_role = Role::Defines(kind);
        Self { key_role, ..self }
    }

    /// Returns the field as a mapping whose keys refer to elements.
    pub(crate) const fn keys_refer(self, kind: NameKind) -> Self {
        let key_role = Role::Refers(kind);
        Self { key_role, ..self }
    }

    /// Returns the field as a mapping whose keys are some of these words.
    pub(crate) const fn keys_are(self, words: &'static [&'static str]) -> Self {
        let key_role = Role::Words(words);
        Self { key_role, ..self }
    }

    /// Returns the field as one that the parser takes only in versions that have it.
    pub(crate) const fn only_then(self) -> Self {
        Self {
            accepted: self.since,
            ..self
        }
    }

    /// Returns the field as one that preprocessing refuses in earlier versions (V77).
    pub(crate) const fn refused_before(self) -> Self {
        Self {
            is_refused_before: true,
            ..self
        }
    }
}

pub(crate) const fn required(name: &'static str, form: Form, about: &'static str) -> Field {
    Field::new(name, form, Presence::Required, about)
}

pub(crate) const fn optional(name: &'static str, form: Form, about: &'static str) -> Field {
    Field::new(name, form, Presence::Optional, about)
}

pub(crate) const fn nullable(name: &'static str, form: Form, about: &'static str) -> Field {
    Field::new(name, form, Presence::Nullable, about)
}

pub(crate) const fn dependent(name: &'static str, form: Form, about: &'static str) -> Field {
    Field::new(name, form, Presence::Dependent, about)
}

/// Three numbers.
const VECTOR: Form = Form::Tuple(3, &Form::Number);
/// Three numbers that preprocessing reads.
const PLAIN_VECTOR: Form = Form::Tuple(3, &Form::Plain);
/// Three ids of anchors.
pub(crate) const ANCHORS: Form = Form::Tuple(3, &Form::Text);
