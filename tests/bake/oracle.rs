//! A skinned or morphed mesh at a time, vertex by vertex in f64 (`bake.md` §2 to §5), rounded to f32 in the end.

use super::algebra::{
    Affine, V3, V4, affine, after, apply, cofactors, conjugate, determinant, dot, linear, sign,
    times, turn, unit,
};
use super::palettes::{Palette, Solver, palette};
use super::pose::Posed;
use super::reader::Gltf;
use super::tree::Tree;

#[derive(Debug, PartialEq)]
pub struct Evaluated {
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    pub tangents: Option<Vec<[f32; 4]>>,
}

/// A vertex: position, normal, tangent and its handedness.
#[derive(Clone, Copy)]
pub struct Frame {
    pub p: V3,
    pub n: V3,
    pub t: V3,
    pub w: f64,
}

/// Joint and weight, in slot order, weights above zero only.
pub type Slots = Vec<(usize, f64)>;

/// The primitives of a node's mesh: morphed, and skinned where the node has a skin.
pub fn evaluate(file: &Gltf, node: usize, posed: &Posed, solver: &Solver) -> Vec<Evaluated> {
    let tree = &file.tree.list("nodes")[node];
    let mesh = &file.tree.list("meshes")[tree.index_of("mesh").unwrap()];
    let skin = tree.index_of("skin");
    let palette = skin.map(|skin| palette(file, skin, posed, solver));
    let weights = posed.morph(file, node);
    let primitives = mesh.list("primitives").iter();
    primitives
        .map(|primitive| {
            let mut frames = frames(file, primitive, &weights);
            if let Some(palette) = &palette {
                for (frame, slots) in frames.iter_mut().zip(slots(file, primitive)) {
                    *frame = skinned(palette, &slots, *frame);
                }
            } else {
                // The contract leaves open whether directions that are only morphed get their length back; NORMAL and
                // TANGENT of a glTF file must have it.
                for frame in &mut frames {
                    frame.n = unit(frame.n, frame.n);
                    frame.t = unit(frame.t, frame.t);
                }
            }
            let has = |name: &str| primitive.get("attributes").unwrap().get(name).is_some();
            let single = |v: V3| v.map(|c| c as f32);
            Evaluated {
                positions: frames.iter().map(|f| single(f.p)).collect(),
                normals: has("NORMAL").then(|| frames.iter().map(|f| single(f.n)).collect()),
                tangents: has("TANGENT").then(|| frames.iter().map(tangent).collect()),
            }
        })
        .collect()
}

fn tangent(frame: &Frame) -> [f32; 4] {
    let [x, y, z] = frame.t.map(|c| c as f32);
    [x, y, z, frame.w as f32]
}

/// Rest frames after morph targets.
fn frames(file: &Gltf, primitive: &Tree, weights: &[f64]) -> Vec<Frame> {
    let morphed = |name: &str| -> Option<Vec<Vec<f64>>> {
        let mut values = file.attribute(primitive, name)?;
        for (target, weight) in primitive.list("targets").iter().zip(weights) {
            let Some(accessor) = target.index_of(name).filter(|_| *weight != 0.0) else {
                continue;
            };
            for (value, offset) in values.iter_mut().zip(file.reals(accessor)) {
                for i in 0..3 {
                    value[i] += weight * offset[i];
                }
            }
        }
        Some(values)
    };
    let positions = morphed("POSITION").unwrap();
    let (normals, tangents) = (morphed("NORMAL"), morphed("TANGENT"));
    let of = |values: &Option<Vec<Vec<f64>>>, vertex: usize| match values {
        Some(values) => [values[vertex][0], values[vertex][1], values[vertex][2]],
        None => [0.0; 3],
    };
    (0..positions.len())
        .map(|vertex| Frame {
            p: [0, 1, 2].map(|i| positions[vertex][i]),
            n: of(&normals, vertex),
            t: of(&tangents, vertex),
            w: tangents.as_ref().map_or(1.0, |values| values[vertex][3]),
        })
        .collect()
}

