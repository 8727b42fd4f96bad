//! Definitions and references of every id of every fixture.

use rigy_batch::assist::{Files, RecentTexts, Source, SymbolKind, definition, references, rename};
use rigy_batch::base::paths::Slashed;
use rigy_batch::{Location, MemoryLoader};

use super::{Fixtures, all, closed, is_named};
use crate::support::chance::cases;

#[test]
fn every_id_has_its_definition_and_refers_to_itself() {
    let fixtures = Fixtures::read();
    let files = closed(&fixtures.loader);
    let mut count = 0;
    for location in fixtures.locations.iter().step_by(cases(3, 1)) {
        let text = fixtures.text(location);
        let source = Source {
            location,
            text: &text,
        };
        for symbol in all(&text, location)
            .iter()
            .filter(|symbol| is_named(symbol))
        {
            let what = format!("{}: {symbol:?}", location.0.slashed());
            let within = |range: &std::ops::Range<usize>| {
                symbol.name_range.start <= range.start && range.end <= symbol.name_range.end
            };
            let offset = symbol.name_range.start + 1;
            let found = definition(source, offset, &files);
            let is_it = found
                .iter()
                .any(|target| target.location == *location && within(&target.range));
            let leads_elsewhere = symbol.kind == SymbolKind::Import && found.len() == 1;
            // A name that stands for a param is that of the param, and a number or a date is no name.
            let is_fault = location.0.to_string_lossy().contains("U10_");
            if symbol.name.starts_with('$') || is_fault {
                continue;
            }
            assert!(is_it || leads_elsewhere, "{what}: {found:?}");
            let found = references(source, offset, &files);
            let own = found
                .iter()
                .filter(|found| found.is_definition && within(&found.target.range));
            assert_eq!(own.count(), 1, "{what}: {found:?}");
            count += 1;
        }
    }
    assert!(count > cases(150, 500), "{count}");
}

/// The texts of the last question are those of the next one only as long as they are the same.
#[test]
fn answers_with_recent_texts_are_those_without() {
    let fixtures = Fixtures::read();
    let recent = RecentTexts::default();
    let files = closed(&fixtures.loader);
    let with_recent = Files {
        recent: Some(&recent),
        ..files
    };
    let mut count = 0;
    for location in fixtures.locations.iter().step_by(cases(3, 1)) {
        let text = fixtures.text(location);
        let moved = format!("# a line above\n{text}");
        for text in [&text, &moved, &moved, &text] {
            let source = Source { location, text };
            for symbol in all(text, location).iter().take(3) {
                let offset = symbol.name_range.start + 1;
                let expected = references(source, offset, &files);
                assert_eq!(references(source, offset, &with_recent), expected);
                count += expected.len();
            }
        }
    }
    assert!(count > cases(150, 500), "{count}");
}

#[test]
fn every_reference_of_a_sound_document_has_a_definition() {
    let fixtures = Fixtures::read();
    let files = closed(&fixtures.loader);
    let mut count = 0;
    let inputs = |location: &&rigy_batch::Location| location.0.starts_with("inputs");
    for location in fixtures.locations.iter().filter(inputs) {
        let text = fixtures.text(location);
        let source = Source {
            location,
            text: &text,
        };
        for key in [
            "mesh_id: ",
            "armature_id: ",
            "bone_id: ",
            "primitive_id: ",
            "import: ",
        ] {
            for (at, _) in text.match_indices(key) {
                let quote = usize::from(text[at + key.len()..].starts_with(['"', '\'']));
                let offset = at + key.len() + quote;
                let rest = &text[offset..];
                let word = &rest[..rest.find(['\n', ',', '}']).unwrap_or(rest.len())];
                // Copies of repeats have names that the text does not hold.
                if word.contains("${") || text.contains("id: ${") || text.contains("_${") {
                    continue;
                }
                let found = definition(source, offset, &files);
                assert!(!found.is_empty(), "{}: {key}{word}", location.0.slashed());
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_uv_sets_of_a_mesh_are_names() {
    let mesh = |id: &str| {
        format!(
            "- id: {id}\n  primitives: []\n  uv_roles: {{albedo: {{set: uv0}}}}\n  \
             uv_sets: {{uv0: {{generator: planar_xy@1}}}}\n"
        )
    };
    let text = format!("version: \"0.9\"\nmeshes:\n{}{}", mesh("a"), mesh("b"));
    let location = Location("a.rigy.yaml".into());
    let source = Source {
        location: &location,
        text: &text,
    };
    let loader = MemoryLoader::default();
    let role = text.rfind("set: uv0").unwrap() + 5;
    let found = definition(source, role, &closed(&loader));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].range.start, text.rfind("uv0:").unwrap());
    assert_eq!(references(source, role, &closed(&loader)).len(), 2);
}

/// Two meshes with sets of the same names; the second role of the second mesh names a set that is not there.
const UV_SETS: &str = "version: \"0.9\"\nmeshes:\n\
                       - id: a\n  primitives: []\n  uv_roles: {albedo: {set: uv1}}\n  uv_sets: {uv1: {generator: planar_xy@1}}\n\
                       - id: b\n  primitives: []\n  uv_roles: {albedo: {set: uv1}, decal: {set: uv7}}\n  uv_sets: {uv1: {generator: planar_xy@1}}\n";

/// Returns the offset of the n-th occurrence of a part of the text, from its first byte on.
fn nth(part: &str, n: usize) -> usize {
    UV_SETS.match_indices(part).nth(n).unwrap().0
}

#[test]
fn a_uv_set_is_defined_and_renamed_in_its_mesh() {
    let location = Location("a.rigy.yaml".into());
    let source = Source {
        location: &location,
        text: UV_SETS,
    };
    let loader = MemoryLoader::default();
    let files = closed(&loader);
    let [first, second] = [0, 1].map(|mesh| [nth("set: uv1", mesh) + 5, nth("uv1: ", mesh)]);
    for (offset, places) in [
        (first[0], Some(first)),
        (first[1] + 3, Some(first)),
        (second[0] + 2, Some(second)),
        (second[1], Some(second)),
        (nth("uv7", 0), None),
        (nth("albedo", 0), None),
    ] {
        let found = definition(source, offset, &files);
        let starts: Vec<usize> = found.iter().map(|it| it.range.start).collect();
        assert_eq!(
            starts,
            places.map_or(vec![], |[_, set]| vec![set]),
            "{offset}"
        );
        let edits = rename(source, offset, "uv0", &files);
        let Some(places) = places else {
            assert!(edits.is_err(), "{offset}: {edits:?}");
            continue;
        };
        let mut found: Vec<usize> = edits
            .unwrap()
            .iter()
            .map(|it| it.target.range.start)
            .collect();
        found.sort_unstable();
        assert_eq!(found, places, "{offset}");
    }
    for (name, reason) in [
        ("uv2", None),
        ("uv1", Some("already")),
        ("lightmap", Some("V45")),
        ("", Some("at least one character")),
    ] {
        let edits = rename(source, second[0], name, &files);
        match (edits, reason) {
            (Ok(edits), None) => assert_eq!(edits.len(), 2, "{name}"),
            (Err(found), Some(reason)) => assert!(found.contains(reason), "{name}: {found}"),
            (found, _) => panic!("{name}: {found:?}"),
        }
    }
}
