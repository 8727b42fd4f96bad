//! `bake --prune`: frames, animations and files beside outputs that are no longer made.

use super::builder::arm;
use super::cli::{bake, lines, outputs};
use super::clips::with_clips;
use crate::support::Dir;

/// Runs `bake in -o out` and returns the names of the removed files.
fn removed(dir: &Dir, more: &str) -> Vec<String> {
    let found = lines(dir, &format!("in -o out {more}"));
    let removed = found.iter().filter(|line| line["status"] == "removed");
    removed
        .map(|line| line["output"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn animations_that_a_file_has_no_more_are_removed() {
    let dir = Dir::with("in/a.glb", with_clips(&["Walk", "Run"]).glb());
    let all = "--animation all --time 0.5";
    assert!(removed(&dir, all).is_empty());
    dir.write("in/a.glb", with_clips(&["Walk", "Sprint"]).glb());
    assert!(removed(&dir, all).is_empty());
    let pruned = removed(&dir, &format!("{all} --prune"));
    assert_eq!(pruned, ["out/a.Run.glb"]);
    // A run without `--animation` makes none of them.
    let pruned = removed(&dir, "--prune");
    assert_eq!(pruned, ["out/a.Sprint.glb", "out/a.Walk.glb"]);
    assert_eq!(outputs(&dir), ["out/a.glb"]);
}

#[test]
fn sidecars_and_shared_images_go_with_the_last_output_that_needs_them() {
    let dir = Dir::new();
    for name in ["a", "b"] {
        dir.write(&format!("in/{name}.glb"), with_image(b"one"));
    }
    let beside = "--textures beside";
    assert!(removed(&dir, beside).is_empty());
    let images = || {
        outputs(&dir)
            .into_iter()
            .filter(|name| name.ends_with("png"))
    };
    assert_eq!(images().count(), 1);
    let shared = images().next().unwrap();
    dir.remove("in/a.glb");
    let prune = "--textures beside --prune";
    assert_eq!(
        removed(&dir, prune),
        ["out/a.glb"],
        "`b` still needs the image"
    );
    dir.write("in/b.glb", with_image(b"two"));
    // Another shard may have begun to use it.
    let shard = "--textures beside --prune --shard 0/1";
    assert!(removed(&dir, shard).is_empty());
    assert_eq!(removed(&dir, prune), [shared]);
    // Outputs of other options go with what belongs to them.
    assert!(removed(&dir, "--to obj").is_empty());
    let gone = removed(&dir, prune);
    assert!(
        gone.contains(&"out/b.obj".into()) && gone.contains(&"out/b.mtl".into()),
        "{gone:?}"
    );
    assert_eq!(outputs(&dir).len(), 2, "{:?}", outputs(&dir));
}

#[test]
fn an_image_stays_that_an_input_elsewhere_needs() {
    let dir = Dir::with("in/a.glb", with_image(b"one"));
    dir.write("in/b.glb", with_image(b"two"));
    dir.write("more/c.glb", with_image(b"one"));
    let beside = "--textures beside";
    assert!(removed(&dir, beside).is_empty());
    let more = lines(&dir, "more -o out --textures beside");
    assert_eq!(more[1]["status"], "unchanged");
    dir.remove("in/a.glb");
    let pruned = removed(&dir, "--textures beside --prune");
    assert_eq!(pruned, ["out/a.glb"]);
    assert!(
        dir.path()
            .join(more[1]["output"].as_str().unwrap())
            .exists()
    );
}

#[test]
fn an_image_stays_with_an_output_that_somebody_has_changed() {
    let image = |dir: &Dir| dir.files().into_iter().find(|name| name.ends_with(".png"));
    let dir = Dir::with("in/a.glb", with_image(b"one"));
    assert!(removed(&dir, "--to usda").is_empty());
    let image = image(&dir).unwrap();
    dir.write("out/a.usda", "#usda 1.0\n# changed by hand\n");
    dir.write("in/a.glb", with_image(b"two"));
    assert!(removed(&dir, "--to stl --prune").is_empty());
    assert!(dir.files().contains(&image) && dir.files().contains(&"out/a.usda".to_owned()));
}

/// A skinned file whose material has an image with this text in it.
fn with_image(text: &[u8]) -> Vec<u8> {
    let mut made = arm();
    let view = made.view(&[b"\x89PNG".as_slice(), text].concat());
    made.json["images"] = serde_json::json!([{"mimeType": "image/png", "bufferView": view}]);
    made.json["textures"] = serde_json::json!([{"source": 0}]);
    made.json["materials"] =
        serde_json::json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    made.json["meshes"][0]["primitives"][0]["material"] = 0.into();
    made.glb()
}

#[test]
fn documents_and_bakes_share_an_output_root() {
    let dir = Dir::with("in/a.rigy.yaml", crate::support::document("p"));
    dir.write("in/b.glb", arm().glb());
    assert_eq!(dir.run("in -o out").status(), 0);
    assert!(removed(&dir, "").is_empty());
    assert!(removed(&dir, "--prune").is_empty());
    let ran = dir.run("in -o out --prune");
    assert!(!ran.stdout().contains("removed"), "{}", ran.stdout());
    assert_eq!(outputs(&dir), ["out/a.glb", "out/a.p.glb", "out/b.glb"]);
    // An output of a document is an input of `bake` here; the document is gone.
    assert_eq!(dir.run("in").status(), 0);
    dir.remove("in/a.rigy.yaml");
    assert_eq!(bake(&dir, "in --prune").status(), 0);
    assert!(dir.path().join("in/a.glb").exists());
}

#[test]
fn frames_of_other_inputs_stay_although_they_continue_those_of_this_run() {
    let dir = Dir::with("in/x.glb", with_clips(&["Walk"]).glb());
    dir.write("in2/x.0002.glb", with_clips(&["Run"]).glb());
    lines(&dir, "in2 -o out");
    let frames = "--animation 0 --frames 0..1@2";
    assert!(removed(&dir, frames).is_empty());
    dir.write("in/x.glb", with_clips(&["Walk", "More"]).glb());
    let pruned = removed(&dir, &format!("{frames} --prune"));
    assert!(pruned.is_empty(), "{pruned:?}");
    assert!(outputs(&dir).contains(&"out/x.0002.glb".to_owned()));
}
