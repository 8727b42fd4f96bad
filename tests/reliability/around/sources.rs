//! No input is ever overwritten, under any name by which an output reaches it.

use super::shell::{sh, sh_with_mounts};
use crate::support::{Dir, document, glb};

/// A glTF file with one node, whose name makes it different from others.
fn model(name: &str) -> Vec<u8> {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"{name}"}}]}}"#
    );
    glb(json.as_bytes(), None)
}

#[test]
fn an_input_seen_through_a_bind_mount_is_kept() {
    let dir = Dir::on_disk();
    let (broken, whole) = (model("seen twice"), model("alone"));
    dir.write("in/a.glb", &broken);
    dir.write("in/b.glb", &whole);
    std::fs::create_dir(dir.path().join("out")).unwrap();
    let script = "mount --bind in out; exec $rigy bake in -o out";
    let Some(ran) = sh_with_mounts(&dir, script) else {
        return;
    };
    assert_eq!(ran.status(), 1, "{}", ran.stderr());
    assert_eq!(dir.read("in/a.glb"), broken);
    assert_eq!(dir.read("in/b.glb"), whole);
    let message = "`out/a.glb` would replace a file that it is made from";
    ran.says(message);
}

#[test]
fn an_input_of_another_directory_seen_through_a_bind_mount_is_kept() {
    let dir = Dir::on_disk();
    dir.write("in/one/a.glb", model("source"));
    dir.write("in/two/a.glb", model("precious"));
    std::fs::create_dir_all(dir.path().join("out/one")).unwrap();
    let script = "mount --bind in/two out/one; exec $rigy bake in -o out";
    let Some(ran) = sh_with_mounts(&dir, script) else {
        return;
    };
    assert_ne!(ran.status(), 0, "{}", ran.stderr());
    assert_eq!(dir.read("in/two/a.glb"), model("precious"));
    ran.says("in/two/a.glb");
}

#[test]
fn an_input_that_falls_to_another_shard_is_kept() {
    let dir = Dir::on_disk();
    for n in 0..4 {
        dir.write(&format!("in/a{n}.glb"), model(&format!("number {n}")));
    }
    std::fs::create_dir(dir.path().join("out")).unwrap();
    // Each output is the hard link of the next input.
    let script = "for n in 0 1 2 3; do ln in/a$(((n + 1) % 4)).glb out/a$n.glb; done
        for i in 0 1; do ! $rigy bake in -o out --shard $i/2 --force || exit 9; done";
    let ran = sh(&dir, script);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    for n in 0..4 {
        let expected = model(&format!("number {n}"));
        assert_eq!(dir.read(&format!("in/a{n}.glb")), expected);
        let output = dir.read(&format!("out/a{n}.glb"));
        assert_eq!(output, model(&format!("number {}", (n + 1) % 4)));
    }
    ran.says("which is the same file");
}

#[test]
fn a_directory_of_outputs_that_is_not_searched_is_said() {
    let dir = Dir::on_disk();
    dir.write("A/y.glb", model("of A"));
    dir.write("B/z.glb", model("of B"));
    dir.run("bake A B -o B/sub").good();
    dir.write("A/y.glb", model("new"));
    let ran = dir.run("bake A B -o B/sub").good();
    ran.says("`B/sub` is not searched for inputs, because outputs go there");
    // What an earlier run has written is replaced, also if somebody has changed it, and by whatever path.
    dir.write("B/sub/y.glb", model("changed"));
    std::os::unix::fs::symlink("B/sub", dir.path().join("link")).unwrap();
    let here = dir.path().join("B/sub");
    for (number, output) in ["B/sub", "link", "./B/sub", here.to_str().unwrap()]
        .iter()
        .enumerate()
    {
        let name = format!("number {number}");
        dir.write("A/y.glb", model(&name));
        dir.run(&format!("bake A B -o {output}")).good();
        let there = String::from_utf8_lossy(&dir.read("B/sub/y.glb")).into_owned();
        assert!(there.contains(&name), "{output}: {there}");
    }
}

