//! Values of fields, and keys that are ids.

use std::collections::BTreeMap;

use super::position::{Marked, Typed};
use super::proposal::{Completion, CompletionKind};
use super::{expressions, keys};
use crate::assist::names::{Name, Names, Scope, reference_scope};
use crate::assist::project::Project;
use crate::assist::walk::{NodePlace, TextKind};
use rigy_base::maps::HashSet;
use rigy_language::model::Shape;
use rigy_language::model::scenes::VERSIONS;
use rigy_language::schema::Form;
use rigy_language::schema::names::{NameKind, Role};
use rigy_language::schema::preprocessed::{BOX_DECOMPOSE_NAME, PRISM_NAME};
use rigy_language::version::{Feature, Version};

/// Returns the ids or words that may be keys of the mapping, and are not yet.
pub fn of_keys(marked: &Marked, typed: &Typed, project: &Project) -> Vec<Completion> {
    let mut found = match typed.place().key_role {
        Role::Refers(kind) => names(marked, typed, project, kind, true),
        Role::Words(words) => words
            .iter()
            .map(|word| {
                let key = proposal(marked, typed, (*word).to_owned());
                let insert = key.insert + colon(typed, true);
                Completion { insert, ..key }
            })
            .collect(),
        _ => return Vec::new(),
    };
    let present: HashSet<&str> = marked
        .sketch
        .entries(typed.place().node)
        .iter()
        .filter(|entry| !marked.is_marked(&entry.key))
        .map(|e| e.key.value(&marked.text))
        .collect();
    found.retain(|completion| !present.contains(&*completion.label));
    found
}

/// Returns the values of the field that is being typed, or the keys of the mapping that may begin there.
pub fn of_value(
    marked: &Marked,
    typed: &Typed,
    project: &Project,
    version: Version,
) -> Vec<Completion> {
    let place = typed.place();
    if let Some(found) = expressions::of_text(marked, typed, project, version) {
        return found;
    }
    if place.record.is_some() && matches!(typed, Typed::Value { is_first: true, .. }) {
        return keys::of_record(marked, typed, version);
    }
    let first = matches!(typed, Typed::Value { is_first: true, .. });
    if let (Role::Refers(_) | Role::Words(_), true) = (place.key_role, first) {
        return of_keys(marked, typed, project);
    }
    let mut found: Vec<Completion> = words(place, version)
        .into_iter()
        .map(|word| proposal(marked, typed, word))
        .collect();
    if let Role::Refers(kind) = place.role
        && matches!(
            place.form,
            Form::Text | Form::Known(_) | Form::OwnMesh | Form::Identifier
        )
    {
        found.extend(names(marked, typed, project, kind, false));
    }
    found
}

/// Returns the words that a field may have.
fn words(place: &NodePlace, version: Version) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match place.form {
        Form::Word(VERSIONS) => VERSIONS
            .iter()
            .map(|version| format!("\"{version}\""))
            .collect(),
        Form::Word([BOX_DECOMPOSE_NAME] | [PRISM_NAME]) => owned(macros(version)),
        Form::Word(words) | Form::Known(words) => owned(words),
        Form::Version => Version::all().rev().map(|v| format!("\"{v}\"")).collect(),
        Form::Shape => Shape::ALL
            .into_iter()
            .filter(|shape| shape.feature().is_none_or(|since| version.has(since)))
            .map(|shape| shape.name().to_owned())
            .collect(),
        _ => Vec::new(),
    }
}

fn macros(version: Version) -> &'static [&'static str] {
    if version.has(Feature::Expressions) {
        &[BOX_DECOMPOSE_NAME, PRISM_NAME]
    } else {
        &[BOX_DECOMPOSE_NAME]
    }
}

/// Returns the proposal of a word. Quotes that it has already are left out.
fn proposal(marked: &Marked, typed: &Typed, word: String) -> Completion {
    let scalar = typed.scalar();
    let is_quoted = scalar.inner() != scalar.range;
    let label = word.trim_matches('"').to_owned();
    let insert = if is_quoted { label.clone() } else { word };
    let range = marked.replaced(scalar, 0);
    Completion {
        insert,
        ..Completion::of(label, range, CompletionKind::Word)
    }
}

/// Returns the ids of the elements to which the text being typed may refer.
fn names(
    marked: &Marked,
    typed: &Typed,
    project: &Project,
    kind: NameKind,
    is_key: bool,
) -> Vec<Completion> {
    let around = &typed.place().around;
    let text_kind = marked.reading().kind;
    let scope = reference_scope(text_kind, kind, around, is_key);
    let part = match &scope {
        Scope::Part(part) if text_kind == TextKind::Document => format!("{part}."),
        _ => String::new(),
    };
    let mut name = Names::reference(kind, scope);
    name.is_slot = around.is_slot;
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (file, scope) in project.scopes(0, &name) {
        let file = &project.files[file];
        let wanted = |other: &&Name| {
            other.is_definition
                && other.kind == kind
                && (scope == Scope::Everywhere || other.scope == scope)
        };
        for other in file.read.names().all.iter().filter(wanted) {
            let path = file.location.0.file_name().unwrap_or_default();
            let about = format!(
                "{} of {}",
                kind.name(),
                path.to_string_lossy().escape_debug()
            );
            for text in spellings(other, file.read.names(), around.is_slot) {
                found.insert(format!("{part}{text}"), about.clone());
            }
        }
    }
    found
        .into_iter()
        .map(|(label, about)| Completion {
            insert: marked.spelled(typed.scalar(), &label, is_key) + colon(typed, is_key),
            about,
            ..Completion::of(
                label,
                marked.replaced(typed.scalar(), 0),
                CompletionKind::Name(kind),
            )
        })
        .collect()
}

/// Returns the colon after an id that is a key and has none.
fn colon(typed: &Typed, is_key: bool) -> &'static str {
    match typed {
        Typed::Key {
            has_colon: true, ..
        } => "",
        _ if is_key => ": ",
        _ => "",
    }
}

/// Returns the texts by which references know an element: its name and that of its mirrored copy; of a frame set, the name
/// without the prefix of slots or mounts.
fn spellings(name: &Name, names: &Names, is_slot: bool) -> Vec<String> {
    if name.kind == NameKind::Frame {
        let (own, other) = if is_slot {
            ("slots.", "mounts.")
        } else {
            ("mounts.", "slots.")
        };
        return match name.text.strip_prefix(own) {
            Some(short) => vec![short.to_owned()],
            None if name.text.starts_with(other) => Vec::new(),
            None => vec![name.text.clone()],
        };
    }
    let mirrored = names.mirrored(name.kind, &name.text);
    [name.text.clone()].into_iter().chain(mirrored).collect()
}
