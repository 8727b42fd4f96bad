//! `--with-instances`, `--double-sided` and `--outward`: what they change, and that they change nothing else.

use rigy_batch::mesh::{Model, Surface};
use rigy_batch::{Location, MemoryLoader};
use serde_json::Value;

use crate::support::{Dir, glb_parts};

fn tree(glb: &[u8]) -> Value {
    glb_parts(glb).0
}

/// A GLB as surfaces; nodes of skinned meshes have no transforms in documents.
fn model(glb: &[u8]) -> Model {
    Model::read(glb, &Location("a.glb".into()), &MemoryLoader::default())
        .unwrap()
        .value
}

/// A lamp with a skin that is placed again, and a part with a skin of its own.
fn dir() -> Dir {
    let dir = Dir::new();
    dir.write("part.yaml", "
version: \"0.5\"
meshes: [{id: bulb, primitives: [{type: sphere, id: glass, dimensions: {radius: 0.2}}]}]
anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
armatures: [{id: r, bones: [{id: neck, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: bulb, armature_id: r, weights: [{primitive_id: glass, bones: [{bone_id: neck, weight: 1}]}]}]
");
    dir.write("lamp.rigy.yaml", "
version: \"0.5\"
meshes:
  - id: lamp
    primitives:
      - {type: capsule, id: arm, dimensions: {radius: 0.1, height: 1.6}, transform: {translation: [0, 1, 0]}, material: steel}
      - {type: box, id: foot, dimensions: {y: 0.1}}
armatures: [{id: rig, bones: [{id: base, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: lamp, armature_id: rig, weights: [{primitive_id: arm, bones: [{bone_id: base, weight: 1}]}]}]
anchors:
  - {id: o, translation: [0, 0, 0]}
  - {id: x, translation: [1, 0, 0]}
  - {id: y, translation: [0, 1, 0]}
  - {id: p, translation: [5, 0, 0]}
  - {id: q, translation: [5, 0, -1]}
  - {id: s, translation: [5, 1, 0]}
imports: {bulb: {source: part.yaml}}
instances:
  - {id: again, mesh_id: lamp, attach3: {from: [o, x, y], to: [p, q, s], mode: rigid}}
  - {id: light, import: bulb, attach3: {from: [a, b, c], to: [p, q, s], mode: rigid}}
poses: [{id: lifted, bones: {base: {rotation: [1, 0, 0, 0], translation: [0, 3, 0]}}}]
");
    dir
}

fn run(dir: &Dir, to: &str, options: &str) -> Vec<String> {
    let ran = dir
        .run(&format!("lamp.rigy.yaml -o {to} --format json {options}"))
        .good();
    let lines = ran.json();
    let warnings = lines.iter().filter_map(|line| line["warnings"].as_array());
    warnings
        .flatten()
        .map(|w| w["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn instances_come_into_poses_where_the_rest_pose_has_them() {
    let dir = dir();
    assert_eq!(run(&dir, "plain", ""), ["W06"]);
    assert!(run(&dir, "with", "--with-instances").is_empty());
    assert_eq!(dir.read("with/lamp.glb"), dir.read("plain/lamp.glb"));
    let (rest, posed) = (
        tree(&dir.read("plain/lamp.glb")),
        tree(&dir.read("with/lamp.lifted.glb")),
    );
    assert!(posed.get("skins").is_none() && rest.get("skins").is_some());
    let node = |tree: &Value, name: &str| {
        let mut nodes = tree["nodes"].as_array().unwrap().iter();
        nodes
            .find(|node| node["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    for name in ["again", "light"] {
        let matrix = node(&posed, name)["matrix"].clone();
        assert!(
            matrix.is_array() && matrix == node(&rest, name)["matrix"],
            "{name}"
        );
    }
    let surfaces = |path: &str| -> Vec<Surface> { model(&dir.read(path)).surfaces };
    let (alone, all) = (
        surfaces("plain/lamp.lifted.glb"),
        surfaces("with/lamp.lifted.glb"),
    );
    assert_eq!((alone.len(), all.len()), (1, 3));
    assert_eq!(alone[0].positions, all[0].positions);
    // Both are turned, x to −z, and moved 5 to the side: the lamp as it is posed, the part at rest.
    let are_placed = |from: &Surface, placed: &Surface| {
        let pairs = from.positions.iter().zip(&placed.positions);
        pairs.into_iter().all(|([x, y, z], placed)| {
            let expected = [5.0 + z, *y, -x];
            (0..3).all(|axis| (placed[axis] - expected[axis]).abs() < 1e-6)
        })
    };
    assert!(are_placed(&alone[0], &all[1]));
    let top = |surface: &Surface| surface.positions.iter().map(|at| at[1]).fold(0.0, f64::max);
    assert!(top(&all[1]) > 4.0, "the arm is lifted");
    // A viewer moves the part's skin by its joints; without them its vertices are those of the document.
    let of_rest = surfaces("plain/lamp.glb");
    let part = of_rest.iter().find(|surface| surface.name.contains("bulb"));
    assert!(are_placed(part.unwrap(), &all[2]));
}

/// The triangles of a surface that are clockwise seen from the side of their normals.
fn clockwise(surface: &Surface) -> usize {
    let normals = surface.normals.as_ref().unwrap();
    let is_clockwise = |corners: &&[u32; 3]| {
        let [a, b, c] = corners.map(|corner| surface.positions[corner as usize]);
        let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
        let (u, v) = (edge(b), edge(c));
        let face = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let along = |corner: u32| {
            (0..3)
                .map(|axis| face[axis] * normals[corner as usize][axis])
                .sum::<f64>()
        };
        corners.iter().map(|corner| along(*corner)).sum::<f64>() < -1e-12
    };
    surface.triangles.iter().filter(is_clockwise).count()
}

#[test]
fn winding_and_sides_change_and_nothing_else() {
    let dir = dir();
    run(&dir, "plain", "");
    run(&dir, "turned", "--outward");
    run(&dir, "sides", "--double-sided --with-instances");
    for file in ["lamp.glb", "lamp.lifted.glb"] {
        let (plain, turned) = (
            dir.read(&format!("plain/{file}")),
            dir.read(&format!("turned/{file}")),
        );
        assert_eq!((plain.len(), tree(&plain)), (turned.len(), tree(&turned)));
        let (plain, turned) = (model(&plain).surfaces, model(&turned).surfaces);
        for (before, after) in plain.iter().zip(&turned) {
            assert!(
                clockwise(before) > 0,
                "the capsule is clockwise by the language"
            );
            assert_eq!(clockwise(after), 0);
            assert_eq!(before.positions, after.positions);
            let sorted = |surface: &Surface| -> Vec<[u32; 3]> {
                let mut all = surface.triangles.clone();
                all.iter_mut().for_each(|corners| corners.sort_unstable());
                all
            };
            assert_eq!(sorted(before), sorted(after));
        }
        let mut sides = tree(&dir.read(&format!("sides/{file}")));
        let materials = sides["materials"].as_array_mut().unwrap();
        assert!(
            materials
                .iter()
                .all(|material| material["doubleSided"] == true)
        );
        let primitives = sides["meshes"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|mesh| mesh["primitives"].as_array().unwrap());
        assert!(
            primitives.clone().count() > 0 && primitives.clone().all(|p| p["material"].is_number())
        );
    }
}

#[test]
fn the_cache_tells_styles_apart() {
    let dir = dir();
    run(&dir, "out", "");
    let plain = dir.read("out/lamp.lifted.glb");
    run(&dir, "out", "--with-instances");
    assert_ne!(dir.read("out/lamp.lifted.glb"), plain);
    run(&dir, "out", "");
    assert_eq!(dir.read("out/lamp.lifted.glb"), plain);
}

#[test]
fn files_of_other_tools_face_outward_though_the_language_does_not() {
    let dir = dir();
    dir.run("lamp.rigy.yaml -o out -q --allow-warnings all")
        .good();
    dir.run("bake out/lamp.glb -o lamp.stl").good();
    let stl = dir.read("lamp.stl");
    let corner = |at: usize| -> [f64; 3] {
        std::array::from_fn(|axis| {
            let bytes = stl[at + 4 * axis..][..4].try_into().unwrap();
            f64::from(f32::from_le_bytes(bytes))
        })
    };
    // Six times the volume, of which each triangle that faces inward takes something away.
    let volumes = (84..stl.len()).step_by(50).map(|at| {
        let [a, b, c] = [12, 24, 36].map(|offset| corner(at + offset));
        let [x, y, z] = [0, 1, 2].map(|k| {
            let (next, last) = ((k + 1) % 3, (k + 2) % 3);
            b[next] * c[last] - b[last] * c[next]
        });
        a[0] * x + a[1] * y + a[2] * z
    });
    let volume = volumes.sum::<f64>() / 6.0 / 1e9; // of millimetres
    // A capsule of radius 0.1 and a box, both placed again, and a sphere of radius 0.2: 2 × (0.0545 + 0.1) + 0.0335.
    assert!((0.33..0.345).contains(&volume), "{volume}");
}
