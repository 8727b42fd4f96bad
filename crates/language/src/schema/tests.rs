//! The table agrees with itself, and with what else names fields.

use std::collections::{BTreeMap, BTreeSet};

use super::meshes::{OF_SURFACES, PRIMITIVE, dimensions_of};
use super::preprocessed::{BOX_DECOMPOSE, PRISM, REPEAT};
use super::transforms::{OPERATOR_TRANSFORM, ROTATIONS, TRANSFORM};
use super::weights::WEIGHT_FILE;
use super::{Form, Record};
use crate::model::Shape;
use crate::model::document::DOCUMENT;
use crate::model::scenes::{CONTRACT, SCENE_FILE};
use crate::parse::NAMED;

/// Adds the mappings that stand in a form.
fn add(form: Form, all: &mut BTreeMap<&'static str, &'static Record>) {
    match form {
        Form::Record(record) | Form::OneOrMore(record) => add_record(record, all),
        Form::Tuple(_, form) | Form::List(form) | Form::Map(form) | Form::Rotation(form) => {
            add(*form, all);
        }
        Form::Primitive => {
            let sizes = Shape::ALL.into_iter().filter_map(dimensions_of);
            let records = sizes.chain([&PRIMITIVE, &BOX_DECOMPOSE, &PRISM, &REPEAT]);
            records.for_each(|record| add_record(record, all));
        }
        _ => {}
    }
}

fn add_record(record: &'static Record, all: &mut BTreeMap<&'static str, &'static Record>) {
    match all.insert(record.id, record) {
        Some(other) => assert!(std::ptr::eq(other, record), "two have the id {}", record.id),
        None => record.fields.iter().for_each(|field| add(field.form, all)),
    }
}

fn all() -> BTreeMap<&'static str, &'static Record> {
    let mut all = BTreeMap::new();
    for root in [&DOCUMENT, &CONTRACT, &SCENE_FILE, &WEIGHT_FILE] {
        add_record(root, &mut all);
    }
    all
}

#[test]
fn the_table_is_consistent() {
    let all = all();
    assert!(all.len() > 40, "{}", all.len());
    for record in all.values() {
        let names: BTreeSet<&str> = record.fields.iter().map(|field| field.name).collect();
        assert_eq!(names.len(), record.fields.len(), "{}", record.id);
        assert!(record.about.ends_with('.'), "{}", record.id);
        for field in record.fields {
            let place = format!("{}.{}", record.id, field.name);
            assert!(field.accepted <= field.since, "{place}");
            assert!(field.about.ends_with('.'), "{place}");
        }
    }
}

#[test]
fn fields_that_depend_on_others_are_fields() {
    for name in OF_SURFACES {
        assert!(PRIMITIVE.field(name).is_some(), "{name}");
    }
    for name in ROTATIONS {
        assert!(TRANSFORM.field(name).is_some(), "{name}");
        assert!(OPERATOR_TRANSFORM.field(name).is_some(), "{name}");
    }
}

#[test]
fn the_reader_of_yaml_knows_which_mappings_have_names_of_the_author() {
    let roots = all();
    let is_named = |form: &Form| matches!(form, Form::Map(_) | Form::Params | Form::Any);
    let fields = roots.values().flat_map(|record| record.fields);
    let named: BTreeSet<&str> = fields
        .filter(|field| is_named(&field.form))
        .map(|field| field.name)
        .collect();
    assert_eq!(named.into_iter().collect::<Vec<_>>(), NAMED);
}

#[test]
fn a_search_finds_every_field_from_everywhere() {
    for from in 0..=DOCUMENT.fields.len() {
        for (at, field) in DOCUMENT.fields.iter().enumerate() {
            assert_eq!(DOCUMENT.position(field.name, from), Some(at));
        }
        assert_eq!(DOCUMENT.position("zzz", from), None);
    }
}
