//! `init`: what it writes compiles without warnings, and nothing is replaced.

use crate::support::Dir;

#[test]
fn what_is_written_compiles_and_bakes_without_warnings() {
    let dir = Dir::new();
    let ran = dir.run("init shop-1").good();
    dir.run("fmt --check .").good();
    let written = [
        "shop-1-cup.part.yaml",
        "shop-1-lamp.rigy.yaml",
        "shop-1.rigy.yaml",
    ];
    assert_eq!(dir.files(), written);
    for name in written {
        let text = String::from_utf8(dir.read(name)).unwrap();
        assert!(!text.contains("NAME") && text.contains("shop-1"), "{name}");
    }

    // The command that it prints, and a run over the directory, do the same.
    let (_, next) = ran
        .stdout()
        .split_once("next: rigy-batch ")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    let mut next: Vec<&str> = next.split_whitespace().collect();
    next.extend(["--warn-as-error", "all"]);
    let ran = dir.run(&next).good();
    assert_eq!(ran.stdout(), "2 documents: 2 written (4 outputs)\n");
    let baked = [
        "out/shop-1-lamp.aside.glb",
        "out/shop-1-lamp.glb",
        "out/shop-1-lamp.lowered.glb",
        "out/shop-1.glb",
    ];
    assert_eq!(dir.glbs(), baked);
    dir.run(". -o out --check").good();
}

#[test]
fn the_part_is_placed_twice_with_its_materials() {
    let dir = Dir::new();
    dir.run("init");
    dir.run("desk.rigy.yaml");
    let gltf = gltf::Gltf::from_slice(&dir.read("desk.glb")).unwrap();
    let names: Vec<&str> = gltf.meshes().map(|mesh| mesh.name().unwrap()).collect();
    assert_eq!(names, ["desk", "left_cup.cup", "right_cup.cup"]);
    let names: Vec<&str> = gltf
        .materials()
        .map(|material| material.name().unwrap())
        .collect();
    assert_eq!(names, ["oak", "clay", "yellow"]);
}

#[test]
fn nothing_is_replaced() {
    let dir = Dir::with("desk-lamp.rigy.yaml", "mine");
    let ran = dir.run("init");
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    ran.says("`desk-lamp.rigy.yaml` exists");
    assert_eq!(dir.files(), ["desk-lamp.rigy.yaml"]);
    assert_eq!(dir.read("desk-lamp.rigy.yaml"), b"mine");
}

#[test]
fn a_name_is_no_path_and_no_yaml() {
    let dir = Dir::new();
    for name in [
        "",
        ".",
        "../a",
        "a/b",
        "a b",
        "a:\u{1b}",
        "\u{e9}",
        &"a".repeat(101),
    ] {
        let ran = dir
            .run(&format!("init -- '{name}'"))
            .exits_saying(2, "is not a name");
        assert!(!ran.stderr().contains('\u{1b}'));
    }
    assert_eq!(dir.run("init -- -a").status(), 2);
    assert_eq!(dir.files(), [""; 0]);
}
