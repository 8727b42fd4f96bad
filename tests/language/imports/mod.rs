//! Documents of several files: the files that are loaded and how often, the order in which faults are found, and the places
//! at which they are reported.

mod limits;
mod materials;

use std::sync::atomic::{AtomicUsize, Ordering};

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};

use crate::support::counting::{Counting, Reads};

fn memory(files: &[(&str, &str)]) -> MemoryLoader {
    let files = files.iter();
    MemoryLoader {
        files: files
            .map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()))
            .collect(),
    }
}

fn findings(text: &str, files: &[(&str, &str)]) -> Vec<Diagnostic> {
    let files = Files::new(memory(files));
    let judged = check(Input::new("root.rigy.yaml", text), &files).and_then(|checked| {
        let mut warnings = checked.warnings;
        warnings.extend(checked.value.build()?.warnings);
        Ok(warnings)
    });
    judged.unwrap_or_else(|errors| errors)
}

fn found(text: &str, files: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let findings = findings(text, files).into_iter();
    findings
        .map(|finding| {
            let file = finding.place.as_ref().unwrap().file.clone();
            (finding.code.map_or("none", Code::name), file)
        })
        .collect()
}

fn importing(names: &[&str]) -> String {
    let imports: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(i, name)| format!("i{i}: {{source: {name}}}"))
        .collect();
    format!("version: \"0.5\"\nimports: {{{}}}\n", imports.join(", "))
}

const EMPTY: &str = "version: \"0.5\"\n";

#[test]
fn a_part_is_read_once_for_many_documents_and_threads() {
    let reads = Reads::default();
    let files = Files::new(Counting {
        files: memory(&[
            ("a.yaml", &importing(&["sub/b.yaml"])),
            ("sub/b.yaml", EMPTY),
            ("c.ricy.yaml", "contract_version: \"1\""),
        ]),
        reads: reads.clone(),
    });
    let text = "version: \"0.5\"\nimports: {a: {source: a.yaml, contract: c.ricy.yaml}, again: {source: ./a.yaml}}\n";
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while next.fetch_add(1, Ordering::Relaxed) < 1000 {
                    assert!(check(Input::new("root.rigy.yaml", text), &files).is_ok());
                }
            });
        }
    });
    let reads = reads.lock().unwrap();
    assert_eq!(
        reads.iter().collect::<Vec<_>>(),
        [
            (&"a.yaml".to_owned(), &1),
            (&"c.ricy.yaml".to_owned(), &1),
            (&"sub/b.yaml".to_owned(), &1)
        ]
    );
}

#[test]
fn circles_are_found_however_long_they_are() {
    let own = findings(&importing(&["./root.rigy.yaml"]), &[]);
    assert_eq!(own[0].code, Some(Code::U05));
    assert!(own[0].message.contains("itself"), "{}", own[0].message);
    let files = [
        ("a.yaml", &*importing(&["x/b.yaml"])),
        ("x/b.yaml", &importing(&["../x/../a.yaml"])),
    ];
    let pair = findings(&importing(&["a.yaml"]), &files);
    assert_eq!(pair.len(), 1);
    assert_eq!(pair[0].code, Some(Code::U05));
    let place = |p: &rigy_batch::base::diag::Place| (p.file.clone(), p.path.clone());
    assert_eq!(
        place(pair[0].place.as_ref().unwrap()),
        ("x/b.yaml".into(), "imports.i0.source".into())
    );
    let importers: Vec<_> = pair[0].importers.iter().map(place).collect();
    let source = "imports.i0.source".to_owned();
    assert_eq!(
        importers,
        [
            ("a.yaml".to_owned(), source.clone()),
            ("root.rigy.yaml".to_owned(), source)
        ]
    );
}

#[test]
fn the_same_part_by_two_ways_is_no_circle() {
    let files = [
        ("a.yaml", &*importing(&["c.yaml"])),
        ("b.yaml", &importing(&["c.yaml"])),
        ("c.yaml", EMPTY),
    ];
    assert_eq!(
        found(&importing(&["a.yaml", "b.yaml", "c.yaml"]), &files),
        []
    );
}

