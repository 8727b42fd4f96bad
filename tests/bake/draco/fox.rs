//! A sample that another tool has compressed, with loss.

use serde_json::json;

use super::streams::DRACO;
use crate::bake::reader::Gltf;
use crate::bake::runs::{Ask, run};
use crate::support::{Dir, published};

/// The places of the vertices of the first primitive of a sample at half a second of its second animation, and its indices.
fn fox(path: &str) -> Option<(Vec<Vec<f64>>, Vec<f64>)> {
    let path = published(path)?;
    let dir = Dir::with("fox.glb", std::fs::read(path).unwrap());
    let ask = Ask {
        animation: Some(1),
        ..Ask::at(0.5)
    };
    let ran = run(&dir, "fox.glb", &ask).good();
    assert_eq!(ran.json()[0]["warnings"], json!([]));
    let output = Gltf::read(&dir.read("out/fox.glb"), dir.path());
    assert!(!output.text.contains(DRACO));
    let primitive = output.tree.at("meshes.0.primitives.0").unwrap();
    let indices = primitive
        .index_of("indices")
        .map(|index| output.reals(index).concat());
    let positions = output.attribute(primitive, "POSITION").unwrap();
    Some((positions, indices.unwrap_or_default()))
}

#[test]
fn the_compressed_fox_is_baked_where_the_plain_one_is() {
    let folder = "gltf-samples";
    let (Some(plain), Some(compressed)) = (
        fox(&format!("{folder}/real/Fox.glb")),
        fox(&format!("{folder}/compressed/Fox-draco.glb")),
    ) else {
        return;
    };
    // The plain one has three vertices for each triangle.
    assert_eq!((plain.0.len(), compressed.1.len()), (1728, 1728));
    let distance = |a: &[f64], b: &[f64]| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let size = plain
        .0
        .iter()
        .map(|p| distance(p, &plain.0[0]))
        .fold(0.0, f64::max);
    let corners: Vec<&Vec<f64>> = compressed
        .1
        .iter()
        .map(|i| &compressed.0[*i as usize])
        .collect();
    let triangles = |points: &[&Vec<f64>]| {
        let centres = points.chunks_exact(3).map(|corners| {
            (0..3)
                .map(|axis| corners.iter().map(|c| c[axis]).sum::<f64>() / 3.0)
                .collect()
        });
        centres.collect::<Vec<Vec<f64>>>()
    };
    let (a, b) = (
        triangles(&plain.0.iter().collect::<Vec<_>>()),
        triangles(&corners),
    );
    for (from, to) in [(&a, &b), (&b, &a)] {
        for point in from {
            let off = to
                .iter()
                .map(|other| distance(point, other))
                .fold(f64::MAX, f64::min);
            assert!(off < 1e-3 * size, "{off} of {size}");
        }
    }
}
