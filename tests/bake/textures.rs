//! Images as files beside baked outputs (`bake.md` §6): their names, their records, and what they never replace.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::{bake, lines, outputs};
use super::reader::{Gltf, chunks};
use crate::support::{Dir, assert_contains, sha256};

const PNG: &[u8] = b"\x89PNG of a made file";
const JPEG: &[u8] = b"\xff\xd8\xff of a made file";

/// The name of an image as a file of its own.
fn name(bytes: &[u8], ending: &str) -> String {
    format!("{}.{ending}", &sha256(bytes)[..32])
}

/// An arm with an image in a buffer view, the same image at a URI, another one at a URI, and one of an unknown kind.
fn painted() -> Made {
    let mut made = arm();
    let view = made.view(PNG);
    let odd = made.view(b"odd");
    made.json["images"] = json!([
        {"name": "skin", "mimeType": "image/png", "bufferView": view, "extras": 1},
        {"uri": "maps/same%20skin.png"},
        {"uri": "maps/cloth.jpg", "mimeType": "image/jpeg"},
        {"bufferView": odd, "mimeType": "image/png"},
    ]);
    made
}

/// A directory with such an arm under each of these names.
fn dir_with(names: &[&str]) -> Dir {
    let dir = Dir::new();
    for name in names {
        dir.write(name, painted().glb());
    }
    dir.write("in/maps/same skin.png", PNG);
    dir.write("in/maps/cloth.jpg", JPEG);
    dir
}

const BESIDE: &str = "in -o out --textures beside";

fn statuses(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line["status"].as_str().unwrap())
        .collect()
}

#[test]
fn images_are_files_named_by_their_content() {
    let dir = dir_with(&["in/a.glb"]);
    let found = lines(&dir, BESIDE);
    let (png, jpeg) = (name(PNG, "png"), name(JPEG, "jpg"));
    let mut wanted = vec![
        format!("out/{png}"),
        format!("out/{jpeg}"),
        "out/a.glb".into(),
    ];
    wanted.sort();
    assert_eq!(outputs(&dir), wanted);
    assert_eq!(dir.read(&format!("out/{png}")), PNG);
    assert_eq!(dir.read(&format!("out/{jpeg}")), JPEG);
    let glb = dir.read("out/a.glb");
    let output: Value = serde_json::from_slice(chunks(&glb).0).unwrap();
    assert_eq!(
        output["images"].as_array().unwrap()[..3],
        [
            json!({"name": "skin", "mimeType": "image/png", "uri": png, "extras": 1}),
            json!({"uri": png}),
            json!({"uri": jpeg, "mimeType": "image/jpeg"}),
        ]
    );
    let file = Gltf::read(&glb, dir.path());
    let odd = output["images"][3]["bufferView"].as_u64().unwrap();
    assert_eq!(file.view(odd as usize), b"odd");
    let holds = |bytes: &[u8]| glb.windows(bytes.len()).any(|window| window == bytes);
    assert!(!holds(PNG) && !holds(JPEG));
    assert_eq!(statuses(&found), ["written"; 3]);
    let record = found
        .iter()
        .find(|line| line["output"] == format!("out/{png}"));
    let record = record.unwrap();
    assert_eq!(record["sha256"], sha256(PNG));
    assert_eq!(record["bytes"], PNG.len());
    assert_eq!(
        json!([record["input"], record["pose"]]),
        json!(["in/a.glb", null])
    );
    assert!(record.get("animation").is_none());
}

#[test]
fn an_option_leaves_them_in() {
    let dir = dir_with(&["in/a.glb"]);
    lines(&dir, "in -o out");
    lines(&dir, "in -o other --textures embed");
    assert_eq!(dir.read("out/a.glb"), dir.read("other/a.glb"));
    let glb = dir.read("out/a.glb");
    assert!(glb.windows(PNG.len()).any(|window| window == PNG));
    // The option is part of what the cache compares.
    assert_eq!(statuses(&lines(&dir, BESIDE)), ["written"; 3]);
}

#[test]
fn images_of_several_frames_are_beside_them_unless_told_otherwise() {
    let dir = dir_with(&["in/a.glb"]);
    for (args, count, said) in [
        ("--frames 0..2@2", 3 + 2, true),
        ("--frames 0..2@2 --textures embed", 3, false),
        ("--frames 0..2@2 --textures beside", 3 + 2, false),
        ("--frames 1..1@2", 1, false),
        ("--time 1", 1, false),
        ("--frames 0..2@2 --as step", 1, false),
    ] {
        let _ = std::fs::remove_dir_all(dir.path().join("out"));
        let ran = dir.run(&format!("bake in -o out {args}"));
        assert_eq!(ran.status(), 0, "{args}: {}", ran.stderr());
        assert_eq!(outputs(&dir).len(), count, "{args}");
        assert_eq!(ran.stderr().contains("--textures embed"), said, "{args}");
        let saved = format!("take {} bytes less", 2 * (PNG.len() + JPEG.len()));
        assert_eq!(ran.stderr().contains(&saved), said, "{}", ran.stderr());
    }
}

