//! Expanded documents (`extensions.md` §2.12): in the place of its source, each compiles to the same bytes, and expanding it
//! again gives the same text.

use std::path::{Path, PathBuf};

use rigy_batch::base::diag::Diagnostic;
use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::base::output::OutputFile;
use rigy_batch::base::paths::Slashed;
use rigy_batch::compile::{Files, Input, compile, decode, expanded};
use rigy_batch::io::DirectoryLoader;
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;

use crate::documents::{self, Size};
use crate::support::chance::cases;
use crate::support::{own_manifest, published};

/// The text of an expanded document may be longer than the default limit, although the document is short.
const LIMITS: Limits = Limits::DEFAULT.bytes(16 << 20);

fn outputs(input: Input<'_>, files: &Files) -> Result<Vec<Vec<u8>>, Vec<Diagnostic>> {
    let compiled = compile(input, files)?.value;
    let mut outputs = vec![compiled.export()?.to_bytes()];
    for id in compiled.pose_ids() {
        let posed = compiled.pose(id, Isa::best(), &Sequential).unwrap();
        outputs.push(posed.bake()?.to_bytes());
    }
    Ok(outputs)
}

/// Checks the promises for one document; returns its expansion if it has one.
fn check(name: &str, location: &Path, text: &str, files: &Files) -> Option<String> {
    let input = |text| Input {
        name,
        location: Location(location.to_owned()),
        text,
    };
    let direct = outputs(input(text), files);
    let once = match expanded(input(text), LIMITS) {
        Ok(once) => once?,
        Err(errors) => {
            let direct = direct.expect_err(name);
            assert_eq!(direct[0].category, errors[0].category, "{name}");
            assert_eq!(direct[0].code, errors[0].code, "{name}");
            return None;
        }
    };
    let again = expanded(input(&once), LIMITS);
    let again = again.unwrap_or_else(|errors| panic!("{name}: {errors:#?}\n{once}"));
    assert_eq!(again.as_deref(), Some(&*once), "{name}");
    match (direct, outputs(input(&once), files)) {
        (Ok(direct), Ok(of_expanded)) => assert!(direct == of_expanded, "{name} differs\n{once}"),
        (Err(direct), Err(of_expanded)) => {
            assert_eq!(direct[0].category, of_expanded[0].category, "{name}");
        }
        (Ok(_), Err(errors)) => panic!("{name}: {errors:#?}\n{once}"),
        (Err(errors), Ok(_)) => panic!("{name} compiles only when expanded: {errors:#?}"),
    }
    Some(once)
}

/// Checks all YAML files below a directory; returns their number.
fn check_below(root: &Path) -> usize {
    let files = Files::new(DirectoryLoader::new(root).unwrap()).within(LIMITS);
    let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter();
    let paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .collect();
    let mut count = 0;
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let name = path.slashed().to_string();
        if let Ok(text) = decode(&name, &bytes) {
            count += usize::from(check(&name, path, text, &files).is_some());
        }
    }
    count
}

#[test]
fn own_fixtures() {
    let root = own_manifest();
    let root = root.parent().unwrap();
    assert!(check_below(&root.join("inputs")) > 20);
    check_below(&root.join("invalid"));
}

#[test]
fn published_fixtures_and_examples() {
    for (folder, least) in [
        ("conformance/inputs", 25),
        ("conformance-0.5/inputs", 8),
        ("rigy/examples", 25),
    ] {
        if let Some(root) = published(folder) {
            let count = check_below(&root);
            assert!(count >= least, "{folder}: {count}");
        }
    }
}

#[test]
fn generated_documents() {
    for index in 0..150 {
        let generated = documents::document(17, index, Size::Small);
        let files = generated.files.into_iter();
        let files = Files::new(MemoryLoader {
            files: files.map(|(name, text)| (name, text.into())).collect(),
        });
        let name = format!("document {index}");
        let location = Path::new("generated");
        check(&name, location, &generated.yaml, &files).expect("it has an expansion");
    }
}

/// A document with everything that expanding touches.
const EVERYTHING: &str = r##"# A comment that is lost.
geometry_checks: {when: 2020-01-01, "1_0": [~, .nan, 0x1F, "${i}", $nothing, "=1/0"], deep: [[[[1, a: {b: c}]]]]}
version: "0.13"
params: {n: 2, width: 0.5, on: true, odd: "=not an expression", cost: "US$a", name: plain}
materials:
  plain: &base {base_color: [1, 0, 0, 1]}
  "odd name: #1": *base
  "=not an expression": {base_color: [0, 1, 0, 1]}
  merged: {<<: *base, uses_uv_roles: []}
