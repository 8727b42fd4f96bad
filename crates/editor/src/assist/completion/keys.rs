//! Keys of mappings of fields.

use super::position::{Marked, Typed};
use super::proposal::{Completion, CompletionKind};
use crate::assist::hover::field_text;
use crate::assist::sketch::NodeId;
use crate::assist::walk::TextKind;
use rigy_base::maps::HashSet;
use rigy_language::model::Shape;
use rigy_language::schema::meshes::{OF_SURFACES, PRIMITIVE};
use rigy_language::schema::preprocessed::{BOX_DECOMPOSE, REPEAT};
use rigy_language::schema::{Field, Form, Presence, Record, Rule};
use rigy_language::version::{Feature, Version};

/// Returns the fields of the mapping that it does not have.
pub fn of_record(marked: &Marked, typed: &Typed, version: Version) -> Vec<Completion> {
    let Some(record) = typed.place().record else {
        return Vec::new();
    };
    let node = typed.place().node;
    let present = match typed {
        Typed::Key { .. } => present(marked, node),
        Typed::Value { .. } => HashSet::default(),
    };
    let mut found: Vec<Completion> = record
        .fields
        .iter()
        .filter(|field| {
            field.since <= version
                && !present.contains(field.name)
                && !is_excluded(record, field, &present)
                && suits(marked, typed, record, field)
        })
        .map(|field| proposal(marked, typed, field, record, version))
        .collect();
    found.extend(alternatives(marked, typed, &present, version));
    found
}

/// Returns the keys that a mapping has besides the one that is being typed.
fn present(marked: &Marked, node: NodeId) -> HashSet<&str> {
    let others = marked
        .sketch
        .entries(node)
        .iter()
        .filter(|entry| !marked.is_marked(&entry.key));
    // A merged key may be given again.
    others
        .filter(|entry| !entry.is_merged)
        .map(|entry| entry.key.value(&marked.text))
        .collect()
}

/// Returns true if the mapping has a field that excludes this one.
fn is_excluded(record: &Record, field: &Field, present: &HashSet<&str>) -> bool {
    record.rules.iter().any(|rule| match rule {
        Rule::ExactlyOne(names) | Rule::AtMostOne(names) | Rule::OneRotation(names) => {
            names.contains(&field.name) && names.iter().any(|name| present.contains(name))
        }
        Rule::Needs(..) => false,
    })
}

/// Returns true if a field of a primitive suits its type; true for all other fields.
fn suits(marked: &Marked, typed: &Typed, record: &'static Record, field: &Field) -> bool {
    if !std::ptr::eq(record, &PRIMITIVE) {
        return true;
    }
    let node = typed.place().node;
    let shape = marked.sketch.text_of(node, "type", &marked.text);
    let is_surface = shape == Some(Shape::Implicit.name());
    match field.name {
        "dimensions" => !is_surface,
        "aabb" => shape.is_none_or(|shape| shape == Shape::Box.name()),
        name if OF_SURFACES.contains(&name) => is_surface || shape.is_none(),
        _ => true,
    }
}

/// Returns the proposal of a field. A colon follows it unless there is one.
fn proposal(
    marked: &Marked,
    typed: &Typed,
    field: &Field,
    record: &'static Record,
    version: Version,
) -> Completion {
    let has_colon = matches!(typed, Typed::Key { has_colon, .. } if *has_colon);
    let insert = match has_colon {
        true => field.name.to_owned(),
        false if opens_block(field.form) => format!("{}:", field.name),
        false => format!("{}: ", field.name),
    };
    Completion {
        insert,
        about: field_text(field, Some(record), version),
        is_required: field.presence == Presence::Required,
        ..key(marked, typed, field.name)
    }
}

fn key(marked: &Marked, typed: &Typed, name: &str) -> Completion {
    let range = marked.replaced(typed.scalar(), 0);
    Completion::of(name.to_owned(), range, CompletionKind::Key)
}

/// Returns true for the forms that mostly begin in the next line.
fn opens_block(form: Form) -> bool {
    match form {
        Form::List(item) => matches!(item, Form::Record(_) | Form::Primitive),
        Form::Map(_) | Form::Params | Form::Body => true,
        _ => false,
    }
}

/// Returns what an item may be instead of a mapping of its fields: a macro, or a repeat.
fn alternatives(
    marked: &Marked,
    typed: &Typed,
    present: &HashSet<&str>,
    version: Version,
) -> Vec<Completion> {
    let place = typed.place();
    if marked.reading().kind != TextKind::Document {
        return Vec::new();
    }
    let mut found = Vec::new();
    let is_primitive = matches!(place.form, Form::Primitive);
    if let Some(field) = BOX_DECOMPOSE.field("macro")
        && is_primitive
        && !present.contains("type")
        && version.has(Feature::Materials)
    {
        found.push(proposal(marked, typed, field, &BOX_DECOMPOSE, version));
    }
    if version.has(Feature::Params) && present.is_empty() && place.is_item {
        found.push(Completion {
            insert: format!("{}:", REPEAT.name),
            about: REPEAT.about.to_owned(),
            ..key(marked, typed, REPEAT.name)
        });
    }
    found
}
