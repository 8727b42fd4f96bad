//! A plain player of animated files: what a client shows at a time, in the order of the scene.

use std::collections::HashMap;

use super::algebra::{self, Affine};
use super::reader::Gltf;
use super::tree::Tree;

#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// POSITION, NORMAL and TANGENT, as far as there are any, with morph targets added in single precision.
    pub attributes: Vec<Vec<Vec<f32>>>,
    /// Positions in the scene.
    pub places: Vec<[f64; 3]>,
}

/// The animated values of nodes at a time.
type Values = HashMap<(usize, String), Vec<f64>>;

/// Everything that a file shows at a time of its animation, if it has one; what is scaled to nothing is not shown.
pub fn play(file: &Gltf, time: f64) -> Vec<Shown> {
    let values = values(file, time);
    let mut shown = Vec::new();
    let roots = file.tree.at("scenes.0.nodes").unwrap().items();
    let identity = [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.]];
    for root in roots {
        show(file, &values, root.index(), &identity, &mut shown);
    }
    shown
}

fn values(file: &Gltf, time: f64) -> Values {
    let mut values = HashMap::new();
    assert!(file.tree.list("animations").len() < 2);
    for animation in file.tree.list("animations") {
        for channel in animation.list("channels") {
            let sampler = &animation.list("samplers")[channel.index_of("sampler").unwrap()];
            let node = channel.at("target.node").unwrap().index();
            let path = channel.at("target.path").unwrap().str().unwrap().to_owned();
            values.insert((node, path), sampled(file, sampler, time));
        }
    }
    values
}

fn sampled(file: &Gltf, sampler: &Tree, time: f64) -> Vec<f64> {
    let keys = file.reals(sampler.index_of("input").unwrap()).concat();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    let numbers = file.reals(sampler.index_of("output").unwrap()).concat();
    let values: Vec<&[f64]> = numbers.chunks(numbers.len() / keys.len()).collect();
    let later = keys.partition_point(|key| *key <= time);
    let before = later.saturating_sub(1);
    let is_step = sampler.text_of("interpolation") == Some("STEP");
    if is_step || later == 0 || later == keys.len() || keys[before] == time {
        return values[before].to_vec();
    }
    let part = (time - keys[before]) / (keys[later] - keys[before]);
    let pairs = values[before].iter().zip(values[later]);
    pairs.map(|(a, b)| (1.0 - part) * a + part * b).collect()
}

fn show(file: &Gltf, values: &Values, index: usize, above: &Affine, shown: &mut Vec<Shown>) {
    let node = &file.tree.list("nodes")[index];
    let value = |path: &str| {
        let animated = values.get(&(index, path.to_owned())).cloned();
        animated.or_else(|| node.numbers_of(path))
    };
    let local = match node.numbers_of("matrix") {
        Some(m) => std::array::from_fn(|row| std::array::from_fn(|column| m[4 * column + row])),
        None => {
            let [x, y, z, w]: [f64; 4] = value("rotation").map_or([0., 0., 0., 1.], four);
            let turned = algebra::matrix_of(algebra::normalised([w, x, y, z]));
            let scale = value("scale").unwrap_or(vec![1.0; 3]);
            let moved = value("translation").unwrap_or(vec![0.0; 3]);
            let scaled =
                turned.map(|row| std::array::from_fn(|column| row[column] * scale[column]));
            algebra::affine(&scaled, std::array::from_fn(|axis| moved[axis]))
        }
    };
    let global = algebra::product(above, &local);
    if global.iter().all(|row| row[..3] == [0.0; 3]) {
        return;
    }
    if let Some(mesh) = node.index_of("mesh") {
        let weights = value("weights").unwrap_or_default();
        let mesh = &file.tree.list("meshes")[mesh];
        for primitive in mesh.list("primitives") {
            shown.push(primitive_at(file, primitive, &weights, &global));
        }
    }
    for child in node.list("children") {
        show(file, values, child.index(), &global, shown);
    }
}

fn four(numbers: Vec<f64>) -> [f64; 4] {
    numbers.try_into().unwrap()
}

fn primitive_at(file: &Gltf, primitive: &Tree, weights: &[f64], global: &Affine) -> Shown {
    let single = |accessor: usize| -> Vec<Vec<f32>> {
        let rows = file.reals(accessor).into_iter();
        rows.map(|row| row.into_iter().map(|number| number as f32).collect())
            .collect()
    };
    let targets = primitive.list("targets");
    assert!(targets.is_empty() || weights.is_empty() || targets.len() == weights.len());
    let mut attributes = Vec::new();
    for name in ["POSITION", "NORMAL", "TANGENT"] {
        let Some(accessor) = primitive.get("attributes").unwrap().index_of(name) else {
            continue;
        };
        let mut rows = single(accessor);
        for (target, weight) in targets.iter().zip(weights) {
            let Some(moved) = target.index_of(name).filter(|_| *weight != 0.0) else {
                continue;
            };
            for (row, moved) in rows.iter_mut().zip(single(moved)) {
                for (number, moved) in row.iter_mut().zip(moved) {
                    *number += *weight as f32 * moved;
                }
            }
        }
        attributes.push(rows);
    }
    let place =
        |row: &Vec<f32>| algebra::apply(global, std::array::from_fn(|axis| f64::from(row[axis])));
    Shown {
        places: attributes[0].iter().map(place).collect(),
        attributes,
    }
}