#[test]
fn a_file_below_a_path_that_no_run_has_written_is_kept() {
    let dir = Dir::on_disk();
    dir.write("A/x/y.glb", model("of A"));
    dir.write("A/free.glb", model("free"));
    dir.write("B/z.glb", model("of B"));
    dir.write("list", "x/y.glb\n");
    let own = [
        "B/sub/x/y.glb",
        "A/sub/x/y.glb",
        "B/y.stl",
        "A/x/y.stl",
        "A/sub/x/y.stl",
    ];
    own.iter()
        .for_each(|name| dir.write(name, "somebody's own"));
    std::os::unix::fs::symlink("B/sub", dir.path().join("link")).unwrap();
    for (args, kept) in [
        ("A B -o B/sub", own[0]),
        ("B A -o ./A/../B/sub", "./A/../B/sub/x/y.glb"),
        ("A B -o link", "link/x/y.glb"),
        ("A B -o link --root .", "link/x/y.glb"),
        ("A B -o B/sub --force", own[0]),
        ("A B -o B/sub -n", own[0]),
        ("A -o A/sub", own[1]),
        ("A --inputs-from list -o A/sub", own[1]),
        ("A/x/y.glb B -o B --to stl", own[2]),
        ("A/x B -o B --to stl", own[2]),
        ("A -o A --to stl", own[3]),
        ("A --inputs-from list -o A/sub --to stl", own[4]),
    ] {
        let ran = dir.run(&format!("bake {args}"));
        ran.exits_saying(1, &format!("`{kept}` is there, below a PATH"));
    }
    for name in own {
        assert_eq!(dir.read(name), b"somebody's own", "{name}");
    }
    // The directory of the outputs lies above the PATH, or the output itself is named.
    dir.write("A/y.stl", "somebody's own");
    dir.run("bake A/x -o A --to stl").good();
    assert_ne!(dir.read("A/y.stl"), b"somebody's own");
    dir.run("bake A/x/y.glb -o A/x/y.stl").good();
    assert_ne!(dir.read("A/x/y.stl"), b"somebody's own");
}

#[test]
fn outputs_below_a_bind_mount_of_a_searched_directory_are_kept() {
    let dir = Dir::on_disk();
    dir.write("A/y.glb", model("of A"));
    dir.write("B/sub/y.glb", "somebody's own");
    std::fs::create_dir(dir.path().join("out")).unwrap();
    let script = "mount --bind B/sub out; exec $rigy bake A B -o out";
    let Some(ran) = sh_with_mounts(&dir, script) else {
        return;
    };
    assert_eq!(ran.status(), 1, "{}", ran.stderr());
    assert_eq!(dir.read("B/sub/y.glb"), b"somebody's own");
}

#[test]
fn a_buffer_of_a_later_input_by_another_name_is_kept() {
    let dir = Dir::on_disk();
    dir.write("in/a.glb", model("first"));
    let read = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"data.bin","byteLength":4}],"nodes":[{"name":"b"}]}"#;
    dir.write("in/b.gltf", read);
    dir.write("in/data.bin", "1234");
    std::fs::create_dir(dir.path().join("out")).unwrap();
    std::fs::hard_link(dir.path().join("in/data.bin"), dir.path().join("out/a.glb")).unwrap();
    for more in ["", "--force"] {
        let ran = dir.run(&format!("bake in -o out {more}")).exits(1);
        let message = "in/data.bin`, which an input of this run refers to";
        ran.says(message);
        assert_eq!(dir.read("out/a.glb"), b"1234");
    }
    // The run does not read it now.
    dir.run("bake in/a.glb -o out").good();
    assert_eq!(dir.read("in/data.bin"), b"1234");
    assert_ne!(dir.read("out/a.glb"), b"1234");
}

#[test]
fn a_weight_file_of_another_document_is_kept() {
    let dir = Dir::on_disk();
    let weights = r#"{"primitive_id": "b", "vertex_count": 24, "influences": []}"#;
    dir.write("a.rigy.yaml", document("rest"));
    dir.write("a.rest.positions.json", weights);
    let user = document("p").replace(
        "weights: []",
        "weights: [], weight_maps: [{primitive_id: b, source: a.rest.positions.json}]",
    );
    dir.write("b.rigy.yaml", user);
    let ran = dir.run(". --positions").exits(1);
    assert_eq!(dir.read("a.rest.positions.json"), weights.as_bytes());
    let said = "which an input of this run refers to";
    ran.says(said);
    assert!(dir.path().join("b.p.glb").exists());
    // A file in the way that nothing refers to is replaced.
    dir.write("b.p.positions.json", weights);
    dir.run("b.rigy.yaml --positions").good();
    assert_ne!(dir.read("b.p.positions.json"), weights.as_bytes());
}

#[test]
fn a_file_found_by_two_mounts_counts_once() {
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    std::fs::create_dir(dir.path().join("again")).unwrap();
    let script = "mount --bind in again; exec $rigy in again";
    let Some(ran) = sh_with_mounts(&dir, script) else {
        return;
    };
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    assert!(ran.stdout().starts_with("1 document"), "{}", ran.stdout());
}