meshes:
  - id: m
    material: $name
    primitives:
      - repeat:
          count: 2
          as: i
          body:
            id: "box_${i}"
            type: box
            material: $odd
            dimensions: {x: $width, y: "=$width * 2", z: 1e-5}
            transform: {translation: ["${i}", "=sqrt(2) + 15", 0], rotation_degrees: [10, "=$n * 10", 30]}
      - {type: box, id: corners, aabb: {min: [0, 0, 0], max: [1, 2, 3]}, tags: [a, "b c", "1"]}
      - {type: box, id: turned, dimensions: {x: 1}, transform: {rotation_axis_angle: {axis: [1, 2, 3], degrees: 33}}}
      - {type: box, id: four, dimensions: {x: 1}, transform: {rotation_quat: [1, 2, 3, 4]}}
      - {macro: box_decompose, id: wall, axis: x, span: [0, 4], height: 2, thickness: 0.1, cutouts: [{id: door, span: [1, 2], top: 1.5}]}
      - {macro: triangle_prism_on_plane, id: roof, plane: {origin: [0, 1, 0], normal: [1, 2, 3]}, leg_p: [3, 0, -1], leg_q: [0, 3, -2], length: 2}
  - repeat: {count: "=3", as: k, body: {id: never, primitives: []}}
anchors:
  - repeat: {count: 2, as: outer, body: {id: "a${outer}", translation: ["${outer}", 0, 1]}}
"##;

fn everything() -> String {
    EVERYTHING.replace("count: \"=3\"", "count: 0")
}

#[test]
fn a_document_with_everything() {
    let files = Files::new(MemoryLoader::default());
    let text = check("d.rigy.yaml", Path::new("d"), &everything(), &files).unwrap();
    for expected in [
        "params:\n  odd: ",
        "material: $odd\n",
        "      # repeat of line 14, i = 1\n      - id: box_1\n",
        "      # macro of line 26\n",
        "  # repeat of line 30, outer = 0\n  - id: a0\n",
        "rotation_degrees: [10, 20.0, 30]\n",
        "translation: [1, 16.414213562, 0]\n",
        "z: 1e-05\n",
        "when: 2020-01-01\n",
        "\"1_0\": [null, .nan, 0x1F, ",
    ] {
        assert!(
            text.contains(expected),
            "{expected:?} is missing in\n{text}"
        );
    }
    for gone in ["repeat:", "macro:", "aabb", "cost", "lost"] {
        assert!(!text.contains(gone), "{gone:?} is left in\n{text}");
    }
    let checks = text.find("\ngeometry_checks:").unwrap();
    assert!(checks > text.find("\nanchors:").unwrap());
}

#[test]
fn every_change_of_a_character_keeps_the_promises() {
    let files = Files::new(MemoryLoader::default());
    let text = everything();
    let mut expansions = 0;
    for (at, c) in text.char_indices().step_by(cases(33, 11)) {
        for other in ["", "1", ":", "$", "=", "\"", "&", " ", "#"] {
            let changed = format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]);
            let expansion = check(&changed, Path::new("d"), &changed, &files);
            expansions += usize::from(expansion.is_some());
        }
    }
    assert!(expansions > cases(100, 300), "{expansions}");
}

#[test]
fn long_keys_and_deep_lists_are_read_back() {
    let files = Files::new(MemoryLoader::default());
    let key = "k ".repeat(2_000);
    let (open, close) = ("[".repeat(120), "]".repeat(120));
    let text = format!(
        "version: \"0.10\"\ngeometry_checks:\n  ? \"{key}\"\n  : {{a: {{? \"{key}\" : 1}}}}\n  deep: {open}{close}\n"
    );
    let expansion = check("d", Path::new("d"), &text, &files).unwrap();
    assert!(expansion.contains(&key));
}

#[test]
fn aliases_within_aliases_do_not_nest_without_end() {
    let mut text = String::from("version: \"0.5\"\na0: &a0 [1]\n");
    for n in 1..200 {
        let (open, close) = ("[".repeat(100), "]".repeat(100));
        text += &format!("a{n}: &a{n} {open}*a{}{close}\n", n - 1);
    }
    let errors = expanded(Input::new("d", &text), Limits::DEFAULT).unwrap_err();
    assert!(errors[0].message.contains("deeper than 1024"), "{errors:?}");
}

#[test]
fn scenes_have_no_expansion() {
    let input = Input::new("s.rigs.yaml", "rigs_version: \"0.1\"\n");
    assert!(matches!(expanded(input, Limits::DEFAULT), Ok(None)));
}