#[test]
fn frames_and_inputs_share_them() {
    let names: Vec<String> = (0..12).map(|number| format!("in/a{number}.glb")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for threads in ["1", "4"] {
        let dir = dir_with(&names);
        let run = format!("{BESIDE} --frames 0..2@2 -j {threads}");
        // Which input is first does not matter: the file is written for all.
        assert_eq!(statuses(&lines(&dir, &run)), ["written"; 12 * 5]);
        assert_eq!(outputs(&dir).len(), 12 * 3 + 2);
        for more in ["", "--check", "--no-mmap"] {
            let again = lines(&dir, &format!("{run} {more}"));
            assert_eq!(statuses(&again), ["unchanged"; 12 * 5]);
        }
        assert_eq!(
            statuses(&lines(&dir, &format!("{run} --force"))),
            ["written"; 12 * 5]
        );
        assert_eq!(statuses(&lines(&dir, &run)), ["unchanged"; 12 * 5]);
    }
}

#[test]
fn what_is_missing_or_changed_is_written_again() {
    let dir = dir_with(&["in/a.glb"]);
    let png = dir.path().join("out").join(name(PNG, "png"));
    let dry = bake(&dir, &format!("{BESIDE} --check"));
    assert_eq!(dry.status(), 1);
    assert!(outputs(&dir).is_empty());
    for spoil in [None, Some(&b"\x89PNG of a made fool"[..])] {
        lines(&dir, BESIDE);
        match spoil {
            None => std::fs::remove_file(&png).unwrap(),
            Some(bytes) => std::fs::write(&png, bytes).unwrap(),
        }
        assert_eq!(bake(&dir, &format!("{BESIDE} --check")).status(), 1);
        let mut found = statuses(&lines(&dir, BESIDE)).join(" ");
        assert_eq!(found.matches("written").count(), 1, "{found}");
        found.clear();
        assert_eq!(std::fs::read(&png).unwrap(), PNG);
    }
}

#[test]
fn an_input_that_fails_leaves_none() {
    let dir = dir_with(&[]);
    let mut made = painted();
    made.json["nodes"][0]["scale"] = json!([3e38, 3e38, 3e38]);
    dir.write("in/a.glb", made.glb());
    bake(&dir, BESIDE).exits(1);
    assert!(outputs(&dir).is_empty());
}

#[test]
fn files_that_the_run_reads_are_not_replaced() {
    // Another input refers to a file that has the name of the image, and other bytes.
    let dir = dir_with(&["in/a.glb"]);
    let path = format!("in/{}", name(PNG, "png"));
    dir.write(&path, b"\x89PNG of another");
    let mut other = arm();
    other.json["images"] = json!([{ "uri": name(PNG, "png") }]);
    dir.write("in/b.glb", other.glb());
    let arguments = "in --textures beside --format json";
    let ran = bake(&dir, arguments);
    assert_eq!(ran.status(), 1);
    let message = ran.json()[0]["errors"][0]["message"].to_string();
    assert_contains(&message, &["which an input of this run refers to"]);
    assert_eq!(dir.read(&path), b"\x89PNG of another");
    assert!(!dir.files().contains(&"in/a.baked.glb".into()));
    // A file with the right bytes is not touched, even by force.
    dir.write(&path, PNG);
    let before = std::fs::metadata(dir.path().join(&path))
        .unwrap()
        .modified()
        .unwrap();
    for more in ["", "--force"] {
        lines(&dir, &format!("in --textures beside {more}"));
        let now = std::fs::metadata(dir.path().join(&path)).unwrap();
        assert_eq!(now.modified().unwrap(), before);
    }
    // So it is with the image that the input itself is made from.
    dir.remove("in/a.glb");
    lines(&dir, "in --textures beside --force");
    assert_eq!(dir.read(&path), PNG);
}

#[test]
fn reports_of_shards_that_share_images_are_merged() {
    let names: Vec<String> = (0..6).map(|number| format!("in/a{number}.glb")).collect();
    let dir = dir_with(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let bake = |more: &str| dir.run(&format!("bake {BESIDE} {more}"));
    for shard in ["0/2", "1/2"] {
        let report = format!("{}.json", &shard[..1]);
        bake(&format!("--shard {shard} --report {report}")).good();
    }
    dir.run("merge-reports 0.json 1.json -o all.json").good();
    assert_eq!(bake("--report whole.json").status(), 0);
    let outputs = |name: &str| -> Vec<Value> {
        let report = dir.json(name);
        let lines = report["outputs"].as_array().unwrap().iter();
        lines
            .map(|line| {
                json!([
                    line["input"],
                    line["output"],
                    line["beside"],
                    line["sha256"]
                ])
            })
            .collect()
    };
    assert_eq!(outputs("all.json"), outputs("whole.json"));
    let beside = outputs("all.json")
        .iter()
        .filter(|line| line[2] == true)
        .count();
    assert_eq!(beside, 12);
}
