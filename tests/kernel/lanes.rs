//! Every instruction set against the oracle, by bits: random data, and the edge set that random data misses;
//! vertices that share influences and vertices that do not, in one, two and three sets; f64 and f32 vertices.

use proptest::prelude::*;
use rigy_batch::kernel::ReferenceRule::LowestJoint;
use rigy_batch::kernel::math::Quat;
use rigy_batch::kernel::random::Random;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{BLOCK, Influences, Job, JointPose, Palette, Rest, SLOTS, evaluate};

use super::cases::{Case, Vertex, case, random_case};
use crate::oracle::solvers::{Bone, dqs_vertex, lbs_vertex};
use crate::support::chance::cases;

/// The influences of a case, bound in every way there is.
fn influences(case: &Case) -> Vec<Influences> {
    let sets = case.vertices.first().map_or(1, |v| v.2.len() / SLOTS);
    let slots: Vec<_> = case.vertices.iter().flat_map(|v| v.2.clone()).collect();
    let mut bound = vec![
        Influences::bind(LowestJoint, sets, &slots),
        Influences::bind_each(LowestJoint, sets, &slots),
    ];
    if sets == 1 {
        let runs: Vec<(&[(u16, f64); SLOTS], usize)> = slots
            .as_chunks()
            .0
            .chunk_by(|a, b| a == b)
            .map(|run| (&run[0], run.len()))
            .collect();
        bound.push(Influences::of_runs(LowestJoint, runs.into_iter()));
    }
    bound
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

/// Bits of f32 results; all NaNs count as one, because no contract fixes their payload.
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
    let plane = |of: fn(&Vertex) -> f64| -> Vec<f64> { case.vertices.iter().map(of).collect() };
    let [x, y, z] = [plane(|v| v.0[0]), plane(|v| v.0[1]), plane(|v| v.0[2])];
    let [nx, ny, nz] = [plane(|v| v.1[0]), plane(|v| v.1[1]), plane(|v| v.1[2])];
    against_the_oracle(case, &Rest::double([&x, &y, &z, &nx, &ny, &nz]), |v| v)?;
    let single = |v: [f64; 3]| v.map(|c| c as f32);
    let vertices = case.vertices.iter().map(|v| (single(v.0), single(v.1)));
    against_the_oracle(case, &Rest::single(vertices), |v| single(v).map(f64::from))
}

/// `rest` holds the vertices of the case as `stored` has them.
fn against_the_oracle(
    case: &Case,
    rest: &Rest,
    stored: impl Fn([f64; 3]) -> [f64; 3],
) -> Result<(), TestCaseError> {
    let bound = influences(case);
    let (linear, dual) = palettes(&case.bones);
    for (palette, is_dual) in [(&linear, false), (&dual, true)] {
        let posed = case.vertices.iter().map(|(p, n, slots)| {
            let slots: Vec<_> = slots.iter().map(|s| (usize::from(s.0), s.1)).collect();
            let vertex = if is_dual { dqs_vertex } else { lbs_vertex };
            vertex(&case.bones, &slots, stored(*p), stored(*n))
        });
        let expected: Vec<_> = posed.collect();
        let single = |v: &[f64; 3]| v.map(|c| c as f32);
        let positions = bits(expected.iter().flat_map(|v| single(&v.0)));
        let normals = bits(expected.iter().flat_map(|v| single(&v.1)));
        let ways = bound
            .iter()
            .flat_map(|b| Isa::available().into_iter().map(move |isa| (b, isa)));
        for (influences, isa) in ways {
            let job = Job {
                palette,
                influences,
                rest,
            };
            let count = case.vertices.len();
            // Whole, and cut where blocks end and where they do not: the second piece begins in the middle.
            for cut in [count, count / 3, count / 2 / BLOCK * BLOCK] {
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(300, 2_000) as u32) })]

    #[test]
    fn every_instruction_set_gives_the_oracles_bits(case in case()) {
        check(&case)?;
    }
}

/// Joints in one word of signs, in several, and too many for a table of signs; lists that are shared and lists that
/// are not, across the borders of blocks that are blended together.
#[test]
fn palettes_and_meshes_of_any_size_give_the_same_bits() {
    let mut random = Random::new(7);
    for joints in [1, 2, 63, 64, 65, 128, 129, 256, 257, 300] {
        for longest_run in &[4, 60, 1][..cases(1, 3)] {
            for sets in 1..=4 {
                let count = 100 + random.below(cases(100, 600));
                check(&random_case(&mut random, joints, sets, count, *longest_run)).unwrap();
            }
        }
    }
}

/// A slot of weight zero is never multiplied by the image of the vertex under its joint, which may be infinite.
#[test]
fn slots_of_weight_zero_do_not_matter_whatever_joint_they_name() {
    let far = [1.3e308, 1.3e308, 0.0];
    let bone = |rotation| Bone {
        head: [0.0; 3],
        rotation,
        translation: [0.0; 3],
    };
    let bones = vec![
        bone([1.0, 0.0, 0.0, 0.0]),
        bone([0.9238795325112867, 0.0, 0.0, 0.3826834323650898]),
    ];
    for zero in 0..SLOTS {
        for step in [0.0, 1.0 / 64.0] {
            let vertex = |index: u8| {
                let mut slots = vec![(0, 0.25 + f64::from(index) * step); SLOTS];
                slots[zero] = (1, 0.0);
                (far, far, slots)
            };
            let (bones, vertices) = (bones.clone(), (0..9).map(vertex).collect());
            check(&Case { bones, vertices }).unwrap();
        }
    }
}

/// The kernel prefetches large meshes, up to their very end.
#[test]
fn large_meshes_give_the_same_bits() {
    let bone = |w: f64, y: f64| Bone {
        head: [0.5, 0.0, -0.25],
        rotation: [w, 0.0, y, 0.0],
        translation: [w, 1.0, 0.0],
    };
    for run in &[3, 1, 1_000][..cases(1, 3)] {
        let vertices = (0..20_011u32)
            .map(|i| {
                let c = f64::from(i) * 1e-3;
                let weight = f64::from(i / run % 997) / 997.0;
                let slots = vec![(0, 1.0 - weight), (1, weight), (0, 0.0), (0, 0.0)];
                ([c, 1.0 - c, 0.5], [0.6 - c, 0.8, c], slots)
            })
            .collect();
        let bones = vec![bone(0.6, 0.8), bone(-0.28, 0.96)];
        check(&Case { bones, vertices }).unwrap();
    }
}
