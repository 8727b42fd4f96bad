//! `init`: the meshes and materials of what it writes. `tests/transcripts/init.md` has the rest.

use crate::support::Dir;

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
