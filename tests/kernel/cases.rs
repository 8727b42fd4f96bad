//! Bones and vertices to evaluate: strategies of proptest, and random meshes of a given size.

use proptest::prelude::*;
use rigy_batch::kernel::random::Random;
use rigy_batch::kernel::{BLOCK, SLOTS};

use crate::oracle::solvers::Bone;

/// The slots of a vertex: one, two or three sets of four.
pub type Slots = Vec<(u16, f64)>;

/// Position, normal, slots.
pub type Vertex = ([f64; 3], [f64; 3], Slots);

#[derive(Clone, Debug)]
pub struct Case {
    pub bones: Vec<Bone>,
    pub vertices: Vec<Vertex>,
}

/// Vertices of a proptest case: more lists than the kernel blends together, where none are shared.
const MOST: usize = 6 * BLOCK;

/// Numbers at which rounding, underflow and signs of zero show.
#[rustfmt::skip] // several in a line
const EDGES: [f64; 14] = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 5e-324, -5e-324, 1e-300, 2.2250738585072014e-308, 1e-40,
    std::f64::consts::FRAC_1_SQRT_2, 1e6, 0.1,
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

/// Number of vertices in a row that share their influences: one, a few, or enough to fill blocks.
fn run() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), 1..4usize, 1..40usize]
}

pub fn case() -> impl Strategy<Value = Case> {
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

fn number(random: &mut Random) -> f64 {
    random.unit() - 0.5
}

fn vector(random: &mut Random) -> [f64; 3] {
    [(); 3].map(|()| number(random))
}

fn random_bone(random: &mut Random) -> Bone {
    let q = [(); 4].map(|()| number(random));
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    Bone {
        head: vector(random),
        rotation: q.map(|c| c / norm),
        translation: vector(random),
    }
}

/// A mesh of `count` vertices, of which up to `longest_run` in a row share their influences.
pub fn random_case(
    random: &mut Random,
    joints: usize,
    sets: usize,
    count: usize,
    longest_run: usize,
) -> Case {
    let mut vertices: Vec<Vertex> = Vec::new();
    while vertices.len() < count {
        let mut slot = |index: usize| {
            let weight = number(random) + if index == 0 { 0.5 } else { 0.25 };
            (
                random.below(joints) as u16,
                weight.max(0.0) + f64::from(index == 0),
            )
        };
        let slots: Slots = (0..sets * SLOTS).map(&mut slot).collect();
        let run = (1 + random.below(longest_run)).min(count - vertices.len());
        vertices.extend((0..run).map(|_| (vector(random), vector(random), slots.clone())));
    }
    Case {
        bones: (0..joints).map(|_| random_bone(random)).collect(),
        vertices,
    }
}
