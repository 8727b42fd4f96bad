//! The proposals for what is typed at an offset.

use super::position::{Marked, Typed};
use super::proposal::Completion;
use super::{keys, paths, values};
use crate::assist::project::Project;
use crate::assist::question::{Files, Source};
use crate::assist::walk::version_of;
use rigy_language::schema::names::Role;

/// Returns the proposals at an offset: keys that the mapping does not have yet, words, ids, and paths. The client leaves out
/// what does not begin like the text in `range`.
pub fn completion(source: Source, offset: usize, files: &Files) -> Vec<Completion> {
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
