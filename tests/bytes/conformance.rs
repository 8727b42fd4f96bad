//! Our own fixtures: goldens made by the oracle, compared with the outputs of the program.
//!
//! The goldens change only through `scripts/bless.sh`, which runs the ignored test below.

use std::path::{Path, PathBuf};

use rigy_batch::DirectoryLoader;
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;
use serde_json::Value;

use crate::oracle;
use crate::support::{Dir, assert_contains, own_manifest, published, sha256};

fn golden(suite: &Path, test: &Value) -> Vec<u8> {
    let input = suite.join(test["input"].as_str().unwrap());
    let text = std::fs::read_to_string(&input).unwrap();
    let text = text.trim_start_matches('\u{feff}');
    let read = |name: &str| std::fs::read(input.parent().unwrap().join(name)).unwrap();
    match test["pose_id"].as_str() {
        Some(pose_id) => oracle::bake(text, pose_id, &read),
        None => oracle::compile(text, &read),
    }
}

fn golden_positions(suite: &Path, test: &Value) -> Option<(PathBuf, Vec<u8>)> {
    let path = suite.join(test["expected_positions"].as_str()?);
    let input = suite.join(test["input"].as_str().unwrap());
    let text = std::fs::read_to_string(&input).unwrap();
    let read = |name: &str| std::fs::read(input.parent().unwrap().join(name)).unwrap();
    let pose_id = test["pose_id"].as_str().unwrap();
    Some((path, oracle::positions(&text, pose_id, &read)))
}

fn manifest() -> Value {
    serde_json::from_slice(&std::fs::read(own_manifest()).unwrap()).unwrap()
}

fn positive(manifest: &Value) -> impl Iterator<Item = &Value> {
    let tests = manifest["tests"].as_array().unwrap().iter();
    tests.filter(|test| test["type"] == "positive")
}

#[test]
fn the_goldens_are_what_the_oracle_makes() {
    let suite = own_manifest();
    let suite = suite.parent().unwrap();
    for test in positive(&manifest()) {
        let expected = golden(suite, test);
        let file = std::fs::read(suite.join(test["expected_output"].as_str().unwrap())).unwrap();
        assert!(file == expected, "{}: run scripts/bless.sh", test["id"]);
        assert_eq!(test["expected_sha256"], sha256(&expected), "{}", test["id"]);
        if let Some((path, expected)) = golden_positions(suite, test) {
            let file = std::fs::read(path).unwrap();
            assert!(file == expected, "{}: run scripts/bless.sh", test["id"]);
        }
    }
}

#[test]
fn every_category_has_a_fixture() {
    let manifest = manifest();
    for category in [
        "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R",
        "S", "T",
    ] {
        let tests = manifest["tests"].as_array().unwrap();
        assert!(
            tests.iter().any(|test| test["category"] == category),
            "{category}"
        );
    }
}

#[test]
fn the_program_passes_our_own_suite() {
    let manifest = own_manifest();
    for isa in rigy_batch::kernel::simd::Isa::available() {
        Dir::new()
            .run(&["verify", manifest.to_str().unwrap(), "--isa", isa.name()])
            .good();
    }
}

