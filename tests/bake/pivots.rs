//! The origins of baked meshes (`bake.md` §6): positions relative to them, and where their nodes stand.

use serde_json::json;

use super::builder::{Made, arm};
use super::cli::{bake, lines};
use super::pose::Posed;
use super::reader::Gltf;
use super::runs::baked_in;
use super::structure::is_shortest;
use super::tree::Tree;
use crate::support::Dir;
use crate::support::skinned::skinned;

fn dir_with(made: &Made) -> Dir {
    Dir::with("made.glb", made.glb())
}

/// An arm whose mesh a second node has, too, under the same skin, and that has a second primitive.
fn pair() -> Made {
    let mut made = arm();
    let twin = made.push(
        "nodes",
        json!({"name": "twin", "mesh": 0, "skin": 0, "translation": [-3, 0.1, 9]}),
    );
    made.json["scenes"][0]["nodes"] = json!([0, 3, twin]);
    let far = made.floats("VEC3", &[[40.0, 0.3, -7.0]; 6].concat());
    let mut second = made.json["meshes"][0]["primitives"][0].clone();
    second["attributes"]["POSITION"] = json!(far);
    let primitives = made.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(second);
    made
}

/// The new nodes, which are last, each with its mesh.
fn instances(file: &Gltf, count: usize) -> Vec<(&Tree, &Tree)> {
    let nodes = file.tree.list("nodes");
    let of_node = |node: &'_ Tree| node.index_of("mesh").unwrap();
    nodes[nodes.len() - count..]
        .iter()
        .map(|node| (node, &file.tree.list("meshes")[of_node(node)]))
        .collect()
}

/// Checks that an instance stands at `origin`, and its mesh is that of an instance at the world's origin, moved.
fn check(
    file: &Gltf,
    (node, mesh): (&Tree, &Tree),
    world: &Gltf,
    (_, old): (&Tree, &Tree),
    origin: [f64; 3],
) {
    let origin = origin.map(|number| f64::from(number as f32));
    let texts = node.list("translation").iter();
    assert_eq!(node.numbers_of("translation").map(|n| n.len()), Some(3));
    assert!(
        texts
            .zip(origin)
            .fold(true, |all, (text, number)| all && is_shortest(text, number)),
        "{node:?}"
    );
    for (new, old) in mesh.list("primitives").iter().zip(old.list("primitives")) {
        let positions = file.attribute(new, "POSITION").unwrap();
        let moved = |position: &Vec<f64>| -> Vec<f64> {
            let pairs = position.iter().zip(origin);
            pairs
                .map(|(number, origin)| f64::from((number - origin) as f32))
                .collect()
        };
        let wanted: Vec<Vec<f64>> = world
            .attribute(old, "POSITION")
            .unwrap()
            .iter()
            .map(moved)
            .collect();
        assert_eq!(positions, wanted);
        for name in ["NORMAL", "TANGENT", "TEXCOORD_0"] {
            assert_eq!(file.attribute(new, name), world.attribute(old, name));
        }
    }
}

fn middle(file: &Gltf, mesh: &Tree) -> [f64; 3] {
    let primitives = mesh.list("primitives").iter();
    let all: Vec<Vec<f64>> = primitives
        .flat_map(|primitive| file.attribute(primitive, "POSITION").unwrap())
        .collect();
    std::array::from_fn(|axis| {
        let least = all
            .iter()
            .map(|position| position[axis])
            .fold(f64::INFINITY, f64::min);
        let most = all
            .iter()
            .map(|position| position[axis])
            .fold(f64::NEG_INFINITY, f64::max);
        (least + most) / 2.0
    })
}

#[test]
fn meshes_stand_at_their_nodes() {
    let dir = dir_with(&pair());
    for time in ["0.3", "1.1"] {
        let world = baked_in(&dir, &format!("--time {time}"));
        let output = baked_in(&dir, &format!("--time {time} --pivot node"));
        assert_eq!(
            (
                world.tree.list("meshes").len(),
                output.tree.list("meshes").len()
            ),
            (1, 2)
        );
        let input = Gltf::load(&dir.path().join("made.glb"));
        let posed = Posed::new(&input, Some((0, time.parse().unwrap())));
        let (new, old) = (instances(&output, 2), instances(&world, 2));
        for ((new, old), node) in new.into_iter().zip(old).zip([2, 4]) {
            let origin = posed.global(node).map(|row| row[3]);
            check(&output, new, &world, old, origin);
        }
    }
}

#[test]
fn meshes_stand_at_the_middle_of_their_bounds() {
    let dir = dir_with(&pair());
    for time in ["0.3", "1.1"] {
        for solver in ["lbs", "dqs"] {
            let options = format!("--time {time} --solver {solver}");
            let world = baked_in(&dir, &options);
            let output = baked_in(&dir, &format!("{options} --pivot bounds"));
            assert_eq!(output.tree.list("meshes").len(), 1);
            let (new, old) = (instances(&output, 2), instances(&world, 2));
            for (new, old) in new.into_iter().zip(old) {
                check(&output, new, &world, old, middle(&world, old.1));
            }
        }
    }
}

