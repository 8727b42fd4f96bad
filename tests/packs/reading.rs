//! Commands that read packs, and paths that lead into them.

use super::{inputs, large};
use crate::export::models::textured_file;
use crate::support::json_schemas::Published;
use crate::support::{Dir, document};

fn packed() -> Dir {
    let dir = Dir::new();
    dir.write("in/robot/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("q"));
    for format in ["tar", "zip"] {
        let ran = dir.run(&["in", "-o", format, "--pack", format]);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
    }
    assert_eq!(dir.run(&["in", "-o", "single"]).status(), 0);
    dir
}

#[test]
fn commands_that_look_at_files_follow_paths_into_packs() {
    let dir = packed();
    for format in ["tar", "zip"] {
        for name in ["robot/a.p.glb", "b.glb"] {
            let path = format!("{format}/documents-00000.{format}/{name}");
            let single = format!("single/{name}");
            let said = |path: &str| {
                let ran = dir.run(&["inspect", path, "--format", "json"]);
                assert_eq!(ran.status(), 0, "{}", ran.stderr());
                ran.stdout().replace(path, "FILE")
            };
            assert_eq!(said(&path), said(&single));
            let ran = dir.run(&["diff", &path, &single]);
            assert_eq!(ran.status(), 0, "{}{}", ran.stdout(), ran.stderr());
            let ran = dir.run(&["diff", &path, "single/robot/a.p.glb"]);
            let expected = i32::from(name != "robot/a.p.glb");
            assert_eq!(ran.status(), expected, "{}", ran.stderr());
            #[cfg(feature = "viewer")]
            assert_eq!(
                dir.run(&["view", &path, "-o", "page", "--no-open"])
                    .status(),
                0
            );
            #[cfg(feature = "preview")]
            assert_eq!(dir.run(&["preview", &path, "-o", "a.png"]).status(), 0);
        }
        let path = format!("{format}/documents-00000.{format}/absent.glb");
        let ran = dir.run(&["inspect", &path]);
        assert_eq!(ran.status(), 2);
        assert!(ran.stderr().contains("absent.glb"), "{}", ran.stderr());
    }
}

#[test]
fn whole_packs_stand_in_the_place_of_directories() {
    let dir = packed();
    let (tar, zip) = ("tar/documents-00000.tar", "zip/documents-00000.zip");
    for (a, b) in [(tar, zip), (tar, "single"), ("single", zip)] {
        let ran = dir.run(&["diff", a, b]);
        assert_eq!(ran.status(), 0, "{}{}", ran.stdout(), ran.stderr());
        assert!(ran.stdout().contains('4'), "four pairs: {}", ran.stdout());
    }
    let described = |path: &str| {
        let ran = dir.run(&["inspect", path, "--format", "json", "--quiet"]);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        ran.stdout().replace(path, "DIR")
    };
    assert_eq!(described(tar), described("single"));
    let own = crate::support::own_manifest();
    let inputs = own.parent().unwrap().join("inputs");
    let only = "A01_single_bone_bind";
    let input = inputs.join(format!("{only}.rigy.yaml"));
    dir.run(&[input.to_str().unwrap(), "-o", "suite", "--pack", "tar"]);
    let ran = dir.run(&[
        "verify",
        own.to_str().unwrap(),
        "--only",
        only,
        "--against",
        "suite/documents-00000.tar",
    ]);
    assert_eq!(ran.status(), 0, "{}{}", ran.stdout(), ran.stderr());
}

#[test]
fn a_document_cannot_import_from_a_pack() {
    let dir = packed();
    let part = "in/user.rigy.yaml";
    dir.write(
        part,
        "version: \"0.5\"\nimports: {p: {source: ../tar/documents-00000.tar/b.glb}}\n",
    );
    let ran = dir.run(&["in", "-o", "out", "--root", ".", "--format", "json"]);
    let lines = ran.json();
    let line = lines.iter().find(|line| line["input"] == part).unwrap();
    assert_eq!(line["status"], "failed");
}

#[test]
fn verify_finds_what_differs_on_either_side() {
    let dir = packed();
    let verify = |a: &str, b: &str| {
        let ran = dir.run(&["verify", a, b, "--format", "json"]);
        let lines = ran.json();
        let (last, lines) = lines.split_last().unwrap();
        Published::Verify.accepts("test", lines);
        Published::Verify.accepts("summary", [last]);
        let failed = lines.iter().filter(|line| line["passed"] == false);
        let failed = failed.map(|line| line["id"].as_str().unwrap().to_owned());
        (ran.status(), failed.collect::<Vec<_>>())
    };
    assert_eq!(verify("tar", "single"), (0, vec![]));
    assert_eq!(verify("single", "tar/documents.packs.json"), (0, vec![]));
    assert_eq!(verify("tar", "zip"), (0, vec![]));
    let mut glb = dir.read("single/b.glb");
    *glb.last_mut().unwrap() ^= 1;
    dir.write("single/b.glb", &glb);
    dir.write("single/more.glb", "");
    std::fs::remove_file(dir.path().join("single/b.q.glb")).unwrap();
    let (status, mut failed) = verify("tar", "single");
    failed.sort();
    assert_eq!(
        (status, failed),
        (
            1,
            ["b.glb", "b.q.glb", "more.glb"].map(str::to_owned).to_vec()
        )
    );
}

#[test]
fn entries_are_listed_and_chosen_by_globs() {
    let dir = packed();
    let ran = dir.run(&[
        "unpack",
        "tar/documents-00000.tar",
        "--list",
        "--format",
        "json",
    ]);
    let lines = ran.json();
    let (last, lines) = lines.split_last().unwrap();
    Published::Packs.accepts("line", lines);
    Published::Packs.accepts("summary", [last]);
    let paths: Vec<&str> = lines
        .iter()
        .map(|line| line["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["b.glb", "b.q.glb", "robot/a.glb", "robot/a.p.glb"]);
    let ran = dir.run(&["unpack", "zip", "-o", "some", "robot/", "!*.p.glb"]);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let some = dir.files();
    let some: Vec<&String> = some
        .iter()
        .filter(|name| name.starts_with("some/"))
        .collect();
    assert_eq!(some, ["some/robot/a.glb"]);
}

#[test]
fn files_beside_packs_are_as_published() {
    let dir = inputs(5);
    dir.run(&["in", "-o", "out", "--pack", "tar", "--shard", "0/1"]);
    let json = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap();
    Published::Packs.accepts(
        "list",
        [&json(&dir.read("out/documents-0-of-1.packs.json"))],
    );
    let index = dir.read("out/documents-0-of-1-00000.index.jsonl");
    let lines = index
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    let lines: Vec<_> = lines.map(json).collect();
    Published::Packs.accepts("first", &lines[..1]);
    Published::Packs.accepts("entry", &lines[1..lines.len() - 1]);
    Published::Packs.accepts("last", &lines[lines.len() - 1..]);
}

#[test]
fn without_an_index_the_archive_is_walked() {
    let dir = packed();
    for format in ["tar", "zip"] {
        let pack = dir.read(&format!("{format}/documents-00000.{format}"));
        dir.write(&format!("alone.{format}"), &pack);
        let files = format!("files-{format}");
        let ran = dir.run(&["unpack", &format!("alone.{format}"), "-o", &files]);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        assert!(ran.stderr().contains("has no index"), "{}", ran.stderr());
        let same = dir.run(&["diff", "single", &files]);
        assert_eq!(same.status(), 0, "{}", same.stdout());
        // Cut at any place, it is none.
        for len in [
            0,
            1,
            511,
            512,
            pack.len() / 2,
            pack.len() - 1024,
            pack.len() - 1,
        ] {
            dir.write(&format!("cut.{format}"), &pack[..len]);
            let ran = dir.run(&["unpack", &format!("cut.{format}"), "-o", "cut"]);
            assert_eq!(ran.status(), 1, "{format} of {len} bytes");
        }
    }
    assert!(!dir.path().join("cut").join("b.glb").exists());
}

#[test]
fn textures_that_inputs_share_are_one_entry() {
    let dir = Dir::new();
    for name in ["a", "b"] {
        dir.write(&format!("in/{name}.glb"), textured_file());
    }
    dir.write("in/a.png", b"\x89PNG\r\n\x1a\n");
    let all = ["bake", "in", "--to", "obj", "-o"];
    assert_eq!(dir.run(&[&all[..], &["single"]].concat()).status(), 0);
    let ran = dir.run(&[&all[..], &["out", "--pack", "tar"]].concat());
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    assert_eq!(dir.run(&["verify", "out", "single"]).status(), 0);
    let list = dir.run(&["unpack", "out", "--list"]);
    assert_eq!(
        list.stdout().matches(".png").count(),
        1,
        "{}",
        list.stdout()
    );
}

#[test]
fn shards_have_an_entry_each_for_a_texture_that_they_share() {
    let dir = Dir::new();
    for name in ["a", "g", "h", "i", "j", "k", "l", "m"] {
        dir.write(&format!("in/{name}.glb"), textured_file());
    }
    dir.write("in/a.png", b"\x89PNG\r\n\x1a\n");
    let all = ["bake", "in", "--to", "obj", "-o"];
    assert_eq!(dir.run(&[&all[..], &["single"]].concat()).status(), 0);
    for shard in ["0/2", "1/2"] {
        let ran = dir.run(&[&all[..], &["out", "--pack", "tar", "--shard", shard]].concat());
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
    }
    let twice = |entries: Vec<serde_json::Value>| {
        let mut paths: Vec<String> = entries.iter().map(|e| e["path"].to_string()).collect();
        paths.sort();
        paths.windows(2).any(|pair| pair[0] == pair[1])
    };
    let list = dir.run(&["unpack", "out", "--list", "--format", "json"]);
    assert!(twice(list.json()), "the test needs inputs in both shards");
    for args in [
        &["verify", "out"][..],
        &["verify", "out", "single"],
        &["verify", "single", "out"],
        &["verify", "out", "out"],
        &["unpack", "out", "-o", "files"],
    ] {
        let ran = dir.run(args);
        assert_eq!(
            ran.status(),
            0,
            "{args:?}: {}{}",
            ran.stdout(),
            ran.stderr()
        );
    }
    // Other bytes at the same path are noticed.
    dir.write("in/a.glb", large(64));
    let more = ["out", "--pack", "tar", "--pack-name", "more"];
    assert_eq!(dir.run(&[&all[..], &more].concat()).status(), 0);
    for args in [
        &["verify", "out"][..],
        &["verify", "single", "out"],
        &["unpack", "out", "-o", "again"],
    ] {
        let ran = dir.run(args);
        let said = ran.stdout() + &ran.stderr();
        assert_eq!(ran.status(), 1, "{args:?}: {said}");
        assert!(said.contains("with other bytes"), "{args:?}: {said}");
    }
}