/// Weights divided by their sum, JOINTS_0 first.
fn slots(file: &Gltf, primitive: &Tree) -> Vec<Slots> {
    let mut all: Vec<Slots> = Vec::new();
    for set in 0.. {
        let Some(joints) = file.attribute(primitive, &format!("JOINTS_{set}")) else {
            break;
        };
        let weights = file.attribute(primitive, &format!("WEIGHTS_{set}"));
        let weights = weights.unwrap();
        all.resize(joints.len(), Vec::new());
        for (vertex, slots) in all.iter_mut().enumerate() {
            for slot in 0..4 {
                slots.push((joints[vertex][slot] as usize, weights[vertex][slot]));
            }
        }
    }
    for slots in &mut all {
        if slots.iter().all(|(_, weight)| weight.is_nan()) {
            slots.iter_mut().for_each(|(_, weight)| *weight = 0.0);
        }
        let below = slots.iter_mut().filter(|(_, weight)| *weight < 0.0);
        below.for_each(|(_, weight)| *weight = 0.0); // the program refuses those below -1e-3
        let sum = slots.iter().fold(0.0, |sum, (_, weight)| sum + weight);
        if sum == 0.0 {
            slots[0].1 = 1.0;
        } else {
            slots.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        slots.retain(|(_, weight)| *weight > 0.0);
    }
    all
}

fn skinned(palette: &Palette, slots: &Slots, rest: Frame) -> Frame {
    match palette {
        Palette::Linear(matrices) => blended(slots, |joint| matrices[joint], rest),
        Palette::Dual { first: None, rigid } => moved(slots, |joint| dual(rigid[joint]), rest),
        Palette::Dual {
            first: Some(first),
            rigid,
        } => in_place(slots, first, rigid, rest),
        Palette::TwoStage { first, rigid } => {
            let rest = blended(slots, |joint| first[joint], rest);
            moved(slots, |joint| dual(rigid[joint]), rest)
        }
    }
}

/// Linear blending (§4).
pub fn blended(slots: &Slots, matrix: impl Fn(usize) -> [[f64; 4]; 3], rest: Frame) -> Frame {
    let mut p = [0.0; 3];
    let mut a = [[0.0; 3]; 3];
    for (joint, weight) in slots {
        let matrix = matrix(*joint);
        let q = apply(&matrix, rest.p);
        for row in 0..3 {
            p[row] += weight * q[row];
            for column in 0..3 {
                a[row][column] += weight * matrix[row][column];
            }
        }
    }
    let side = sign(determinant(&a));
    let n = times(&cofactors(&a), rest.n).map(|c| c * side);
    Frame {
        p,
        n: unit(n, rest.n),
        t: unit(times(&a, rest.t), rest.t),
        w: rest.w * side,
    }
}

/// Dual quaternion blending of joints that are scaled (§5): each motion carries the vertex to where its first-stage matrix does.
pub fn in_place(slots: &Slots, first: &[Affine], rigid: &[(V4, V3)], rest: Frame) -> Frame {
    let carried = |joint: usize| {
        let (real, added) = dual(rigid[joint]);
        let column = |of: usize| {
            let mut v = first[joint].map(|row| row[of]);
            if of < 3 {
                v[of] -= 1.0;
            }
            after(real, [0.0, v[0], v[1], v[2]]).map(|c| 0.5 * c)
        };
        let ([x, y, z], [a, b, c, d]) = (rest.p, [0, 1, 2, 3].map(column));
        let moved = [0, 1, 2, 3].map(|i| a[i] * x + b[i] * y + c[i] * z + (added[i] + d[i]));
        (real, moved)
    };
    let turned = blended(slots, |joint| first[joint], rest);
    moved(
        slots,
        carried,
        Frame {
            p: rest.p,
            ..turned
        },
    )
}

/// The dual quaternion of a rotation that is followed by a translation: real part, dual part.
pub fn dual((real, [x, y, z]): (V4, V3)) -> (V4, V4) {
    (real, after([0.0, x, y, z], real).map(|c| 0.5 * c))
}

/// Dual quaternion blending (`numerics.md` §7, with the directions brought to unit length).
pub fn moved(slots: &Slots, joints: impl Fn(usize) -> (V4, V4), rest: Frame) -> Frame {
    // The largest weight, and of equal ones the first (`bake.md` §5).
    let mut main = slots[0];
    for slot in &slots[1..] {
        if slot.1 > main.1 {
            main = *slot;
        }
    }
    let reference = joints(main.0).0;
    let (mut r, mut d) = ([0.0; 4], [0.0; 4]);
    for (joint, weight) in slots {
        let (mut real, mut dual) = joints(*joint);
        if dot(&real, &reference) < 0.0 {
            real = real.map(|c| -c);
            dual = dual.map(|c| -c);
        }
        for part in 0..4 {
            r[part] += weight * real[part];
            d[part] += weight * dual[part];
        }
    }
    let rn = 1.0 / dot(&r, &r).sqrt();
    let (r, s) = (r.map(|c| c * rn), d.map(|c| c * rn));
    let k = dot(&r, &s);
    let mut d = [0.0; 4];
    for part in 0..4 {
        d[part] = s[part] - k * r[part];
    }
    let [_, x, y, z] = after(d, conjugate(r)).map(|c| 2.0 * c);
    let [px, py, pz] = turn(r, rest.p);
    Frame {
        p: [px + x, py + y, pz + z],
        n: unit(turn(r, rest.n), rest.n),
        t: unit(turn(r, rest.t), rest.t),
        w: rest.w,
    }
}

#[test]
fn the_published_blend_of_two_bones_comes_out() {
    // `numerics.md` §13.4: joints 0 and 1 with weights 0.3 and 0.7, the second first.
    let bones = [
        ([0.5, 0.5, -0.5, 0.5], [0.0; 3], [-0.1, -0.2, 0.3]),
        (
            [-0.6, 0.0, 0.8, 0.0],
            [0.25, -0.1, 0.0],
            [-0.0, -0.8, -0.05],
        ),
    ];
    let rigid: Vec<(V4, V3)> = (bones.iter())
        .map(|(q, t, offset)| {
            let turned = turn(*q, *offset);
            (*q, [0, 1, 2].map(|i| turned[i] + t[i]))
        })
        .collect();
    let slots = vec![(1, 0.7), (0, 0.3)];
    let rest = Frame {
        p: [0.3, 0.7, -0.2],
        n: [0.0, 0.6, 0.8],
        t: [1.0, 0.0, 0.0],
        w: -1.0,
    };
    let posed = moved(&slots, |joint| dual(rigid[joint]), rest);
    let bits = |v: V3| v.map(|c| (c as f32).to_bits());
    assert_eq!(bits(posed.p), [0x3e39_47de, 0xbc88_d884, 0x3e97_71b8]);
    let matrices = bones.map(|(q, t, offset)| {
        let pose = affine(&super::algebra::matrix_of(q), t);
        let mut unbind = super::algebra::IDENTITY;
        (0..3).for_each(|i| unbind[i][3] = offset[i]);
        super::algebra::product(&pose, &unbind)
    });
    let posed = blended(&slots, |joint| matrices[joint], rest);
    assert_eq!(bits(posed.p), [0x3e09_6bba, 0xbe2e_147b, 0x3e9f_06f7]);
    assert_eq!(linear(&matrices[1])[1], [0.0, 1.0, 0.0]);
    assert_eq!(posed.w, -1.0);
}
