//! Triangles that mirroring nodes turn over: the oracle for them, and files that have them.

use serde_json::{Value, json};

use super::builder::{Made, U8, U16, arm};
use super::container::{Problems, need};
use super::palettes::Scale;
use super::reader::Gltf;
use super::runs::{Ask, baked};
use super::tree::Tree;
use crate::support::Dir;

/// The triangles of a primitive as the specification numbers their corners; `None` for points and lines.
fn triangles(file: &Gltf, primitive: &Tree) -> Option<Vec<[u64; 3]>> {
    let corners: Vec<u64> = match primitive.index_of("indices") {
        Some(indices) => {
            let numbers = file.reals(indices).into_iter();
            numbers.map(|number| number[0] as u64).collect()
        }
        None => {
            let positions = file.attribute(primitive, "POSITION").unwrap();
            (0..positions.len() as u64).collect()
        }
    };
    let last = corners.len().saturating_sub(2);
    let of = |[a, b, c]: [usize; 3]| [corners[a], corners[b], corners[c]];
    Some(match primitive.index_of("mode").unwrap_or(4) {
        4 => corners
            .chunks_exact(3)
            .map(|c| [c[0], c[1], c[2]])
            .collect(),
        5 => (0..last)
            .map(|i| of([i, i + (1 + i % 2), i + (2 - i % 2)]))
            .collect(),
        6 => (0..last).map(|i| of([i + 1, i + 2, 0])).collect(),
        _ => return None,
    })
}

/// Checks the triangles of a primitive whose node mirrored. Returns false, and checks nothing, if it has none.
pub fn check(
    path: &str,
    (input, from): (&Gltf, &Tree),
    (output, to): (&Gltf, &Tree),
    problems: &mut Problems,
) -> bool {
    let Some(was) = triangles(input, from).filter(|was| !was.is_empty()) else {
        return false;
    };
    let wanted: Vec<[u64; 3]> = was.into_iter().map(|[a, b, c]| [a, c, b]).collect();
    let mode = to.index_of("mode").unwrap_or(4);
    need!(problems, mode == 4, "{path} has mode {mode}");
    let found = triangles(output, to);
    need!(
        problems,
        found.as_ref() == Some(&wanted),
        "{path} has the triangles {found:?}, not {wanted:?}"
    );
    true
}

fn indices(output: &Gltf, mesh: usize) -> Vec<f64> {
    let primitive = output
        .tree
        .at(&format!("meshes.{mesh}.primitives.0"))
        .unwrap();
    let indices = output.reals(primitive.index_of("indices").unwrap());
    indices.into_iter().flatten().collect()
}

/// An arm whose mount mirrors, and with other triangles.
fn mirrored(mode: u8, indices: Option<(u32, &[u8])>) -> Made {
    let mut made = arm();
    made.json["nodes"][3]["scale"] = json!([-1, 1, 1]);
    let accessor = indices.map(|(component, bytes)| {
        let count = bytes.len() / if component == U8 { 1 } else { 2 };
        made.accessor("SCALAR", component, count, bytes)
    });
    let primitive = &mut made.json["meshes"][0]["primitives"][0];
    primitive["mode"] = json!(mode);
    match accessor {
        Some(accessor) => primitive["indices"] = json!(accessor),
        None => {
            primitive.as_object_mut().unwrap().remove("indices");
        }
    }
    made
}

#[test]
fn a_mirroring_node_turns_its_triangles_over() {
    let mut made = arm();
    made.json["nodes"][3]["scale"] = json!([-1, 1, 1]);
    for ask in [Ask::REST, Ask::at(0.3), Ask::at(1.1).dqs(Scale::Global)] {
        let output = baked(&made, &ask);
        assert_eq!(indices(&output, 0), [0., 2., 1., 2., 4., 3., 3., 5., 4.]);
    }
    // Two mirrors are none.
    made.json["nodes"][2]["scale"] = json!([1, 1, -1]);
    let output = baked(&made, &Ask::REST);
    assert_eq!(indices(&output, 0), [0., 1., 2., 2., 3., 4., 3., 4., 5.]);
}

#[test]
fn every_arrangement_of_triangles_becomes_a_list() {
    #[rustfmt::skip] // a row stays a line
    let lists = [
        (mirrored(4, None), vec![0., 2., 1., 3., 5., 4.]),
        (mirrored(5, None), vec![0., 2., 1., 1., 2., 3., 2., 4., 3., 3., 4., 5.]),
        (mirrored(6, None), vec![1., 0., 2., 2., 0., 3., 3., 0., 4., 4., 0., 5.]),
        (mirrored(5, Some((U8, &[5, 3, 1, 0]))), vec![5., 1., 3., 3., 1., 0.]),
        (mirrored(6, Some((U16, &[2, 0, 3, 0, 4, 0]))), vec![3., 2., 4.]),
    ];
    for (made, wanted) in lists {
        assert_eq!(indices(&baked(&made, &Ask::at(0.3)), 0), wanted);
    }
    // Too few corners for a triangle, and no triangles at all.
    for made in [
        mirrored(5, Some((U8, &[1, 0]))),
        mirrored(1, Some((U8, &[0, 1]))),
    ] {
        let output = baked(&made, &Ask::at(0.3));
        assert_eq!(indices(&output, 0).len(), 2);
    }
}

#[test]
fn instances_of_both_hands_are_two_meshes_and_share_their_vertices() {
    let mut made = arm();
    let other =
        json!({"mesh": 0, "skin": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, 0, 7, 7, 7, 1]});
    let node = made.push("nodes", other);
    let roots = made.json["scenes"][0]["nodes"].as_array_mut().unwrap();
    roots.push(json!(node));
    let output = baked(&made, &Ask::at(0.3));
    assert_eq!(output.tree.list("meshes").len(), 2);
    assert_eq!(indices(&output, 0), [0., 1., 2., 2., 3., 4., 3., 4., 5.]);
    assert_eq!(indices(&output, 1), [0., 2., 1., 2., 4., 3., 3., 5., 4.]);
    let attributes = |mesh: usize| {
        let path = format!("meshes.{mesh}.primitives.0.attributes");
        output.tree.at(&path).unwrap().clone()
    };
    assert_eq!(attributes(0), attributes(1));
}

#[test]
fn an_animation_can_turn_triangles_over() {
    let mut made = arm();
    let times = made.floats("SCALAR", &[0.0, 1.0]);
    let scales = made.floats("VEC3", &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0]);
    let animation: Value = json!({
        "name": "flip",
        "samplers": [{"input": times, "output": scales}],
        "channels": [{"sampler": 0, "target": {"node": 3, "path": "scale"}}],
    });
    made.json["animations"] = json!([animation]);
    assert_eq!(indices(&baked(&made, &Ask::at(0.25)), 0)[..3], [0., 1., 2.]);
    assert_eq!(indices(&baked(&made, &Ask::at(0.75)), 0)[..3], [0., 2., 1.]);
    // Frames share what they can, which the triangles are not.
    let dir = Dir::with("made.glb", made.glb());
    let frames = "bake made.glb -o all --frames 0..3@4 -j 1";
    assert_eq!(dir.run(frames).status(), 0);
    for frame in 0..=3 {
        let time = (f64::from(frame) / 4.0).to_string();
        let own = format!("bake made.glb -o own --time {time}");
        assert_eq!(dir.run(&own).status(), 0);
        let of_all = dir.read(&format!("all/made.{frame:04}.glb"));
        assert_eq!(of_all, dir.read("own/made.glb"), "frame {frame}");
    }
}