#[test]
fn every_broken_import_is_reported_depth_first() {
    let files = [
        (
            "a.yaml",
            &*importing(&["bad.yaml", "none.yaml", "../up.yaml"]),
        ),
        ("bad.yaml", "version: \"0.5\"\nmesh: []\n"),
        ("list.yaml", "- 1\n"),
    ];
    let found = found(&importing(&["gone.yaml", "a.yaml", "list.yaml"]), &files);
    let expected = [
        ("U06", "root.rigy.yaml"),
        ("U14", "a.yaml"),
        ("V33", "bad.yaml"),
        ("U06", "a.yaml"),
        ("U10", "list.yaml"),
    ];
    assert_eq!(found, expected.map(|(code, file)| (code, file.to_owned())));
}

#[test]
fn stages_come_in_their_order_across_files() {
    let negative = "version: \"0.5\"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: -1}}]}]\n";
    let strict = "contract_version: \"1\"\nrequired_anchors: [hub]\n";
    let root = |more: &str| {
        format!(
            "version: \"0.5\"\nimports: {{p: {{source: p.yaml, contract: c.yaml}}, q: {{source: q.yaml}}}}\n\
             anchors: [{{id: o, translation: [0, 0, 0]}}]\n{more}"
        )
    };
    let place = "instances: [{id: i, import: p, attach3: {from: [hub, hub, hub], to: [o, o, x], mode: rigid}}]\n";
    let degenerate = place.replace("hub", "o").replace('x', "o");
    let codes = |text: &str, p: &str, c: &str| {
        let files = [("p.yaml", p), ("c.yaml", c), ("q.yaml", negative)];
        let found = found(text, &files);
        found.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    let o = "version: \"0.5\"\nanchors: [{id: o, translation: [0, 0, 0]}]\n";
    // A fault of a part, even an unused one, before anchors; the document's own faults before those.
    assert_eq!(codes(&root(place), o, strict), ["V07"]);
    let twice = place.replace("}]\n", "}, {id: i, mesh_id: none}]\n");
    assert_eq!(codes(&root(&twice), o, strict), ["V25", "V27", "V07"]);
    let codes = |text: &str, c: &str| {
        let files = [("p.yaml", o), ("c.yaml", c), ("q.yaml", EMPTY)];
        let found = found(text, &files);
        found.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    // Anchors before contracts, contracts before frames; a contract counts without any instance.
    assert_eq!(codes(&root(place), strict), ["V29", "V29", "V29", "V30"]);
    assert_eq!(codes(&root(&degenerate), strict), ["V31", "U08"]);
    assert_eq!(codes(&root(""), strict), ["V31"]);
    assert_eq!(codes(&root(""), "contract_version: 1\n"), ["V31"]);
}

#[test]
fn only_direct_imports_are_validated() {
    let negative = "version: \"0.5\"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: -1}}]}]\n";
    let files = [("a.yaml", &*importing(&["b.yaml"])), ("b.yaml", negative)];
    assert_eq!(found(&importing(&["a.yaml"]), &files), []);
    assert_eq!(
        found(&importing(&["b.yaml"]), &files),
        [("V07", "b.yaml".to_owned())]
    );
}

#[test]
fn content_that_is_left_out_brings_a_warning() {
    let part = "version: \"0.5\"\nmeshes: [{id: m, primitives: []}]\ninstances: [{id: i, mesh_id: m}]\n\
                anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]\n";
    let root = part.replace(
        "instances: [",
        "poses: [{id: p, bones: {}}]\nimports: {p: {source: p.yaml}, unused: {source: p.yaml}}\ninstances: \
         [{id: j, import: p, attach3: {from: [a, p.b, c], to: [a, b, c], mode: affine}}, ",
    );
    let file = "root.rigy.yaml".to_owned();
    assert_eq!(
        found(&root, &[("p.yaml", part)]),
        [("W05", file.clone()), ("W06", file)]
    );
}
