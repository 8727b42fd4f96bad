//! Files that a document names often are read once.

use rigy_batch::base::diag::Diagnostic;
use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};

use crate::support::counting::{Counting, Reads};

/// Builds a document. Returns its errors, and the number of reads of the file of this name.
fn built(text: &str, name: &str, content: String) -> (Vec<Diagnostic>, usize) {
    let mut files = MemoryLoader::default();
    files.files.insert(name.to_owned(), content.into_bytes());
    let reads = Reads::default();
    let files = Files::new(Counting {
        files,
        reads: reads.clone(),
    });
    let files = files.within(Limits::DEFAULT.bytes(8 << 20));
    let checked = check(Input::new("a.rigy.yaml", text), &files);
    let errors = checked.and_then(|checked| checked.value.build()).err();
    let reads = reads.lock().unwrap()[name];
    (errors.unwrap_or_default(), reads)
}

const BONES: &str = "[{id: a, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]";
const PRIMITIVES: &str = "[{type: box, id: b, dimensions: {x: 1}}]";

/// A weight file with an entry for each vertex of a box, whose bone is this.
fn weights(bone: &str) -> String {
    let entries = (0..24).map(|vertex| {
        format!("{{\"vertex\":{vertex},\"bones\":[{{\"bone_id\":\"{bone}\",\"weight\":1}}]}}")
    });
    let entries = entries.collect::<Vec<_>>().join(",");
    format!("{{\"primitive_id\":\"b\",\"vertex_count\":24,\"influences\":[{entries}]}}")
}

/// A document with so many meshes, each bound to an armature of its own by so many weight maps.
fn bound(meshes: usize, maps: usize) -> String {
    let each = |text: &dyn Fn(usize) -> String| (0..meshes).map(text).collect::<String>();
    let all = each(&|n| format!("{{id: m{n}, primitives: {PRIMITIVES}}}, "));
    let armatures = each(&|n| format!("{{id: r{n}, bones: {BONES}}}, "));
    let maps = "{primitive_id: b, source: w.json}, ".repeat(maps);
    let bindings = each(&|n| {
        format!("{{mesh_id: m{n}, armature_id: r{n}, weights: [], weight_maps: [{maps}]}}, ")
    });
    format!("version: \"0.5\"\nmeshes: [{all}]\narmatures: [{armatures}]\nbindings: [{bindings}]\n")
}

#[test]
fn a_weight_file_is_read_once_for_all_maps_of_a_document() {
    for (meshes, maps) in [(1, 3000), (300, 1), (30, 30)] {
        let (errors, reads) = built(&bound(meshes, maps), "w.json", weights("a"));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(reads, 1, "{meshes} meshes with {maps} maps each");
    }
}

#[test]
fn faults_of_a_weight_file_are_reported_for_each_map() {
    let (errors, reads) = built(&bound(2, 3), "w.json", weights("x"));
    assert_eq!(reads, 1);
    assert_eq!(errors.len(), 2 * 3 * 24);
    let (first, last) = (&errors[0], &errors[errors.len() - 1]);
    let message = |entry, armature| {
        format!(
            "weight file `w.json`: `influences[{entry}].bones[0]`: armature `{armature}` has no bone `x`"
        )
    };
    assert!(first.message.starts_with(&message(0, "r0")), "{first:?}");
    assert!(last.message.starts_with(&message(23, "r1")), "{last:?}");
    let path = |error: &Diagnostic| error.place.as_ref().unwrap().path.clone();
    assert_eq!(path(first), "bindings[0].weight_maps[0].source");
    assert_eq!(path(last), "bindings[1].weight_maps[2].source");
    let (errors, _) = built(&bound(40, 3), "w.json", weights("x"));
    assert_eq!(errors.len(), 1000);
}

#[test]
fn faults_of_a_weight_file_come_in_the_order_of_the_file() {
    let text = r#"{"primitive_id": "b", "vertex_count": 24, "influences": [
        {"vertex": 0, "bones": [{"bone_id": "x", "weight": 2}, {"bone_id": "a", "weight": 3}, 7]},
        {"vertex": 24, "bones": []},
        {"vertex": 1, "bones": [{"bone_id": "y", "weight": 0}, {"bone_id": "x", "weight": 1}]}, 5]}"#;
    let (errors, _) = built(&bound(1, 1), "w.json", text.into());
    let found = errors.iter().map(|error| {
        let message = &error.message;
        let place = message.split('`').nth(3).unwrap().to_owned();
        (error.code.unwrap().name(), place)
    });
    let found: Vec<_> = found.collect();
    let expected = [
        ("V16", "influences[0].bones[0]"),
        ("V18", "influences[0].bones[0].weight"),
        ("V18", "influences[0].bones[1].weight"),
        ("V20", "influences[0].bones[2]"),
        ("V19", "influences[1].vertex"),
        ("V16", "influences[2].bones[0]"),
        ("V16", "influences[2].bones[1]"),
        ("V20", "influences[3]"),
    ];
    assert_eq!(
        found,
        expected.map(|(code, place)| (code, place.to_owned()))
    );
}

#[test]
fn a_part_is_read_once_however_long_it_is() {
    // The list is longer than everything that is kept from one document to the next.
    let anchors: String = (0..100_000)
        .map(|n| format!("- {{id: anchor_of_a_part_{n}, translation: [0, 0, 0]}}\n"))
        .collect();
    assert!(anchors.len() > 5 << 20);
    let imports: String = (0..5)
        .map(|n| format!("n{n}: {{source: part.yaml}}, "))
        .collect();
    let text = format!("version: \"0.5\"\nimports: {{{imports}}}\n");
    let part = format!("version: \"0.5\"\nanchors:\n{anchors}");
    let (errors, reads) = built(&text, "part.yaml", part);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(reads, 1);
}
