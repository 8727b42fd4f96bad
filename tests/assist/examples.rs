//! Single questions and their answers.

use crate::support::assert_contains;
use rigy_batch::assist::{
    Completion, Files, Source, SymbolKind, completion, definition, hover, references, rename,
    symbols,
};
use rigy_batch::{Location, MemoryLoader};

const PART: &str = "version: \"0.3\"
anchors:
  - {id: low, translation: [0, 0, 0]}
  - {id: high, translation: [0, 1, 0]}
  - {id: side, translation: [1, 0, 0]}
";

const WHOLE: &str = "version: \"0.13\"
params: {wide: 2}
materials: {oak: {base_color: [1, 1, 1, 1]}}
meshes:
  - id: table
    material: oak
    primitives:
      - {type: box, id: L.leg, dimensions: {x: $wide, y: \"=$wide * 2\"}}
armatures:
  - id: rig
    bones:
      - {id: root, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}
      - {id: L.arm, parent: root, head: [0, 1, 0], tail: [0, 2, 0]}
bindings:
  - mesh_id: table
    armature_id: rig
    weights: # see V11
      - {primitive_id: R.leg, bones: [{bone_id: R.arm, weight: 1}]}
symmetry: {mirror_x: {prefix_from: L., prefix_to: R.}}
poses:
  - id: bent
    bones:
      root: {}
imports:
  part: {source: part.yaml}
instances:
  - {id: one, import: part, attach3: {from: [part.low, high, 'part.side'], to: [low, low, low], mode: rigid}}
";

fn location() -> Location {
    Location("whole.rigy.yaml".into())
}

fn loader() -> MemoryLoader {
    let mut loader = MemoryLoader::default();
    loader.files.insert("part.yaml".into(), PART.into());
    loader.files.insert("whole.rigy.yaml".into(), WHOLE.into());
    loader
}

fn offered(marked: &str) -> Vec<Completion> {
    let offset = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let (loader, location) = (loader(), location());
    let source = Source {
        location: &location,
        text: &text,
    };
    completion(
        source,
        offset,
        &Files {
            loader: &loader,
            searched: &[],
            recent: None,
            listed: None,
        },
    )
}

fn labels(marked: &str) -> Vec<String> {
    offered(marked)
        .into_iter()
        .map(|found| found.label)
        .collect()
}

/// The offset of a text in the document, and so many bytes more.
fn at(text: &str, more: usize) -> usize {
    WHOLE.find(text).unwrap() + more
}

fn hovered(offset: usize) -> String {
    let (loader, location) = (loader(), location());
    let source = Source {
        location: &location,
        text: WHOLE,
    };
    let hover = hover(
        source,
        offset,
        &Files {
            loader: &loader,
            searched: &[],
            recent: None,
            listed: None,
        },
    );
    hover.map_or(String::new(), |hover| hover.text)
}

#[test]
fn bones_are_a_tree() {
    let location = location();
    let source = Source {
        location: &location,
        text: WHOLE,
    };
    let found = symbols(source, None);
    let armature = found
        .iter()
        .find(|s| s.kind == SymbolKind::Armature)
        .unwrap();
    assert_eq!(armature.name, "rig");
    assert_eq!(armature.children.len(), 1);
    assert_eq!(armature.children[0].name, "root");
    assert_eq!(armature.children[0].children[0].name, "L.arm");
    assert_eq!(&WHOLE[armature.children[0].name_range.clone()], "root");
}

#[test]
fn keys_words_and_ids_are_offered() {
    let bones = WHOLE.replace("parent: root", "parent: |");
    assert_eq!(labels(&bones), ["none", "L.arm", "R.arm", "root"]);
    let poses = WHOLE.replace("      root: {}", "      root: {}\n      |");
    assert_eq!(labels(&poses), ["L.arm", "R.arm"]);
    let flow = WHOLE.replace("weight: 1}", "|}");
    assert_eq!(labels(&flow), ["weight"]);
    let anchors = WHOLE.replace("part.low", "part.|");
    assert_eq!(labels(&anchors), ["part.high", "part.low", "part.side"]);
    assert_eq!(
        labels(&WHOLE.replace("import: part,", "import: |,")),
        ["part"]
    );
    assert_eq!(labels(&WHOLE.replace("x: $wide", "x: $|")), ["$wide"]);
    assert_eq!(
        labels(&WHOLE.replace("material: oak", "material: o|")),
        ["oak"]
    );
    assert_eq!(
        labels(&WHOLE.replace("mode: rigid", "mode: |")),
        ["rigid", "uniform", "affine"]
    );
    let old = WHOLE.replace("0.13", "0.8").replace("type: box", "type: |");
    assert_eq!(labels(&old), ["box", "sphere", "cylinder", "capsule"]);
    assert_eq!(labels("version: |")[0], "0.13");
    let item = labels("version: \"0.13\"\nmeshes:\n  - id: m\n    primitives:\n      - |\n");
    for key in ["type", "id", "transform", "macro", "repeat"] {
        assert!(item.contains(&key.to_owned()), "{key}: {item:?}");
    }
    let empty = labels("version: \"0.5\"\n|\nmeshes: []\n");
    assert!(empty.contains(&"poses".into()) && !empty.contains(&"materials".into()));
    assert!(!empty.contains(&"meshes".into()) && !empty.contains(&"rigy_version".into()));
    assert_eq!(labels("version: \"0.5\" # |"), [""; 0]);
}

#[test]
fn what_is_typed_is_replaced() {
    let found = offered("version: \"0.13\"\nmesh|\n");
    let meshes = found.iter().find(|found| found.label == "meshes").unwrap();
    assert_eq!((meshes.range.clone(), &*meshes.insert), (16..20, "meshes:"));
    let found = offered(&WHOLE.replace("'part.side'", "'part.s|ide'"));
    let side = found
        .iter()
        .find(|found| found.label == "part.side")
        .unwrap();
    assert_eq!(&WHOLE[side.range.clone()], "part.side");
}

#[test]
fn fields_references_and_codes_are_explained() {
    let field = hovered(at("prefix_from", 2));
    assert_contains(&field, &["**prefix_from**", "It has to be there"]);
    let material = hovered(at("material: oak", 1));
    assert!(material.contains("Since version 0.12"), "{material}");
    let bone = hovered(at("bone_id: R.arm", 10));
    assert_contains(&bone, &["bone `L.arm`, line 13", "`R.arm` is made"]);
    assert!(hovered(at("part.low", 6)).contains("anchor `low`, `part.yaml`, line 3"));
    assert!(hovered(at("V11", 1)).contains("**V11**"));
    assert_eq!(hovered(usize::MAX), "");
}

#[test]
fn definitions_and_references_cross_files() {
    let (loader, location) = (loader(), location());
    let files = Files {
        loader: &loader,
        searched: &[],
        recent: None,
        listed: None,
    };
    let source = Source {
        location: &location,
        text: WHOLE,
    };
    let found = definition(source, at("part.low", 6), &files);
    assert_eq!(found[0].location.0.to_str(), Some("part.yaml"));
    assert_eq!(&PART[found[0].range.clone()], "low");
    let file = definition(source, at("import: part", 9), &files);
    assert_eq!(
        (file[0].location.0.to_str(), file[0].range.clone()),
        (Some("part.yaml"), 0..0)
    );
    assert_eq!(definition(source, at("source: part", 9), &files), file);
    // From the part, the open document is searched.
    let part = Location("part.yaml".into());
    let source = Source {
        location: &part,
        text: PART,
    };
    let open = [location.clone()];
    let offset = PART.find("side").unwrap();
    let found = references(
        source,
        offset,
        &Files {
            loader: &loader,
            searched: &open,
            recent: None,
            listed: None,
        },
    );
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(&WHOLE[found[1].target.range.clone()], "side");
}

#[test]
fn renaming_follows_copies_and_quotes() {
    let (loader, location) = (loader(), location());
    let whole = WHOLE.replace("to: [low, low, low]", "to: [a, b, c]")
        + "anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [0, 1, 0]}, {id: c, translation: [1, 1, 0]}]\n";
    let files = Files {
        loader: &loader,
        searched: &[],
        recent: None,
        listed: None,
    };
    let source = Source {
        location: &location,
        text: &whole,
    };
    let edited = |text: &str, new_name: &str| -> Result<Vec<String>, String> {
        let edits = rename(source, whole.find(text).unwrap() + 1, new_name, &files)?;
        Ok(edits.into_iter().map(|edit| edit.text).collect())
    };
    assert_eq!(
        edited("L.arm", "L.fore arm"),
        Ok(vec!["L.fore arm".into(), "R.fore arm".into()])
    );
    assert!(edited("L.arm", "arm").unwrap_err().contains("mirrored"));
    assert!(
        edited("R.arm", "R.b")
            .unwrap_err()
            .contains("made from `L.arm`")
    );
    assert!(edited("root", "R.arm").unwrap_err().contains("already"));
    assert!(edited("root", "none").is_err() && edited("root", "").is_err());
    let roots: Vec<String> = ["\"1\""; 3].map(String::from).into();
    assert_eq!(edited("root", "1"), Ok(roots));
    assert_eq!(
        edited("wide: 2", "w"),
        Ok(vec!["w".into(), "$w".into(), "\"=$w * 2\"".into()])
    );
    assert!(edited("wide: 2", "a b").unwrap_err().contains("identifier"));
    let names = edited("part: {", "p").unwrap();
    assert_eq!(names, ["p", "p", "p.low", "'p.side'"]);
}
