//! The shader of `docs/src/reference/palette.md` in Rust: f32 throughout, reading the numbers of a palette alone.

use rigy_batch::view::palette::{Mesh, Normals, Palette, Skin};

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub position: [f32; 3],
    pub normal: [f32; 3],
}

type Matrix = [[f64; 4]; 3];
type Vec3 = [f32; 3];
type Quat = [f32; 4];

fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

fn unit_or(v: Vec3, rest: Vec3) -> Vec3 {
    let length = dot(v, v).sqrt();
    if length > 1e-12 {
        v.map(|c| c / length)
    } else {
        rest
    }
}

fn turned([w, x, y, z]: Quat, v: Vec3) -> Vec3 {
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, [0, 1, 2].map(|i| once[i] + w * v[i]));
    [0, 1, 2].map(|i| v[i] + 2.0 * twice[i])
}

/// The vertex by linear blending of these matrices.
fn linear(matrices: &[Matrix], slots: &[(usize, f32)], cofactors: bool, rest: Frame) -> Frame {
    let mut rows = [[0.0f32; 4]; 3];
    for (joint, weight) in slots {
        for (row, sum) in rows.iter_mut().enumerate() {
            for (sum, number) in sum.iter_mut().zip(matrices[*joint][row]) {
                *sum += weight * number as f32;
            }
        }
    }
    let [p, n] = [rest.position, rest.normal];
    let [a, b, c] = rows.map(|[x, y, z, _]| [x, y, z]);
    let [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
    let sign = if dot(a, bc) < 0.0 { -1.0 } else { 1.0 };
    let turned = match cofactors {
        true => [bc, ca, ab].map(|row| sign * dot(row, n)),
        false => [a, b, c].map(|row| dot(row, n)),
    };
    Frame {
        position: rows.map(|row| dot(row, [p[0], p[1], p[2], 1.0])),
        normal: unit_or(turned, n),
    }
}

/// Returns the addition to the dual part of a joint: `q` is its rotation, and the blended dual quaternion is applied to `base`.
fn carried(skin: &Skin, joint: usize, q: Quat, rest: Vec3, base: Vec3) -> Quat {
    let Some(first) = &skin.first_stage else {
        return [0.0; 4];
    };
    let [x, y, z] = rest;
    let image = first[joint].map(|row| dot(row.map(|number| number as f32), [x, y, z, 1.0]));
    let u = [0, 1, 2].map(|i| image[i] - base[i]);
    let axis = [q[1], q[2], q[3]];
    let across = cross(axis, u);
    let vector = [0, 1, 2].map(|i| q[0] * u[i] + across[i]);
    [-dot(axis, u), vector[0], vector[1], vector[2]].map(|part| 0.5 * part)
}

/// The vertex by the blended dual quaternion.
fn dual(
    skin: &Skin,
    reference: usize,
    slots: &[(usize, f32)],
    at_rest: Vec3,
    rest: Frame,
) -> Frame {
    let duals = skin.dual_quaternions.as_ref().unwrap();
    let single = |part: [f64; 4]| part.map(|number| number as f32);
    let reference = single(duals[reference].real);
    let (mut real, mut dual) = ([0.0f32; 4], [0.0f32; 4]);
    for (joint, weight) in slots {
        let (of_joint, of_dual) = (single(duals[*joint].real), single(duals[*joint].dual));
        let weight = if dot(of_joint, reference) < 0.0 {
            -weight
        } else {
            *weight
        };
        let carried = carried(skin, *joint, of_joint, at_rest, rest.position);
        for part in 0..4 {
            real[part] += weight * of_joint[part];
            dual[part] += weight * (of_dual[part] + carried[part]);
        }
    }
    let length = dot(real, real).sqrt();
    let r = real.map(|part| part / length);
    let s = dual.map(|part| part / length);
    let k = dot(r, s);
    let d: Quat = std::array::from_fn(|part| s[part] - k * r[part]);
    let (rv, dv) = ([r[1], r[2], r[3]], [d[1], d[2], d[3]]);
    let across = cross(dv, rv);
    let moved = [0, 1, 2].map(|i| 2.0 * (r[0] * dv[i] - d[0] * rv[i] - across[i]));
    let position = turned(r, rest.position);
    Frame {
        position: [0, 1, 2].map(|i| position[i] + moved[i]),
        normal: unit_or(turned(r, rest.normal), rest.normal),
    }
}

/// The joints and weights of a vertex.
fn slots(mesh: &Mesh, vertex: usize) -> Vec<(usize, f32)> {
    let sets = vertex * mesh.sets..(vertex + 1) * mesh.sets;
    let joints = mesh.joints[sets.clone()].as_flattened().iter();
    let weights = mesh.weights[sets].as_flattened().iter();
    let slots = joints.zip(weights);
    slots
        .map(|(joint, weight)| (usize::from(*joint), *weight as f32))
        .collect()
}

/// The vertex of a mesh of a palette as the shader poses it.
pub fn posed(palette: &Palette, mesh: usize, vertex: usize, by_dual: bool, rest: Frame) -> Frame {
    let mesh = &palette.meshes[mesh];
    let skin = &palette.skins[mesh.skin];
    let slots = slots(mesh, vertex);
    if !by_dual {
        let cofactors = skin.normals == Normals::Cofactors;
        return linear(&skin.matrices, &slots, cofactors, rest);
    }
    let at_rest = rest.position;
    let rest = match &skin.first_stage {
        Some(first) => linear(first, &slots, true, rest),
        None => rest,
    };
    let reference = usize::from(mesh.references[vertex]);
    dual(skin, reference, &slots, at_rest, rest)
}