/// `verify` compares the warnings that a test names.
#[test]
fn tests_that_name_no_warnings_have_none() {
    let suite = own_manifest();
    let suite = suite.parent().unwrap();
    let files = Files::new(DirectoryLoader::new(suite).unwrap());
    let mut missing = Vec::new();
    for test in positive(&manifest()) {
        let input = test["input"].as_str().unwrap();
        let location = Location(suite.join(input));
        let bytes = std::fs::read(&location.0).unwrap();
        let input = Input::decoded(input, location, &bytes).unwrap();
        let mut checked = check(input, &files).unwrap();
        checked
            .warnings
            .extend(checked.value.build().unwrap().warnings);
        let codes = checked.warnings.iter().filter_map(|warning| warning.code);
        let codes: Vec<&str> = codes.map(|code| code.name()).collect();
        if test.get("expected_warnings").is_none() && !codes.is_empty() {
            missing.push(format!(
                "{} lacks \"expected_warnings\": {codes:?}",
                test["id"]
            ));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_program_passes_the_published_suites() {
    for (suite, count) in [
        ("conformance-0.5/manifest.json", "8 of 8"),
        ("conformance/manifest.json", "41 of 41"),
    ] {
        let Some(manifest) = published(suite) else {
            continue;
        };
        for isa in rigy_batch::kernel::simd::Isa::available() {
            let args = ["verify", manifest.to_str().unwrap(), "--isa", isa.name()];
            let ran = Dir::new().run(&args).good();
            ran.prints(&format!("{count} passed ({isa})"));
        }
    }
}

fn fixture(name: &str) -> String {
    let path = own_manifest().with_file_name(format!("inputs/{name}.rigy.yaml"));
    std::fs::read_to_string(path).unwrap()
}

fn baked(text: &str, pose_id: &str) -> Vec<u8> {
    let files = Files::new(MemoryLoader::default());
    let checked = check(Input::new("d.rigy.yaml", text), &files).unwrap();
    let compiled = checked.value.build().unwrap().value;
    let posed = compiled.pose(pose_id, Isa::best(), &Sequential).unwrap();
    posed.bake().unwrap().to_bytes()
}

#[test]
fn an_identity_pose_gives_both_solvers_the_same_bytes() {
    let (dual, linear) = (
        fixture("L01_single_bone_dqs_identity"),
        fixture("L01_single_bone_lbs_identity"),
    );
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    let solver = "skinning_solver: ";
    assert_eq!(
        body(&dual),
        body(&linear).replace(&format!("{solver}lbs"), &format!("{solver}dqs"))
    );
    let output = |name: &str| std::fs::read(own_manifest().with_file_name(name)).unwrap();
    let goldens = [
        output("outputs/L01_single_bone_dqs_identity.glb"),
        output("outputs/L01_single_bone_lbs_identity.glb"),
    ];
    assert!(goldens[0] == goldens[1]);
    assert!(baked(&dual, "rest") == baked(&linear, "rest"));
}

#[test]
fn fixtures_of_solver_selection_tell_the_solvers_apart() {
    for (name, pose_id, from, to) in [
        ("M01_mixed_solvers", "wrench", "lbs", "dqs"),
        ("M01_mixed_solvers", "wrench", "dqs", "lbs"),
        ("M02_top_level_override", "swing", "dqs", "lbs"),
        ("M02_top_level_override", "swing", "lbs", "dqs"),
        ("M02_top_level_override", "swing", "null", "lbs"),
    ] {
        let text = fixture(name);
        let key = |solver: &str| format!("skinning_solver: {solver}\n");
        assert_eq!(text.matches(&key(from)).count(), 1, "{name}");
        let swapped = text.replace(&key(from), &key(to));
        assert!(
            baked(&text, pose_id) != baked(&swapped, pose_id),
            "{name} does not notice {from} read as {to}"
        );
    }
}

#[test]
fn the_fixture_of_the_hemisphere_boundary_stands_at_it() {
    let document: serde_yaml::Value =
        serde_yaml::from_str(&fixture("N02_hemisphere_boundary")).unwrap();
    let number = |value: &serde_yaml::Value| value.as_f64().unwrap();
    let mut signs = Vec::new();
    for pose in document["poses"].as_sequence().unwrap() {
        let [frame, door] = ["frame", "door"].map(|bone| {
            let rotation = pose["bones"][bone]["rotation"].as_sequence().unwrap();
            [0, 1, 2, 3].map(|i| number(&rotation[i]))
        });
        let dot: f64 = (0..4).map(|i| frame[i] * door[i]).sum();
        assert!(dot.abs() < 1e-12, "{dot}");
        signs.push(dot.partial_cmp(&0.0).unwrap());
    }
    use std::cmp::Ordering::{Equal, Greater, Less};
    assert_eq!(signs, [Equal, Less, Greater]);
}

#[test]
fn a_changed_golden_fails_and_names_the_field() {
    let dir = Dir::new();
    let suite = own_manifest();
    let suite = suite.parent().unwrap();
    let mut manifest = manifest();
    let tests = manifest["tests"].as_array_mut().unwrap();
    tests.retain(|test| test["id"] == "A01_single_bone_bind");
    let name = tests[0]["expected_output"].as_str().unwrap().to_owned();
    let input = tests[0]["input"].as_str().unwrap().to_owned();
    let mut bytes = std::fs::read(suite.join(&name)).unwrap();
    let bin = bytes.len() - 24 * (12 + 12 + 8 + 16) - 36 * 4 - 64; // all blocks of a box on one bone
    bytes[bin + 12 * 5] ^= 1;
    dir.write(&name, bytes);
    dir.write(&input, std::fs::read(suite.join(&input)).unwrap());
    dir.write("manifest.json", manifest.to_string());
    let ran = dir.run("verify manifest.json");
    assert_eq!(ran.status(), 1);
    let out = ran.stdout();
    assert_contains(
        &out,
        &["accessor 0 (POSITION of mesh 0 `Slab`), element 5, component 0"],
    );
    let ran = dir.run("verify manifest.json --format json");
    let summary = &ran.json()[1]["summary"];
    assert_eq!(
        (&summary["tests"], &summary["failed"]),
        (&1.into(), &1.into())
    );
}

/// Rewrites the goldens and their hashes from the oracle, saying what changes.
#[test]
#[ignore = "run by scripts/bless.sh"]
fn bless() {
    let path = own_manifest();
    let suite = path.parent().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut blessed = text.clone();
    std::fs::create_dir_all(suite.join("outputs")).unwrap();
    for test in positive(&manifest()) {
        let bytes = golden(suite, test);
        let output = suite.join(test["expected_output"].as_str().unwrap());
        let id = test["id"].as_str().unwrap();
        match std::fs::read(&output) {
            Ok(old) => {
                if let Some(change) = rigy_batch::view::first_difference(&bytes, &old) {
                    println!("{id}: {change}");
                }
            }
            Err(_) => println!("{id}: new, {} bytes", bytes.len()),
        }
        std::fs::write(&output, &bytes).unwrap();
        if let Some((path, bytes)) = golden_positions(suite, test) {
            std::fs::write(path, bytes).unwrap();
        }
        blessed = with_hash(&blessed, id, &sha256(&bytes));
    }
    std::fs::write(&path, blessed).unwrap();
}

/// The manifest's text with the hash of one test replaced; everything else stays as it is written.
fn with_hash(text: &str, id: &str, hash: &str) -> String {
    let test = text.find(&format!("\"id\": \"{id}\"")).unwrap();
    let key = "\"expected_sha256\": \"";
    let start = test + text[test..].find(key).unwrap() + key.len();
    let end = start + text[start..].find('"').unwrap();
    format!("{}{hash}{}", &text[..start], &text[end..])
}
