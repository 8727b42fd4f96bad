//! Ways of scaling the joints of a rig.

use std::collections::BTreeSet;

use rigy_batch::bake::gltf::JointScale;
use rigy_batch::kernel::random::Random;

use super::rig::{JOINTS, Rig};
use crate::precision::numbers;

/// A way of scaling joints, with its name.
pub type Scaling = (&'static str, fn(Rig, &mut Random) -> Rig);

pub const UNIFORM: [Scaling; 4] = [
    ("the middle one uniformly", |rig, _| rig.scaled(3, [1.7; 3])),
    ("root and side uniformly", |rig, _| {
        rig.scaled(1, [0.4; 3]).scaled(5, [3.0; 3])
    }),
    ("armature and link", |rig, _| {
        rig.scaled(0, [0.01; 3]).scaled(2, [5.0; 3])
    }),
    ("77 in inverse bind matrices", |mut rig, _| {
        for matrix in rig.skin.inverse_bind_matrices.iter_mut().flatten() {
            *matrix = matrix.map(|[a, b, c, d]| [77.0 * a, 77.0 * b, 77.0 * c, a - b + d]);
        }
        rig
    }),
];

pub const NON_UNIFORM: [Scaling; 3] = [
    ("the middle one along its axes", |rig, _| {
        rig.scaled(3, [1.5, 0.7, 2.0])
    }),
    ("all joints", |mut rig, random| {
        for node in JOINTS {
            let scale = numbers::<3>(random, 0.5).map(|c| c + 1.2);
            rig = rig.scaled(node, scale);
        }
        rig
    }),
    ("a mirrored root", |rig, _| rig.scaled(1, [-1.3, 0.8, 1.1])),
];

/// A bind pose that is scaled itself: armatures of a hundredth are common.
pub fn bound_small(mut rig: Rig) -> Rig {
    for matrix in rig.skin.inverse_bind_matrices.iter_mut().flatten() {
        *matrix = matrix.map(|[a, b, c, d]| [100.0 * a, 100.0 * b, 100.0 * c, d]);
    }
    rig.scaled(0, [0.01; 3]).scaled(6, [0.01; 3])
}

pub fn names(names: &[&str]) -> JointScale {
    JointScale::LocalFor(
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>(),
    )
}
