//! Workloads, which are the same in every run.

use crate::math::{Quat, Vec3};
use crate::random::Random;
use crate::{Influences, Job, JointPose, Palette, ReferenceRule, Rest, SLOTS, Solver};

/// Bytes that the kernel reads and writes for a vertex with an f32 position, an f32 normal and four influences: 24 in, 24 out,
/// 8 of joints and 32 of weights. A copy of as many bytes reads and writes each of them, so it moves twice as much; it is
/// nevertheless the usual standard of comparison.
pub const BYTES_PER_VERTEX: usize = 88;

/// Both solvers.
pub const SOLVERS: [Solver; 2] = [Solver::Lbs, Solver::Dqs];

/// The distribution of influences over vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Four random joints for each vertex: the slowest kind, because no two neighbours have the same joints.
    Random,
    /// Runs of 32 vertices with equal influences, four joints each.
    Ring,
    /// Runs of 256 vertices with one or two joints: the kind that is most like Rigy documents.
    Mix,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Random, Self::Ring, Self::Mix];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Ring => "ring",
            Self::Mix => "mix",
        }
    }

    /// Returns the number of consecutive vertices with equal influences, and the number of positive weights of each.
    fn run(self, random: &mut Random) -> (usize, usize) {
        match self {
            Self::Random => (1, SLOTS),
            Self::Ring => (32, SLOTS),
            Self::Mix => (256, 1 + (random.unit() * 2.0) as usize),
        }
    }
}

/// Joints of the workloads that are reported.
pub const JOINTS: usize = 64;

/// Vertices, their influences, and a pose of the joints for either solver.
#[derive(Debug)]
pub struct Workload {
    /// Vertices in the bind pose, f32.
    pub rest: Rest,
    /// Joints and weights.
    pub influences: Influences,
    linear: Palette,
    dual: Palette,
}

impl Workload {
    /// Makes a workload of [`JOINTS`] joints whose vertices have four influences each.
    pub fn new(kind: Kind, vertex_count: usize) -> Self {
        Self::with_slots::<SLOTS>(kind, vertex_count, JOINTS)
    }

    /// Makes a workload whose vertices have `N` influences each, a multiple of four, of so many joints: 1 to 65,536.
    pub fn with_slots<const N: usize>(kind: Kind, vertex_count: usize, joint_count: usize) -> Self {
        let mut random = Random::new(0x5eed);
        let mut slots: Vec<[(u16, f64); N]> = Vec::with_capacity(vertex_count);
        while slots.len() < vertex_count {
            let (run, positive) = kind.run(&mut random);
            let positive = positive * N / SLOTS;
            let list = std::array::from_fn(|slot| {
                let joint = (random.unit() * joint_count as f64) as u16;
                let weight = if slot < positive {
                    1.0 - random.unit()
                } else {
                    0.0
                };
                (joint, weight)
            });
            let run = run.min(vertex_count - slots.len());
            slots.extend(std::iter::repeat_n(list, run));
        }
        let single = |random: &mut Random| vector(random).map(|c| c as f32);
        let vertices = (0..vertex_count).map(|_| (single(&mut random), single(&mut random)));
        let rest = Rest::single(vertices);
        let joints: Vec<(JointPose, Vec3)> = (0..joint_count).map(|_| joint(&mut random)).collect();
        let matrices = joints.iter().map(|(pose, bind)| (pose.matrix(), *bind));
        Self {
            rest,
            influences: Influences::bind(
                ReferenceRule::LowestJoint,
                N / SLOTS,
                slots.as_flattened(),
            ),
            linear: Palette::linear(matrices),
            dual: Palette::dual(joints.iter().copied()),
        }
    }

    /// Returns the job of the kernel for a solver.
    pub fn job(&self, solver: Solver) -> Job<'_> {
        Job {
            palette: match solver {
                Solver::Lbs => &self.linear,
                Solver::Dqs => &self.dual,
            },
            influences: &self.influences,
            rest: &self.rest,
        }
    }
}

fn vector(random: &mut Random) -> Vec3 {
    [(); 3].map(|()| random.unit() - 0.5)
}

/// A pose with a rotation of unit length, and the translation of an inverse bind matrix.
fn joint(random: &mut Random) -> (JointPose, Vec3) {
    let q = [(); 4].map(|()| random.unit() - 0.5);
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    let pose = JointPose {
        rotation: Quat::from_wxyz(q.map(|c| c / norm)),
        translation: vector(random),
    };
    (pose, vector(random))
}
