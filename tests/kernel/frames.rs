//! Frames of glTF vertices on every instruction set against the oracle of bakes (`bake.md` §4 and §5), by bits.

use proptest::prelude::*;
use rigy_batch::kernel::math::Quat;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{
    BLOCK, FrameJob, FramePalette, Frames, Influences, ReferenceRule, SLOTS, evaluate_frames,
};

use crate::bake::oracle::{Frame, Slots, blended, dual, in_place, moved};
use crate::support::chance::cases;

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

fn expected(case: &Case, solver: usize) -> Vec<Frame> {
    let rigid: Vec<_> = case.joints.iter().map(|joint| (joint.1, joint.2)).collect();
    let first: Vec<_> = case.joints.iter().map(|joint| joint.0).collect();
    let linear = |slots: &Slots, rest| blended(slots, |joint| first[joint], rest);
    let by_duals = |slots: &Slots, rest| moved(slots, |joint| dual(rigid[joint]), rest);
    let posed = case.vertices.iter().map(|([p, n, t], slots)| {
        let positive = slots.iter().filter(|(_, weight)| *weight > 0.0);
        let slots: Slots = positive
            .map(|(joint, weight)| (usize::from(*joint), *weight))
            .collect();
        let (p, n, t) = (*p, *n, *t);
        let rest = Frame { p, n, t, w: 1.0 };
        match solver {
            0 => linear(&slots, rest),
            1 => by_duals(&slots, rest),
            2 => in_place(&slots, &first, &rigid, rest),
            _ => by_duals(&slots, linear(&slots, rest)),
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
        2 => FramePalette::scaled(&Vec::from_iter(matrices), &Vec::from_iter(rigid)),
        _ => FramePalette::two_stage(&Vec::from_iter(matrices), &Vec::from_iter(rigid)),
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
    for solver in 0..4 {
        let palette = palette(case, solver);
        let job = FrameJob {
            palette: &palette,
            influences: &influences,
            positions: vector(0),
            normals: directions.then(|| vector(3)),
            tangents: directions.then(|| vector(6)),
        };
        let expected = expected(case, solver);
        let single =
            |of: fn(&Frame) -> Vec3| bits(expected.iter().flat_map(|v| of(v).map(|c| c as f32)));
        for isa in Isa::available() {
            let len = if directions { 3 * padded } else { 0 };
            let (mut p, mut n, mut t) = (vec![0.0; 3 * padded], vec![0.0; len], vec![0.0; len]);
            let mut signs = vec![0.0; if directions { padded } else { 0 }];
            let to = Frames {
                positions: &mut p,
                normals: &mut n,
                tangents: &mut t,
                signs: &mut signs,
            };
            evaluate_frames(isa, &job, to);
            p.truncate(3 * count);
            prop_assert_eq!(
                bits(p),
                single(|v| v.p),
                "positions, {}, solver {}",
                isa,
                solver
            );
            if directions {
                n.truncate(3 * count);
                t.truncate(3 * count);
                prop_assert_eq!(
                    bits(n),
                    single(|v| v.n),
                    "normals, {}, solver {}",
                    isa,
                    solver
                );
                prop_assert_eq!(
                    bits(t),
                    single(|v| v.t),
                    "tangents, {}, solver {}",
                    isa,
                    solver
                );
                let mirrored: Vec<f64> = expected.iter().map(|v| v.w).collect();
                prop_assert_eq!(
                    &signs[..count],
                    &mirrored[..],
                    "signs, {}, solver {}",
                    isa,
                    solver
                );
            }
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(300, 1_000) as u32) })]

    #[test]
    fn every_instruction_set_gives_the_same_frames(case in case(), directions in any::<bool>()) {
        check(&case, directions)?;
    }
}
