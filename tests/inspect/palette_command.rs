//! The command `palette`: its binary form, its errors, and files that are broken.

use rigy_batch::base::paths::Slashed;
use rigy_batch::view::palette::{ALIGNMENT, Palette, of_file};
use rigy_batch::{JointScale, Location, MemoryLoader, Moment, Source};

use serde_json::{Value, json};

use super::shader::Bound;
use crate::support::skinned::skinned;
use crate::support::{Dir, assert_contains, document, published};

#[test]
fn parts_of_the_binary_form_can_be_bound() {
    let dir = Dir::with("m.rigy.yaml", document("p"));
    dir.run("palette m.rigy.yaml --pose p --format binary -o p.bin")
        .good();
    let bytes = dir.read("p.bin");
    let bound = Bound(&bytes);
    assert!(bytes.starts_with(b"RGPL\x01\0\0\0"));
    assert_eq!(bound.word(8) as usize, bytes.len());
    assert_eq!([bound.word(12), bound.word(20)], [1, 1]);
    let parts = [
        bound.skin(0, 4),
        bound.skin(0, 5),
        bound.mesh(0, 5),
        bound.mesh(0, 6),
        bound.mesh(0, 11),
    ];
    for part in parts {
        assert!(
            part > 0 && (part as usize).is_multiple_of(ALIGNMENT),
            "{part}"
        );
    }
    let name = bound.mesh(0, 9) as usize;
    assert_eq!(&bytes[name..name + bound.mesh(0, 10) as usize], b"m");
    // The JSON has the same numbers in double precision.
    let ran = dir.run("palette m.rigy.yaml --pose p");
    let json = &ran.json()[0];
    assert_eq!(json["pose"], "p");
    let real = &json["skins"][0]["dual_quaternions"][0]["real"];
    assert_eq!(*real, serde_json::json!([0.6, 0.8, 0.0, 0.0]));
    assert_eq!(
        json["meshes"][0]["weights"][0],
        serde_json::json!([1.0, 0.0, 0.0, 0.0])
    );
}

#[test]
fn options_of_the_other_kind_of_file_and_files_that_are_read_are_refused() {
    let dir = Dir::with("m.rigy.yaml", document("p"));
    dir.write("bad.rigy.yaml", "version: \"0.5\"\nmeshes: 7\n");
    let made = skinned(4, 0.0);
    dir.write("m.glb", made.glb());
    for (arguments, status, message) in [
        (
            "m.rigy.yaml --pose q",
            2,
            "the document has no pose `q`; there is `p`",
        ),
        ("m.rigy.yaml --time 1", 2, "are for glTF files"),
        ("m.glb --pose p", 2, "`--pose` is for documents"),
        ("m.glb --animation Run", 1, "there is no animation `Run`"),
        ("m.glb -o m.glb", 2, "is one of the files that are read"),
        ("bad.rigy.yaml", 1, "meshes"),
        ("none.glb", 2, "cannot read `none.glb`"),
    ] {
        let ran = dir
            .run(&format!("palette {arguments}"))
            .exits_saying(status, message);
        assert_eq!(ran.stdout(), "", "{arguments:?}");
    }
    assert_eq!(dir.read("m.glb"), made.glb());
}

#[test]
fn a_palette_replaces_a_palette_and_nothing_else() {
    let dir = Dir::with("m.rigy.yaml", document("p"));
    dir.write("empty", "");
    let write = |file: &str, form: &str| {
        let ran = dir.run(&format!("palette m.rigy.yaml --format {form} -o {file}"));
        (ran.status(), ran.stderr())
    };
    for form in ["json", "binary", "binary", "json", "json"] {
        assert_eq!(write("empty", form), (0, String::new()));
    }
    let palette = String::from_utf8(dir.read("empty")).unwrap();
    let cut = palette[..palette.len() - 3].to_owned();
    for other in ["a text", "{\"file\": \"a\"}", &cut] {
        dir.write("other", other);
        let (status, message) = write("other", "json");
        assert_eq!(status, 2, "{other}");
        assert_contains(&message, &["`other` is there and is no palette"]);
        assert_eq!(dir.read("other"), other.as_bytes());
    }
}

#[test]
fn no_cut_or_changed_file_makes_a_palette_panic() {
    let made = skinned(3, 0.0).glb();
    let location = Location("m.glb".into());
    let attempt = |bytes: &[u8]| -> Option<Palette> {
        let source = Source::read(bytes, &location, &MemoryLoader::default()).ok()?;
        let moment = Moment::default();
        let palette = of_file(&source.value, &moment, &JointScale::Global, "m.glb")
            .ok()?
            .value;
        let _ = palette.to_bytes();
        Some(palette)
    };
    assert!(attempt(&made).is_some());
    for end in 0..made.len() {
        assert!(attempt(&made[..end]).is_none());
    }
    let mut accepted = 0;
    for at in 0..made.len() {
        let mut changed = made.clone();
        changed[at] ^= 0x55;
        accepted += usize::from(attempt(&changed).is_some());
    }
    assert!(accepted > 0);
}

