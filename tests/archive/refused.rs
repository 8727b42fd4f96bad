//! Options that do not go with an archive, and files that none replaces.

use super::{entries, inputs, one};
use crate::support::Dir;
use crate::support::skinned::skinned;

#[test]
fn options_that_make_no_sense_with_an_archive_are_named() {
    let dir = one();
    for (more, word) in [
        ("--check", "--check"),
        ("--prune", "--prune"),
        ("--watch", "--watch"),
        ("--html page.html --thumbnails 64", "--thumbnails"),
        ("--shard 1/3", "-o part-1.tar"),
        ("--quantize", "guide/smaller.md"),
        ("--pack tar", "use `-o FILE.tar`"),
        ("--pack-size=1M", "use `-o FILE.tar`"),
    ] {
        dir.run(&format!("in -o out.tar {more}"))
            .exits_saying(2, word);
    }
    for arguments in ["unpack out.tar -o out", "unpack out.tar --list"] {
        dir.run(arguments).exits_saying(2, "tar -xf");
    }
    dir.run_on(b"", "- -o out.tar")
        .exits_saying(2, "has no name");
    dir.run("in -o out.tar -n").good();
    assert_eq!(dir.files(), ["in/a.rigy.yaml"]);
}

#[test]
fn only_a_tar_file_or_an_empty_one_is_replaced() {
    let dir = one();
    for other in [&b"glTF"[..], &[b'x'; 4096]] {
        dir.write("out.tar", other);
        dir.run("in -o out.tar")
            .exits_saying(2, "it is no tar file");
        assert_eq!(dir.read("out.tar"), other);
        assert_eq!(dir.files(), ["in/a.rigy.yaml", "out.tar"]);
    }
    dir.write("out.tar", "");
    for poses in ["all", "none", "all"] {
        dir.run(&format!("in -o out.tar --poses {poses}")).good();
        let count = if poses == "all" { 2 } else { 1 };
        assert_eq!(entries(&dir.read("out.tar")).len(), count);
    }
}

#[test]
fn a_directory_may_have_the_name_of_an_archive() {
    let dir = one();
    std::fs::create_dir(dir.path().join("there.tar")).unwrap();
    for output in ["there.tar", "new.tar/"] {
        assert_eq!(dir.run(&format!("in -o {output}")).status(), 0);
        let file = format!("{}/a.glb", output.trim_end_matches('/'));
        assert!(dir.files().contains(&file), "{:?}", dir.files());
    }
}

#[test]
#[cfg(unix)]
fn links_are_followed_and_pipes_are_refused() {
    let dir = one();
    let path = |name: &str| dir.path().join(name);
    std::fs::create_dir(path("store")).unwrap();
    std::os::unix::fs::symlink("store/real.tar", path("link.tar")).unwrap();
    assert_eq!(dir.run("in -o link.tar").status(), 0);
    assert_eq!(entries(&dir.read("store/real.tar")).len(), 2);
    std::os::unix::fs::symlink("/dev/null", path("null.tar")).unwrap();
    dir.run("in -o null.tar").exits_saying(2, "no regular file");
}

#[test]
fn a_run_that_ends_early_leaves_the_earlier_archive() {
    let dir = inputs(20);
    dir.write("in/a.rigy.yaml", "version: [");
    dir.write("out.tar", [0; 1024]);
    dir.run("in -o out.tar --fail-fast -j 1")
        .exits_saying(1, "ended before its last input");
    assert_eq!(dir.read("out.tar"), [0; 1024]);
}

#[test]
fn a_tar_file_that_an_input_is_made_from_is_not_replaced() {
    let dir = Dir::new();
    let mut model = skinned(10, 0.5);
    for view in model.json["bufferViews"].as_array_mut().unwrap() {
        let offset = view["byteOffset"].as_u64().unwrap_or(0);
        view["byteOffset"] = (offset + 1024).into();
    }
    model.bin = [vec![0; 1024], model.bin].concat();
    dir.write("in/a.gltf", model.gltf("out.tar"));
    dir.write("in/out.tar", &model.bin);
    let ran = dir.run("bake in -o in/out.tar").exits(1);
    let fault = "`in/a.gltf` is made from";
    ran.says(fault);
    assert_eq!(dir.read("in/out.tar"), model.bin);
    dir.run("bake in -o other.tar").good();
}
