//! Every instruction set against the oracle, by bits: random data, and the edge set that random data misses;
//! vertices that share influences and vertices that do not, in one, two and three sets; f64 and f32 vertices.

#[path = "oracle/mod.rs"]
mod oracle;

use oracle::solvers::{Bone, dqs_vertex, lbs_vertex};
use proptest::prelude::*;
use rigy_batch::kernel::math::Quat;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{BLOCK, Influences, Job, JointPose, Palette, Rest, SLOTS, evaluate};

/// The slots of a vertex: one, two or three sets of four.
type Slots = Vec<(u16, f64)>;
/// Position, normal, slots.
type Vertex = ([f64; 3], [f64; 3], Slots);

#[derive(Clone, Debug)]
struct Case {
    bones: Vec<Bone>,
    vertices: Vec<Vertex>,
}

/// Vertices of a proptest case: more lists than the kernel blends together, where none are shared.
const MOST: usize = 6 * BLOCK;

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
fn slots(joint_count: usize, sets: usize) -> impl Strategy<Value = Slots> {
    let joint = 0..u16::try_from(joint_count).unwrap();
    let none = prop_oneof![Just(0.0), Just(-0.0), Just(-0.5)];
    let weight = prop_oneof![none, Just(1.0), Just(0.5), Just(1e-300), 0.0..1.0f64];
    let slots = prop::collection::vec((joint, weight), sets * SLOTS);
    (slots, 0..sets * SLOTS, 0.1..1.0f64).prop_map(|(mut slots, sure, weight)| {
        slots[sure].1 = weight;
        slots
    })
}

/// Lengths from nothing to several blocks, above all around their edges.
fn length() -> impl Strategy<Value = usize> {
    let near = [0, 1, 2, 7, 8, 9, 31, 32, 33, MOST - 1, MOST];
    prop_oneof![prop::sample::select(near.to_vec()), 0..=MOST]
}

/// How many vertices in a row share their influences: none, a few, or enough to fill blocks.
fn run() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), 1..4usize, 1..40usize]
}

fn case() -> impl Strategy<Value = Case> {
    let bones = prop::collection::vec(bone(), 1..6);
    (bones, length(), 1..=3usize).prop_flat_map(|(bones, length, sets)| {
        let vector = || [coordinate(), coordinate(), coordinate()];
        let vertices = prop::collection::vec((vector(), vector()), length..=length);
        let runs = prop::collection::vec((run(), slots(bones.len(), sets)), length.max(1));
        (vertices, runs).prop_map(move |(vertices, runs)| {
            let lists = runs
                .into_iter()
                .flat_map(|(run, slots)| std::iter::repeat_n(slots, run));
            let vertices = vertices.into_iter().zip(lists);
            Case {
                bones: bones.clone(),
                vertices: vertices.map(|((p, n), slots)| (p, n, slots)).collect(),
            }
        })
    })
}

/// The influences of a case, bound in every way there is.
fn influences(case: &Case) -> Vec<Influences> {
    let sets = case.vertices.first().map_or(1, |v| v.2.len() / SLOTS);
    let slots: Vec<_> = case.vertices.iter().flat_map(|v| v.2.clone()).collect();
    let mut bound = vec![
        Influences::bind(sets, &slots),
        Influences::bind_each(sets, &slots),
    ];
    if sets == 1 {
        let runs: Vec<(&[(u16, f64); SLOTS], usize)> = slots
            .as_chunks()
            .0
            .chunk_by(|a, b| a == b)
            .map(|run| (&run[0], run.len()))
            .collect();
        bound.push(Influences::of_runs(runs.into_iter()));
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn every_instruction_set_gives_the_oracles_bits(case in case()) {
        check(&case)?;
    }
}

/// Numbers between -0.5 and 0.5.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    /// At least 0, below `end`.
    fn below(&mut self, end: usize) -> usize {
        ((self.next() + 0.5) * end as f64) as usize
    }

    fn vector(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    fn bone(&mut self) -> Bone {
        let q = [self.next(), self.next(), self.next(), self.next()];
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        Bone {
            head: self.vector(),
            rotation: q.map(|c| c / norm),
            translation: self.vector(),
        }
    }

    /// A mesh of `count` vertices, of which up to `longest_run` in a row share their influences.
    fn case(&mut self, joints: usize, sets: usize, count: usize, longest_run: usize) -> Case {
        let mut vertices: Vec<Vertex> = Vec::new();
        while vertices.len() < count {
            let mut slot = |index: usize| {
                let weight = self.next() + if index == 0 { 0.5 } else { 0.25 };
                (
                    self.below(joints) as u16,
                    weight.max(0.0) + f64::from(index == 0),
                )
            };
            let slots: Slots = (0..sets * SLOTS).map(&mut slot).collect();
            let run = (1 + self.below(longest_run)).min(count - vertices.len());
            vertices.extend((0..run).map(|_| (self.vector(), self.vector(), slots.clone())));
        }
        Case {
            bones: (0..joints).map(|_| self.bone()).collect(),
            vertices,
        }
    }
}

/// Joints in one word of signs, in several, and too many for a table of signs; lists that are shared and lists that
/// are not, over the borders of what is blended together.
#[test]
fn palettes_and_meshes_of_any_size_give_the_same_bits() {
    let mut random = Random(7);
    for joints in [1, 2, 63, 64, 65, 128, 129, 256, 257, 300] {
        for longest_run in [1, 4, 60] {
            for sets in 1..=4 {
                let count = 100 + random.below(600);
                check(&random.case(joints, sets, count, longest_run)).unwrap();
            }
        }
    }
}

/// A slot of weight zero is never multiplied by what its joint would make of the vertex: that may be infinite.
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

/// Large meshes are asked for ahead of time, up to their very end.
#[test]
fn large_meshes_give_the_same_bits() {
    let bone = |w: f64, y: f64| Bone {
        head: [0.5, 0.0, -0.25],
        rotation: [w, 0.0, y, 0.0],
        translation: [w, 1.0, 0.0],
    };
    for run in [1, 3, 1_000] {
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
