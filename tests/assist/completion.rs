//! Completion offers what the fixtures have.

use rigy_batch::Location;
use rigy_batch::assist::{Completion, Files, Source, completion, hover};

use super::{Fixtures, closed};

/// The first byte of a key in a line, and the key; `None` if no field begins there.
fn key_of(line: &str) -> Option<(usize, &str)> {
    let start = line.len() - line.trim_start_matches([' ', '-']).len();
    let (key, _) = line[start..].split_once(':')?;
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (!key.is_empty() && key.chars().all(is_word)).then_some((start, key))
}

#[test]
fn every_key_is_offered_where_its_line_is_cut_off() {
    let fixtures = Fixtures::read();
    let files = closed(&fixtures.loader);
    let mut count = 0;
    let is_input = |location: &&Location| location.0.starts_with("inputs");
    for location in fixtures.locations.iter().filter(is_input) {
        let text = fixtures.text(location);
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let place = start..start + line.trim_end().len();
            start += line.len();
            let Some((column, key)) = key_of(line) else {
                continue;
            };
            let offset = place.start + column;
            let source = Source {
                location,
                text: &text,
            };
            let about = hover(source, offset, &files).map(|hover| hover.text);
            let later = "This document has version";
            let is_later = about.as_ref().is_some_and(|about| about.contains(later));
            let is_field = about.is_some_and(|about| about.starts_with(&format!("**{key}**")));
            // Some fixtures use fields of later versions.
            if is_later || (!is_field && key != "repeat") {
                continue;
            }
            let cut = [&text[..offset], &text[place.end..]].concat();
            let source = Source {
                location,
                text: &cut,
            };
            let offered = completion(source, offset, &files);
            let labels: Vec<&str> = offered.iter().map(|c| &*c.label).collect();
            assert!(labels.contains(&key), "{labels:?}");
            let is_here = |completion: &Completion| completion.range == (offset..offset);
            assert!(offered.iter().all(is_here), "{offered:?}");
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// The files of the directory in which completion looks for paths.
const FILES: [&str; 7] = [
    "p/a.rigy.yaml",
    "p/b.part.yml",
    "p/c.ricy.yaml",
    "p/d.weights.json",
    "p/e.rigs.yaml",
    "p/q/f.rigy.yml",
    "g.rigy.yaml",
];

/// The labels that are offered at the `|` of a text, and the text with the first proposal that has a label.
fn offered(text: &str, label: &str) -> (Vec<String>, Option<String>) {
    offered_in("a.rigy.yaml", text, label)
}

/// The same for a text of this name, beside a few files.
fn offered_in(name: &str, text: &str, label: &str) -> (Vec<String>, Option<String>) {
    let offset = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let location = Location(name.into());
    let source = Source {
        location: &location,
        text: &text,
    };
    let loader = rigy_batch::MemoryLoader::default();
    let listed = || FILES.map(|name| Location(name.into())).to_vec();
    let files = Files {
        listed: Some(&listed),
        ..closed(&loader)
    };
    let found = completion(source, offset, &files);
    let chosen = found.iter().find(|it| it.label == label);
    let edited = chosen.map(|it| {
        let mut text = text.clone();
        text.replace_range(it.range.clone(), &it.insert);
        text
    });
    (found.into_iter().map(|it| it.label).collect(), edited)
}

#[test]
fn what_stands_for_a_value_is_offered_in_its_part_of_the_text() {
    let repeat = "version: \"0.12\"\nparams: {w: 1}\nmeshes:\n- id: m\n  primitives:\n  \
                  - repeat: {count: 2, as: i, body: {type: box, id: \"b${|}\", dimensions: {x: \"\"}}}\n";
    let (labels, edited) = offered(repeat, "${i}");
    assert_eq!(labels, ["${i}"]);
    assert_eq!(edited.unwrap(), repeat.replace("${|}", "${i}"));
    let expression = repeat
        .replace("${|}", "")
        .replace("{x: \"\"}", "{x: \"=2 * |\"}");
    let (labels, edited) = offered(&expression, "max");
    assert!(
        labels.contains(&"$w".to_owned()) && labels.len() > 5,
        "{labels:?}"
    );
    assert_eq!(edited.unwrap(), expression.replace('|', "max("));
    let (labels, edited) = offered(&expression.replace('|', "$|"), "$w");
    assert_eq!(labels, ["$w"]);
    assert_eq!(edited.unwrap(), expression.replace('|', "$w"));
    // Up to 0.11, a text that begins with `=` is only a text.
    let (labels, _) = offered(&expression.replace("0.12", "0.11"), "max");
    assert!(!labels.contains(&"max".to_owned()), "{labels:?}");
}

#[test]
fn macros_and_uv_sets_are_offered() {
    let text = "version: \"0.12\"\nmeshes:\n- id: m\n  primitives:\n  - {macro: tri|, id: w}\n  \
                uv_roles: {albedo: {set: uv0}}\n  uv_sets: {uv0: {generator: planar_xy@1}}\n";
    let (labels, _) = offered(text, "");
    assert_eq!(labels, ["box_decompose", "triangle_prism_on_plane"]);
    let (labels, _) = offered(&text.replace("0.12", "0.11"), "");
    assert_eq!(labels, ["box_decompose"]);
    let text = text.replace("|", "").replace("set: uv0", "set: |");
    assert_eq!(offered(&text, "").0, ["uv0"]);
}

#[test]
fn uv_roles_are_offered_that_a_mesh_does_not_have() {
    let text = "version: \"0.12\"\nmeshes:\n- id: m\n  uv_roles:\n    albedo: {set: uv0}\n    |\n";
    let (labels, edited) = offered(text, "decal");
    assert_eq!(
        labels,
        ["detail", "directional", "radial", "decal", "lightmap"]
    );
    assert_eq!(edited.unwrap(), text.replace('|', "decal: "));
    let text = "version: \"0.12\"\nmaterials: {m: {uses_uv_roles: [al|]}}\n";
    let (labels, edited) = offered(text, "albedo");
    assert_eq!(labels.len(), 6, "{labels:?}");
    assert_eq!(edited.unwrap(), text.replace("al|", "albedo"));
}

#[test]
fn paths_are_offered_of_files_that_fit() {
    let document = |rest: &str| format!("version: \"0.12\"\n{rest}\n");
    let own = ["b.part.yml", "../g.rigy.yaml", "q/f.rigy.yml"];
    for (name, text, expected) in [
        (
            "p/a.rigy.yaml",
            document("imports: {x: {source: |}}"),
            &own[..],
        ),
        (
            "p/a.rigy.yaml",
            document("imports: {x: {source: ../g|}}"),
            &own[..],
        ),
        (
            "p/a.rigy.yaml",
            document("imports: {x: {contract: |}}"),
            &["c.ricy.yaml"],
        ),
        (
            "p/a.rigy.yaml",
            document(
                "bindings: [{mesh_id: m, armature_id: a, weight_maps: [{primitive_id: b, source: |}]}]",
            ),
            &["d.weights.json"],
        ),
        ("p/a.rigy.yaml", document("imports: {|: {}}"), &[]),
    ] {
        let (labels, edited) = offered_in(name, &text, expected.last().unwrap_or(&""));
        assert_eq!(labels, expected, "{text}");
        let Some(last) = expected.last() else {
            continue;
        };
        let expected = text.replace("../g|", "|").replace('|', last);
        assert_eq!(edited.unwrap(), expected);
    }
}
