//! Nodes at a moment (`bake.md` §1 and §2): sampling, local and global matrices, morph weights.

use super::algebra::{Affine, V3, V4, affine, dot, matrix_of, normalised, product};
use super::reader::Gltf;
use super::tree::Tree;

#[derive(Clone, Debug, PartialEq)]
pub enum Local {
    Matrix(Affine),
    /// Translation, rotation as w x y z, scale.
    Trs(V3, V4, V3),
}

pub struct Posed {
    pub locals: Vec<Local>,
    /// For each node, true if the animation moves it.
    pub animated: Vec<bool>,
    /// The animated weights, else the node's own.
    pub weights: Vec<Option<Vec<f64>>>,
    pub parents: Vec<Option<usize>>,
}

/// A moment: an animation and seconds, or `None` for transforms as stored.
pub type When = Option<(usize, f64)>;

fn three(values: Vec<f64>) -> V3 {
    values.try_into().unwrap()
}

/// From the order of a file, x y z w.
fn wxyz(values: &[f64]) -> V4 {
    [values[3], values[0], values[1], values[2]]
}

fn xyzw([w, x, y, z]: V4) -> Vec<f64> {
    vec![x, y, z, w]
}

fn stored(node: &Tree) -> Local {
    if let Some(m) = node.numbers_of("matrix") {
        let mut rows = [[0.0; 4]; 3];
        for (row, values) in rows.iter_mut().enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value = m[4 * column + row];
            }
        }
        return Local::Matrix(rows);
    }
    let rotation = node.numbers_of("rotation");
    Local::Trs(
        node.numbers_of("translation").map_or([0.0; 3], three),
        rotation.map_or([1.0, 0.0, 0.0, 0.0], |r| wxyz(&r)),
        node.numbers_of("scale").map_or([1.0; 3], three),
    )
}

impl Posed {
    pub fn new(file: &Gltf, when: When) -> Self {
        let nodes = file.tree.list("nodes");
        let mut posed = Self {
            locals: nodes.iter().map(stored).collect(),
            animated: vec![false; nodes.len()],
            weights: nodes.iter().map(|n| n.numbers_of("weights")).collect(),
            parents: vec![None; nodes.len()],
        };
        for (parent, node) in nodes.iter().enumerate() {
            for child in node.list("children") {
                posed.parents[child.index()] = Some(parent);
            }
        }
        let Some((animation, time)) = when else {
            return posed;
        };
        let animation = &file.tree.list("animations")[animation];
        for channel in animation.list("channels") {
            let target = channel.get("target").unwrap();
            let Some(node) = target.index_of("node") else {
                continue;
            };
            let sampler = &animation.list("samplers")[channel.index_of("sampler").unwrap()];
            let path = target.text_of("path").unwrap();
            let value = sample(file, sampler, path == "rotation", time);
            if path == "weights" {
                posed.weights[node] = Some(value);
                continue;
            }
            posed.animated[node] = true;
            if matches!(posed.locals[node], Local::Matrix(_)) {
                posed.locals[node] = Local::Trs([0.0; 3], [1.0, 0.0, 0.0, 0.0], [1.0; 3]);
            }
            let Local::Trs(translation, rotation, scale) = &mut posed.locals[node] else {
                unreachable!()
            };
            match path {
                "translation" => *translation = three(value),
                "rotation" => *rotation = wxyz(&value),
                "scale" => *scale = three(value),
                other => panic!("path {other}"),
            }
        }
        posed
    }

    /// From a node to its parent.
    pub fn local(&self, node: usize) -> Affine {
        match &self.locals[node] {
            Local::Matrix(matrix) => *matrix,
            Local::Trs(translation, rotation, scale) => {
                let mut m = matrix_of(normalised(*rotation));
                for row in &mut m {
                    for column in 0..3 {
                        row[column] *= scale[column];
                    }
                }
                affine(&m, *translation)
            }
        }
    }

    /// From a node to the scene.
    pub fn global(&self, node: usize) -> Affine {
        let local = self.local(node);
        match self.parents[node] {
            None => local,
            Some(parent) => product(&self.global(parent), &local),
        }
    }

