//! Proposals of an editor: the keys, words and ids that an author may write at an offset.
//!
//! The text is read with a mark at the offset. The node that contains the mark, and the mappings around it, say whether a key or
//! a value is being typed, and of which field.

mod expressions;
mod keys;
mod paths;
mod position;
mod values;

use std::ops::Range;

use super::names::Names;
use super::project::Project;
use super::walk::version_of;
use super::{Files, NameKind, Source};
use position::{Marked, Typed};
use rigy_language::schema::names::Role;

/// The kind of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A field, or a name of a mapping of names.
    Key,
    /// A word that the language knows.
    Word,
    /// A path of a file.
    File,
    /// The id of an element.
    Name(NameKind),
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The words for a list.
    pub label: String,
    /// The bytes that it replaces: the part of it that the author has typed already.
    pub range: Range<usize>,
    /// The text that takes their place.
    pub insert: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// An explanation in Markdown; empty if there is none.
    pub about: String,
    /// True for a field that has to be there.
    pub is_required: bool,
}

/// Returns the proposals at an offset: keys that the mapping does not have yet, words, ids, and paths. The client leaves out
/// what does not begin like the text in `range`.
pub fn completion(source: Source<'_>, offset: usize, files: &Files<'_>) -> Vec<Completion> {
    let marked = Marked::new(source, offset);
    let Some(typed) = marked.typed() else {
        return Vec::new();
    };
    let project = Project::of(source, files);
    let version = version_of(&marked.sketch, &marked.text);
    match &typed {
        Typed::Key { place, .. } if place.record.is_some() => {
            keys::of_record(&marked, &typed, version)
        }
        Typed::Key { .. } => values::of_keys(&marked, &typed, &project),
        Typed::Value { place, .. } if place.role == Role::Path => {
            paths::of_files(&marked, &typed, source, files)
        }
        Typed::Value { .. } => values::of_value(&marked, &typed, &project, version),
    }
}

/// Returns the names of the project's first file.
fn own_names(project: &Project) -> &Names {
    project.files[0].read.names()
}
