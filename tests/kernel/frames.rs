//! Frames of glTF vertices on every instruction set against a plain evaluation of `bake.md` §4 and §5, by bits.

use proptest::prelude::*;
use rigy_batch::kernel::math::Quat;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{
    BLOCK, FrameJob, FramePalette, Frames, Influences, ReferenceRule, SLOTS, evaluate_frames,
};

type Vec3 = [f64; 3];
type Affine = [[f64; 4]; 3];

/// Position, normal and tangent; slots.
type Vertex = ([Vec3; 3], Vec<(u16, f64)>);

#[derive(Clone, Debug)]
struct Case {
    /// By joint: a matrix, a rotation of unit length as w x y z, a translation.
    joints: Vec<(Affine, [f64; 4], Vec3)>,
    vertices: Vec<Vertex>,
}

/// An evaluated vertex: position, normal, tangent, and the sign of the handedness.
type Posed = ([Vec3; 3], f64);

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

fn unit(v: Vec3, rest: Vec3) -> Vec3 {
    let length = dot(&v, &v).sqrt();
    if length > 1e-12 {
        v.map(|c| c / length)
    } else {
        rest
    }
}

fn positive(slots: &[(u16, f64)]) -> impl Iterator<Item = (usize, f64)> {
    let positive = slots.iter().filter(|(_, weight)| *weight > 0.0);
    positive.map(|(joint, weight)| (usize::from(*joint), *weight))
}

fn linear(case: &Case, slots: &[(u16, f64)], [p, n, t]: [Vec3; 3]) -> Posed {
    let mut position = [0.0; 3];
    let mut a = [[0.0; 3]; 3];
    for (joint, weight) in positive(slots) {
        let matrix = &case.joints[joint].0;
        for row in 0..3 {
            position[row] += weight * dot(&matrix[row], &[p[0], p[1], p[2], 1.0]);
            for column in 0..3 {
                a[row][column] += weight * matrix[row][column];
            }
        }
    }
    let at = |row: usize, column: usize| a[row % 3][column % 3];
    let cofactor = |i: usize, j: usize| {
        at(i + 1, j + 1) * at(i + 2, j + 2) - at(i + 1, j + 2) * at(i + 2, j + 1)
    };
    let cofactors = [0, 1, 2].map(|i| [0, 1, 2].map(|j| cofactor(i, j)));
    let sign = if dot(&a[0], &cofactors[0]) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let normal = cofactors.map(|row| dot(&row, &n) * sign);
    let tangent = a.map(|row| dot(&row, &t));
    ([position, unit(normal, n), unit(tangent, t)], sign)
}

/// All four components, left to right.
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([aw, ax, ay, az], [bw, bx, by, bz]) = (a, b);
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