    pub fn morph(&self, file: &Gltf, node: usize) -> Vec<f64> {
        let mesh = file.tree.list("nodes")[node].index_of("mesh").unwrap();
        let mesh = &file.tree.list("meshes")[mesh];
        let own = self.weights[node].clone().or(mesh.numbers_of("weights"));
        own.unwrap_or_else(|| vec![0.0; mesh.list("primitives")[0].list("targets").len()])
    }
}

fn sample(file: &Gltf, sampler: &Tree, is_rotation: bool, time: f64) -> Vec<f64> {
    let times = file.reals(sampler.index_of("input").unwrap()).concat();
    let output = file.reals(sampler.index_of("output").unwrap()).concat();
    let kind = sampler.text_of("interpolation").unwrap_or("LINEAR");
    let parts = if kind == "CUBICSPLINE" { 3 } else { 1 };
    let width = output.len() / times.len() / parts;
    // Tangent into a key, its value, tangent out of it; only the value where there is no spline.
    let part = |key: usize, part: usize| &output[(key * parts + part) * width..][..width];
    let unit = |value: Vec<f64>| match is_rotation {
        true => xyzw(normalised(wxyz(&value))),
        false => value,
    };
    let value = |key: usize| unit(part(key, parts / 2).to_vec());
    let last = times.len() - 1;
    if time < times[0] {
        return value(0);
    }
    if time >= times[last] {
        return value(last);
    }
    let k = (0..=last).rev().find(|k| times[*k] <= time).unwrap();
    if times[k] == time {
        return value(k); // without arithmetic, so that it is the value before the first key, too
    }
    let span = times[k + 1] - times[k];
    let u = (time - times[k]) / span;
    let (a, b) = (value(k), value(k + 1));
    match kind {
        "STEP" => a,
        "LINEAR" if is_rotation => xyzw(slerp(wxyz(&a), wxyz(&b), u)),
        "LINEAR" => (0..width).map(|i| a[i] + u * (b[i] - a[i])).collect(),
        "CUBICSPLINE" => {
            let (out, into) = (part(k, 2), part(k + 1, 0));
            let hermite = |i: usize| {
                let (square, cube) = (u * u, u * u * u);
                (2.0 * cube - 3.0 * square + 1.0) * a[i]
                    + (cube - 2.0 * square + u) * (span * out[i])
                    + (-2.0 * cube + 3.0 * square) * b[i]
                    + (cube - square) * (span * into[i])
            };
            unit((0..width).map(hermite).collect())
        }
        other => panic!("interpolation {other}"),
    }
}

/// On the shorter arc. For the straight line the contract does not say in what order: it is `a + u*(b − a)`.
fn slerp(a: V4, mut b: V4, u: f64) -> V4 {
    let mut d = dot(&a, &b);
    if d < 0.0 {
        b = b.map(|c| -c);
        d = -d;
    }
    let mut to = [0.0; 4];
    if d > 1.0 - 1e-12 {
        for i in 0..4 {
            to[i] = a[i] + u * (b[i] - a[i]);
        }
        return normalised(to);
    }
    let angle = libm::acos(d.min(1.0));
    for i in 0..4 {
        let sum = libm::sin((1.0 - u) * angle) * a[i] + libm::sin(u * angle) * b[i];
        to[i] = sum / libm::sin(angle);
    }
    to
}

#[test]
fn slerp_takes_the_shorter_arc() {
    let half = 0.5f64.sqrt();
    let turned = slerp([1.0, 0.0, 0.0, 0.0], [-half, -half, 0.0, 0.0], 0.5);
    let eighth = std::f64::consts::PI / 8.0;
    let expected = [libm::cos(eighth), libm::sin(eighth), 0.0, 0.0];
    for i in 0..4 {
        assert!((turned[i] - expected[i]).abs() < 1e-15, "{turned:?}");
    }
    assert_eq!(slerp(turned, turned, 0.3), normalised(turned));
}
