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
use crate::parse::{NAMED, parse};
use crate::validate::validate;
use crate::version::Version;
use crate::yaml::{Options, compose};

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

/// Fields that the parser takes before the version that has them, in a text of which validation says so.
const TAKEN_BEFORE: [(&str, &str); 7] = [
    ("document.skinning_solver", "skinning_solver: dqs"),
    (
        "document.poses",
        "poses: [{id: rest, bones: {a: {rotation: [1, 0, 0, 0]}}}]\n\
         armatures: [{id: b, bones: [{id: a, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]",
    ),
    (
        "binding.skinning_solver",
        "meshes: [{id: m, primitives: []}]\narmatures: [{id: a, bones: []}]\n\
         bindings: [{mesh_id: m, armature_id: a, weights: [], skinning_solver: dqs}]",
    ),
    (
        "mesh.uv_sets",
        "meshes: [{id: m, primitives: [], uv_sets: {}}]",
    ),
    (
        "primitive.tags",
        "meshes: [{id: m, primitives: [{type: box, id: p, dimensions: {x: 1}, tags: [a]}]}]",
    ),
    (
        "box_decompose.tags",
        "materials: {o: {base_color: [1, 1, 1, 1]}}\n\
         meshes: [{id: m, primitives: [{macro: box_decompose, id: w, axis: x, span: [0, 2], base_y: 0, height: 1, \
         thickness: 1, offset: 0, material: o, tags: [a], cutouts: []}]}]",
    ),
    (
        "primitive.domain primitive.iso primitive.ops primitive.extraction",
        "meshes: [{id: m, primitives: [{type: implicit_surface, id: p, iso: 0.2, extraction: {algorithm: marching_cubes@1}, \
         domain: {aabb: {min: [-1, -1, -1], max: [1, 1, 1]}, grid: {nx: 8, ny: 8, nz: 8}}, \
         ops: [{op: add, field: metaball_sphere@1, strength: 1, radius: 0.8}]}]}]",
    ),
];

#[test]
fn a_field_has_a_gate_before_its_version() {
    let mut taken = BTreeMap::new();
    for (id, record) in all() {
        for field in record.fields {
            if field.accepted < field.since && !field.is_refused_before {
                taken.insert(format!("{id}.{}", field.name), field.since);
            }
        }
    }
    for (places, text) in TAKEN_BEFORE {
        for place in places.split(' ') {
            let since = taken.remove(place).expect(place);
            let before = Version::of_minor(since.minor() - 1).unwrap();
            let told = findings(&format!("version: '{before}'\n{text}"));
            let since_when = format!("version {since}");
            assert!(told.contains(&since_when), "{place}: {told}");
            let told = findings(&format!("version: '{since}'\n{text}"));
            assert_eq!(told, "", "{place}");
        }
    }
    assert!(
        taken.is_empty(),
        "they lack `only_then` or `refused_before`, or a text above: {taken:?}"
    );
}

/// The messages of errors and warnings.
fn findings(text: &str) -> String {
    let tree = compose(text, &Options::default()).unwrap();
    let found = match parse(&tree).document.and_then(validate) {
        Ok(checked) => checked.warnings,
        Err(errors) => errors,
    };
    found.iter().map(|it| it.message.as_str()).collect()
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