#[test]
fn meshes_with_equal_vertices_have_origins_of_their_own() {
    let mut made = pair();
    made.json["nodes"][4]["scale"] = json!([-1, 1, 1]);
    let dir = dir_with(&made);
    let world = baked_in(&dir, "--pivot origin");
    assert_eq!(world.tree.list("meshes").len(), 2);
    for pivot in ["node", "bounds"] {
        let output = baked_in(&dir, &format!("--pivot {pivot}"));
        let of = |file: &Gltf, mesh: usize| {
            let path = format!("meshes.{mesh}.primitives.0.attributes.POSITION");
            file.tree.at(&path).unwrap().index()
        };
        assert_eq!(of(&world, 0), of(&world, 1));
        assert_ne!(of(&output, 0), of(&output, 1));
    }
}

#[test]
fn meshes_with_instances_keep_the_origin_of_the_world() {
    let mut made = pair();
    let places = made.floats("VEC3", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    made.json["nodes"][4]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    made.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let dir = dir_with(&made);
    // The two nodes share a mesh, whose positions stay, or have one each.
    for (pivot, moved) in [("bounds", [false, false]), ("node", [true, false])] {
        let output = baked_in(&dir, &format!("--pivot {pivot}"));
        let has_place = |(node, _): &(&Tree, &Tree)| node.get("translation").is_some();
        let found: Vec<bool> = instances(&output, 2).iter().map(has_place).collect();
        assert_eq!(found, moved, "{pivot}");
    }
}

#[test]
fn frames_have_origins_of_their_own() {
    let dir = dir_with(&pair());
    for pivot in ["node", "bounds"] {
        lines(
            &dir,
            &format!("made.glb -o frames --frames 0..4@2 --pivot {pivot}"),
        );
        for frame in 0..5 {
            let time = (f64::from(frame) / 2.0).to_string();
            lines(
                &dir,
                &format!("made.glb -o out --time {time} --pivot {pivot}"),
            );
            let frame = dir.read(&format!("frames/made.{frame:04}.glb"));
            assert!(frame == dir.read("out/made.glb"), "{pivot} {time}");
        }
    }
}

#[test]
fn origins_beyond_single_precision_are_errors() {
    for (made, pivot) in [
        // A node beyond it, and positions that come out beyond it.
        (json!([0, 1e39, 0]), "node"),
        (json!([-3.4e38, 0, 0]), "node"),
    ]
    .map(|(place, pivot)| {
        let mut made = arm();
        made.json["nodes"][3]["translation"] = place;
        made.json["nodes"][0]["translation"] = json!([3.0e38, 0, 0]);
        made.json["animations"] = json!([]);
        (made, pivot)
    }) {
        let dir = dir_with(&made);
        assert_eq!(bake(&dir, "made.glb -o out").status(), 0);
        let ran = bake(
            &dir,
            &format!("made.glb -o out --pivot {pivot} --format json"),
        );
        assert_eq!(ran.status(), 1);
        assert_eq!(
            ran.json()[0]["errors"][0]["code"],
            "U15",
            "{}",
            ran.stdout()
        );
    }
}

#[test]
fn large_files_have_the_same_bytes_on_any_number_of_threads() {
    const COUNT: usize = 710_000;
    let dir = Dir::with("made.glb", skinned(COUNT, 0.25).glb());
    let options = "made.glb --pivot bounds -j";
    lines(&dir, &format!("{options} 1 -o one"));
    lines(&dir, &format!("{options} 3 -o out"));
    let glb = dir.read("out/made.glb");
    assert!(glb.len() > 8 << 20, "it is written piece by piece");
    assert!(glb == dir.read("one/made.glb"));
    let output = Gltf::read(&glb, dir.path());
    let origin = output.tree.at("nodes.0").unwrap();
    let origin = origin.numbers_of("translation").unwrap();
    let origin: Vec<f64> = origin.iter().map(|n| f64::from(*n as f32)).collect();
    lines(&dir, "made.glb -o world");
    let world = Gltf::read(&dir.read("world/made.glb"), dir.path());
    let of = |file: &Gltf| -> Vec<f32> {
        let bytes = file.buffers[0].as_chunks::<4>().0.iter();
        bytes.map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    let (first, last) = (
        f64::from(of(&world)[0]),
        f64::from(of(&world)[3 * (COUNT - 1)]),
    );
    assert_eq!(origin[0], f64::from(((first + last) / 2.0) as f32));
    for (index, (new, old)) in of(&output).iter().zip(of(&world)).enumerate().step_by(11) {
        let moved = (f64::from(old) - origin[index % 3]) as f32;
        assert_eq!(new.to_bits(), moved.to_bits());
    }
}