fn both_forms(dir: &Dir, arguments: &str) -> Value {
    let ran = dir.run(&format!("palette {arguments}")).good();
    let json = ran.json().remove(0);
    let to_file = "--format binary -o both.bin";
    dir.run(&format!("palette {arguments} {to_file}")).good();
    let bytes = dir.read("both.bin");
    let bound = Bound(&bytes);
    let list = |name: &str| json[name].as_array().unwrap();
    assert_eq!(json["version"], bound.word(4));
    assert_eq!(list("skins").len() as u32, bound.word(12));
    assert_eq!(list("meshes").len() as u32, bound.word(20));
    for (index, skin) in list("skins").iter().enumerate() {
        let word = |place| bound.skin(index as u32, place);
        let joints = skin["joints"].as_array().unwrap();
        assert_eq!(
            [skin["skin"].as_u64(), Some(joints.len() as u64)],
            [word(0), word(1)].map(|word| Some(word.into()))
        );
        let flags = [&skin["dual_quaternions"], &skin["first_stage"]]
            .map(|list| u32::from(!list.is_null()));
        let cofactors = u32::from(skin["normals"] == "cofactors");
        assert_eq!(word(2), flags[0] + 2 * flags[1] + 4 * cofactors);
        let solver = [Value::Null, "lbs".into(), "dqs".into()];
        assert_eq!(skin["solver"], solver[word(3) as usize]);
        let duals = skin["dual_quaternions"].as_array().into_iter().flatten();
        let duals = duals
            .map(|dual| json!([dual["real"], dual["dual"]]))
            .collect();
        for (numbers, place) in [
            (&skin["matrices"], 4),
            (&duals, 5),
            (&skin["first_stage"], 6),
        ] {
            assert_numbers(numbers, &bytes, word(place), f32::to_le_bytes);
        }
        assert_text(&skin["name"], &bytes, word(7), word(8));
    }
    for (index, mesh) in list("meshes").iter().enumerate() {
        let word = |place| bound.mesh(index as u32, place);
        for (place, name) in ["mesh", "primitive", "skin", "vertices", "sets"]
            .into_iter()
            .enumerate()
        {
            assert_eq!(mesh[name], word(place as u32), "{name}");
        }
        let whole = |number: f32| (number as u32).to_le_bytes();
        assert_numbers(&mesh["joints"], &bytes, word(5), whole);
        assert_numbers(&mesh["weights"], &bytes, word(6), f32::to_le_bytes);
        assert_numbers(&mesh["references"], &bytes, word(11), whole);
        assert_numbers(&mesh["nodes"], &bytes, word(7), whole);
        assert_eq!(mesh["nodes"].as_array().unwrap().len() as u32, word(8));
        assert_text(&mesh["name"], &bytes, word(9), word(10));
    }
    json
}

/// Asserts that all numbers of a JSON value are in a file at an offset, one after the other.
fn assert_numbers(value: &Value, bytes: &[u8], offset: u32, stored: impl Fn(f32) -> [u8; 4]) {
    fn collect(value: &Value, numbers: &mut Vec<f32>) {
        match value.as_array() {
            Some(list) => list.iter().for_each(|value| collect(value, numbers)),
            None => numbers.extend(value.as_f64().map(|number| number as f32)),
        }
    }
    let mut numbers = Vec::new();
    collect(value, &mut numbers);
    let expected: Vec<u8> = numbers.into_iter().flat_map(stored).collect();
    let start = offset as usize;
    assert_eq!(bytes[start..start + expected.len()], expected);
}

fn assert_text(value: &Value, bytes: &[u8], offset: u32, len: u32) {
    let place = offset as usize..(offset + len) as usize;
    assert_eq!(bytes[place], *value.as_str().unwrap_or("").as_bytes());
}

#[test]
fn both_forms_say_the_same() {
    let dir = Dir::with("m.rigy.yaml", document("p"));
    let json = both_forms(&dir, "m.rigy.yaml --pose p");
    assert_eq!(json["skins"][0]["solver"], "dqs");
    let mut made = skinned(5, 0.25);
    made.json["skins"][0]["name"] = json!("Skelett „ä“ \u{1f98a}");
    made.json["meshes"][0]["name"] = json!("</script>\u{1b}[31m");
    made.json["nodes"][0]["scale"] = json!([2, 3, 1]);
    dir.write("m.glb", made.glb());
    let json = both_forms(&dir, "m.glb");
    assert!(json["skins"][0]["first_stage"].is_array());
    let json = both_forms(&dir, "m.glb --scale reject");
    assert!(json["skins"][0]["dual_quaternions"].is_null());
    for path in [
        "made/multi_skin_shared_mesh.glb",
        "made/eight_influences_f32.glb",
    ] {
        if let Some(path) = published(&format!("gltf-samples/{path}")) {
            both_forms(&dir, &format!("{} --time 0.5", path.slashed()));
        }
    }
}

#[test]
fn scale_can_stay_with_joints_of_given_names() {
    let dir = Dir::new();
    let mut made = skinned(3, 0.0);
    made.json["nodes"] = json!([
        {"name": "root", "children": [1], "scale": [2, 1, 1]},
        {"name": "tip", "translation": [1, 0, 0], "scale": [1, 3, 1]},
        {"mesh": 0, "skin": 0},
    ]);
    made.json["scenes"] = json!([{"nodes": [0, 2]}]);
    made.json["skins"] = json!([{"joints": [0, 1]}]);
    dir.write("m.glb", made.glb());
    let first = |arguments: &str| {
        let ran = dir.run(&format!("palette m.glb {arguments}")).good();
        ran.json()[0]["skins"][0]["first_stage"].clone()
    };
    let of_root = first("--scale-local root");
    assert_ne!(of_root, first(""));
    assert_ne!(of_root, first("--scale-local tip"));
    assert_eq!(first("--scale-local root,tip"), first("--scale local"));
    let ran = dir.run("palette m.glb --scale-local roof");
    assert_eq!(ran.status(), 2);
    let message = "the file has no joint `roof`; did you mean `root`?";
    ran.says(message);
    assert_eq!(ran.stdout(), "");
}
