//! Every instruction set against the oracle, by bits: random data, and the edge set that random data misses.

#[path = "oracle/mod.rs"]
mod oracle;

use oracle::solvers::{Bone, dqs_vertex, lbs_vertex};
use proptest::prelude::*;
use rigy_batch::kernel::{BLOCK, Influences, JointPose, Palette, evaluate};
use rigy_batch::kernel::{Job, SLOTS};
use rigy_batch::math::Quat;
use rigy_batch::scene::Geometry;
use rigy_batch::simd::Isa;

type Slots = [(u16, f64); SLOTS];

#[derive(Clone, Debug)]
struct Case {
    bones: Vec<Bone>,
    vertices: Vec<([f64; 3], [f64; 3], Slots)>,
}

/// Numbers at which rounding, underflow and signs of zero show.
const EDGES: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    5e-324,
    -5e-324,
    1e-300,
    2.2250738585072014e-308,
    1e-40,
    std::f64::consts::FRAC_1_SQRT_2,
    1e6,
    0.1,
];

fn edge() -> impl Strategy<Value = f64> {
    prop::sample::select(EDGES.to_vec())
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![edge(), -10.0..10.0f64]
}

/// Identity, quarter and half turns of both signs, orthogonal and antipodal pairs, and anything of unit length.
fn rotation() -> impl Strategy<Value = [f64; 4]> {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let exact = vec![
        [1.0, 0.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0, 0.0],
        [1.0, -0.0, -0.0, -0.0],
        [s, s, 0.0, 0.0],
        [-s, -s, 0.0, 0.0],
        [s, 0.0, s, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, -1.0],
        [0.5, 0.5, -0.5, 0.5],
        [-0.5, 0.5, 0.5, 0.5],
        [1.0, 5e-324, 0.0, -1e-300],
    ];
    let any = [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, -1.0..1.0].prop_filter_map("unit", |q| {
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        (norm > 1e-3).then(|| q.map(|c| c / norm))
    });
    prop_oneof![prop::sample::select(exact), any]
}

fn bone() -> impl Strategy<Value = Bone> {
    let vector = || [coordinate(), coordinate(), coordinate()];
    (vector(), rotation(), vector()).prop_map(|(head, rotation, translation)| Bone {
        head,
        rotation,
        translation,
    })
}

/// Weights with zeros in any slot, at least one of them positive.
fn slots(joint_count: usize) -> impl Strategy<Value = Slots> {
    let joint = || 0..u16::try_from(joint_count).unwrap();
    let weight = || prop_oneof![Just(0.0), Just(1.0), Just(0.5), Just(1e-300), 0.0..1.0f64];
    let slot = || (joint(), weight());
    ([slot(), slot(), slot(), slot()], 0..SLOTS, 0.1..1.0f64).prop_map(
        |(mut slots, sure, weight)| {
            slots[sure].1 = weight;
            slots
        },
    )
}

/// Lengths from nothing to three blocks, above all around their edges.
fn length() -> impl Strategy<Value = usize> {
    let near = [
        0,
        1,
        2,
        7,
        8,
        9,
        BLOCK - 1,
        BLOCK,
        BLOCK + 1,
        2 * BLOCK,
        3 * BLOCK - 1,
        3 * BLOCK,
    ];
    prop_oneof![prop::sample::select(near.to_vec()), 0..=3 * BLOCK]
}

fn case() -> impl Strategy<Value = Case> {
    let bones = prop::collection::vec(bone(), 1..6);
    (bones, length()).prop_flat_map(|(bones, length)| {
        let vector = || [coordinate(), coordinate(), coordinate()];
        let vertex = (vector(), vector(), slots(bones.len()));
        let vertices = prop::collection::vec(vertex, length..=length);
        vertices.prop_map(move |vertices| Case {
            bones: bones.clone(),
            vertices,
        })
    })
}

fn geometry(case: &Case) -> Geometry {
    let mut geometry = Geometry::default();
    for (position, normal, _) in &case.vertices {
        geometry.positions.push(*position);
        geometry.normals.push(*normal);
    }
    geometry
}

fn palettes(bones: &[Bone]) -> (Palette, Palette) {
    let joints = || {
        bones.iter().map(|bone| {
            let rotation = Quat::from_wxyz(bone.rotation);
            let translation = bone.translation;
            (
                JointPose {
                    rotation,
                    translation,
                },
                bone.head.map(|c| -c),
            )
        })
    };
    let matrices = joints().map(|(pose, bind)| (pose.matrix(), bind));
    (Palette::linear(matrices), Palette::dual(joints()))
}

/// Bits of f32 results; every not-a-number counts as one, whose payload no contract fixes.
fn bits(values: impl IntoIterator<Item = f32>) -> Vec<u32> {
    let canonical = |v: f32| {
        if v.is_nan() {
            f32::NAN.to_bits()
        } else {
            v.to_bits()
        }
    };
    values.into_iter().map(canonical).collect()
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let rest = geometry(case).rest();
    let slots: Vec<Slots> = case.vertices.iter().map(|v| v.2).collect();
    let influences = Influences::bind(&slots);
    let (linear, dual) = palettes(&case.bones);
    for (palette, is_dual) in [(&linear, false), (&dual, true)] {
        let expected: Vec<_> = case
            .vertices
            .iter()
            .map(|(p, n, slots)| {
                let listed: Vec<(usize, f64)> =
                    slots.iter().map(|s| (usize::from(s.0), s.1)).collect();
                let vertex = if is_dual { dqs_vertex } else { lbs_vertex };
                vertex(&case.bones, &listed, *p, *n)
            })
            .collect();
        let single = |v: &[f64; 3]| v.map(|c| c as f32);
        let positions = bits(expected.iter().flat_map(|v| single(&v.0)));
        let normals = bits(expected.iter().flat_map(|v| single(&v.1)));
        for isa in Isa::available() {
            let job = Job {
                palette,
                influences: &influences,
                rest: &rest,
            };
            let count = case.vertices.len();
            // Whole, and cut at a place that is no multiple of anything.
            for cut in [count, count / 3] {
                let mut p = vec![0.0; 3 * count];
                let mut n = vec![0.0; 3 * count];
                let (p0, p1) = p.split_at_mut(3 * cut);
                let (n0, n1) = n.split_at_mut(3 * cut);
                evaluate(isa, &job, 0..cut, p0, n0);
                evaluate(isa, &job, cut..count, p1, n1);
                prop_assert_eq!(&bits(p), &positions, "positions, {}, dual {}", isa, is_dual);
                prop_assert_eq!(&bits(n), &normals, "normals, {}, dual {}", isa, is_dual);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn every_instruction_set_gives_the_oracles_bits(case in case()) {
        check(&case)?;
    }
}

#[test]
fn palettes_beyond_the_sign_table_give_the_same_bits() {
    let mut state = 7u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let bones: Vec<Bone> = (0..300)
        .map(|_| {
            let q = [next(), next(), next(), next()];
            let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            Bone {
                head: [next(), next(), next()],
                rotation: q.map(|c| c / norm),
                translation: [next(), next(), next()],
            }
        })
        .collect();
    let vertices = (0..200)
        .map(|i: u16| {
            let slots = [0, 71, 142, 213].map(|step: u16| ((i + step) % 300, 0.25));
            ([next(), next(), next()], [next(), next(), next()], slots)
        })
        .collect();
    check(&Case { bones, vertices }).unwrap();
}
