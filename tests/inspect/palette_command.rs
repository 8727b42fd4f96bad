//! The command `palette`: its JSON, its errors, and files that are broken.
//! `tests/transcripts/pictures.md` has more.

use rigy_batch::view::palette::{Palette, of_file};
use rigy_batch::{JointScale, Location, MemoryLoader, Moment, Source};

use serde_json::{Value, json};

use crate::support::skinned::skinned;
use crate::support::{Dir, document};

#[test]
fn the_json_has_what_a_shader_needs() {
    let dir = Dir::with("m.rigy.yaml", document("p"));
    let print = |arguments: &str| {
        let ran = dir.run(&format!("palette {arguments}")).good();
        ran.json().remove(0)
    };
    let json = print("m.rigy.yaml --pose p");
    assert_eq!((&json["version"], &json["pose"]), (&json!(1), &json!("p")));
    let (skin, mesh) = (&json["skins"][0], &json["meshes"][0]);
    assert_eq!(
        (&skin["solver"], &skin["normals"]),
        (&json!("dqs"), &json!("matrix"))
    );
    let real = &skin["dual_quaternions"][0]["real"];
    assert_eq!(*real, json!([0.6, 0.8, 0.0, 0.0]));
    assert_eq!(mesh["name"], "m");
    assert_eq!(mesh["weights"][0], json!([1.0, 0.0, 0.0, 0.0]));
    let lists =
        ["joints", "weights", "references"].map(|name| mesh[name].as_array().unwrap().len());
    let [vertices, sets] = ["vertices", "sets"].map(|name| mesh[name].as_u64().unwrap() as usize);
    assert_eq!(lists, [vertices * sets, vertices * sets, vertices]);
    let mut made = skinned(5, 0.25);
    made.json["skins"][0]["name"] = json!("Skelett „ä“ \u{1f98a}");
    made.json["meshes"][0]["name"] = json!("</script>\u{1b}[31m");
    made.json["nodes"][0]["scale"] = json!([2, 3, 1]);
    dir.write("m.glb", made.glb());
    let json = print("m.glb");
    let (skin, mesh) = (&json["skins"][0], &json["meshes"][0]);
    assert_eq!(skin["name"], made.json["skins"][0]["name"]);
    assert_eq!(mesh["name"], made.json["meshes"][0]["name"]);
    assert_eq!(
        (&skin["solver"], &skin["normals"]),
        (&Value::Null, &json!("cofactors"))
    );
    assert!(skin["first_stage"].is_array());
    let json = print("m.glb --joint-scale reject");
    assert!(json["skins"][0]["dual_quaternions"].is_null());
}

#[test]
fn no_cut_or_changed_file_makes_a_palette_panic() {
    let made = skinned(3, 0.0).glb();
    let location = Location("m.glb".into());
    let attempt = |bytes: &[u8]| -> Option<Palette> {
        let source = Source::read(bytes, &location, &MemoryLoader::default()).ok()?;
        let moment = Moment::default();
        let palette = of_file(&source.value, &moment, &JointScale::Global, "m.glb");
        Some(palette.ok()?.value)
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
    let of_root = first("--local-scale-joints root");
    assert_ne!(of_root, first(""));
    assert_ne!(of_root, first("--local-scale-joints tip"));
    assert_eq!(
        first("--local-scale-joints root,tip"),
        first("--joint-scale local")
    );
    let ran = dir.run("palette m.glb --local-scale-joints roof");
    assert_eq!(ran.status(), 2);
    let message = "the file has no joint `roof`; did you mean `root`?";
    ran.says(message);
    assert_eq!(ran.stdout(), "");
}