fn conjugate([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [w, -x, -y, -z]
}

fn rotate(q: [f64; 4], [x, y, z]: Vec3) -> Vec3 {
    let [_, x, y, z] = product(product(q, [0.0, x, y, z]), conjugate(q));
    [x, y, z]
}

fn rigid(case: &Case, slots: &[(u16, f64)], [p, n, t]: [Vec3; 3]) -> [Vec3; 3] {
    let largest = positive(slots).fold(0.0f64, |most, (_, weight)| most.max(weight));
    let mut largest = positive(slots).filter(|(_, weight)| *weight == largest);
    let reference = case.joints[largest.next().unwrap().0].1;
    let (mut real, mut dual) = ([0.0; 4], [0.0; 4]);
    for (joint, weight) in positive(slots) {
        let (_, q, [x, y, z]) = case.joints[joint];
        let d = product([0.0, x, y, z], q).map(|c| 0.5 * c);
        let negate = dot(&q, &reference) < 0.0;
        for part in 0..4 {
            let signed = |c: f64| if negate { -c } else { c };
            real[part] += weight * signed(q[part]);
            dual[part] += weight * signed(d[part]);
        }
    }
    let rn = 1.0 / dot(&real, &real).sqrt();
    let (r, s) = (real.map(|c| c * rn), dual.map(|c| c * rn));
    let k = dot(&r, &s);
    let d: [f64; 4] = std::array::from_fn(|part| s[part] - k * r[part]);
    let [_, x, y, z] = product(d, conjugate(r)).map(|c| 2.0 * c);
    let [px, py, pz] = rotate(r, p);
    [
        [px + x, py + y, pz + z],
        unit(rotate(r, n), n),
        unit(rotate(r, t), t),
    ]
}

fn expected(case: &Case, solver: usize) -> Vec<Posed> {
    let posed = case.vertices.iter().map(|(frame, slots)| match solver {
        0 => linear(case, slots, *frame),
        1 => (rigid(case, slots, *frame), 1.0),
        _ => {
            let (first, sign) = linear(case, slots, *frame);
            (rigid(case, slots, first), sign)
        }
    });
    posed.collect()
}

fn palette(case: &Case, solver: usize) -> FramePalette {
    let matrices = case.joints.iter().map(|joint| joint.0);
    let rigid = case
        .joints
        .iter()
        .map(|joint| (Quat::from_wxyz(joint.1), joint.2));
    match solver {
        0 => FramePalette::linear(matrices),
        1 => FramePalette::rigid(rigid),
        _ => FramePalette::scaled(matrices, rigid),
    }
}

/// Plane of a component of the vertices, filled up to whole blocks.
fn plane(case: &Case, vector: usize, axis: usize) -> Vec<f64> {
    let mut plane: Vec<f64> = case.vertices.iter().map(|v| v.0[vector][axis]).collect();
    let last = plane.last().copied().unwrap_or(0.0);
    plane.resize(plane.len().next_multiple_of(BLOCK), last);
    plane
}

fn bits(values: impl IntoIterator<Item = f32>) -> Vec<u32> {
    values
        .into_iter()
        .map(|v| if v.is_nan() { u32::MAX } else { v.to_bits() })
        .collect()
}

fn check(case: &Case, directions: bool) -> Result<(), TestCaseError> {
    let sets = case.vertices.first().map_or(1, |v| v.1.len() / SLOTS);
    let slots: Vec<_> = case.vertices.iter().flat_map(|v| v.1.clone()).collect();
    let influences = Influences::bind_each(ReferenceRule::LargestWeight, sets, &slots);
    let planes: Vec<Vec<f64>> = (0..9).map(|i| plane(case, i / 3, i % 3)).collect();
    let vector = |i: usize| [&*planes[i], &planes[i + 1], &planes[i + 2]];
    let count = case.vertices.len();
    let padded = count.next_multiple_of(BLOCK);
    for solver in 0..3 {
        let palette = palette(case, solver);
        let job = FrameJob {
            palette: &palette,
            influences: &influences,
            positions: vector(0),
            normals: directions.then(|| vector(3)),
            tangents: directions.then(|| vector(6)),
        };
        let expected = expected(case, solver);
        let single = |i: usize| bits(expected.iter().flat_map(|v| v.0[i].map(|c| c as f32)));
        for isa in Isa::available() {
            let len = if directions { 3 * padded } else { 0 };
            let (mut p, mut n, mut t) = (vec![0.0; 3 * padded], vec![0.0; len], vec![0.0; len]);
            let mut signs = vec![0.0; padded];
            let to = Frames {
                positions: &mut p,
                normals: &mut n,
                tangents: &mut t,
                signs: &mut signs,
            };
            evaluate_frames(isa, &job, to);
            p.truncate(3 * count);
            prop_assert_eq!(bits(p), single(0), "positions, {}, solver {}", isa, solver);
            if directions {
                n.truncate(3 * count);
                t.truncate(3 * count);
                prop_assert_eq!(bits(n), single(1), "normals, {}, solver {}", isa, solver);
                prop_assert_eq!(bits(t), single(2), "tangents, {}, solver {}", isa, solver);
            }
            let mirrored: Vec<f64> = expected.iter().map(|v| v.1).collect();
            prop_assert_eq!(
                &signs[..count],
                &mirrored[..],
                "signs, {}, solver {}",
                isa,
                solver
            );
        }
    }
    Ok(())
}

fn number() -> impl Strategy<Value = f64> {
    let edges = vec![0.0, -0.0, 1.0, -1.0, 0.5, 1e-13, 5e-324, 1e-300, 1e6];
    prop_oneof![prop::sample::select(edges), -3.0..3.0f64]
}

fn vector() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()]
}

fn joint() -> impl Strategy<Value = (Affine, [f64; 4], Vec3)> {
    let row = || [number(), number(), number(), number()];
    let exact = vec![
        [1.0, 0.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0, 0.0],
        [0.5, -0.5, 0.5, 0.5],
        [0.0, 1.0, 0.0, 0.0],
        [0.6, 0.0, -0.8, 0.0],
    ];
    ([row(), row(), row()], prop::sample::select(exact), vector())
}

fn case() -> impl Strategy<Value = Case> {
    (prop::collection::vec(joint(), 1..5), 0..20usize, 1..=3usize).prop_flat_map(
        |(joints, count, sets)| {
            let joint = 0..joints.len() as u16;
            let weight = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64];
            let slots = prop::collection::vec((joint, weight), sets * SLOTS);
            let slots = (slots, 0..sets * SLOTS).prop_map(|(mut slots, sure)| {
                slots[sure].1 = 0.5;
                slots
            });
            let vertex = ([vector(), vector(), vector()], slots);
            prop::collection::vec(vertex, count..=count).prop_map(move |vertices| Case {
                joints: joints.clone(),
                vertices,
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn every_instruction_set_gives_the_same_frames(case in case(), directions in any::<bool>()) {
        check(&case, directions)?;
    }
}
