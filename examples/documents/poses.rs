//! Poses: quaternions that are easy to blend, and those that are hard.

use super::Plan;
use super::model::{Maybe, Pairs, Pose, PoseBone, Vec3};
use super::names::{Naming, Pool};
use super::random::{Draw, Random};
use super::values::{self, Quaternion};

/// Relation of the rotations of one pose to each other.
enum Mood {
    /// Each bone for itself.
    Free,
    /// One rotation for all, with both signs.
    Antipodal,
    /// Pairs whose inner product is exactly zero.
    Orthogonal,
    /// Inner products just above and below zero.
    Seam,
    /// Four decimals, as if typed by hand.
    Rounded,
}

pub fn poses(random: &mut Random, plan: &Plan, naming: &Naming, bones: &[String]) -> Vec<Pose> {
    let mut ids = Pool::default();
    (0..random.within(plan.poses))
        .map(|_| Pose {
            id: ids.fresh_pose(random, naming),
            bones: pose_bones(random, bones),
        })
        .collect()
}

fn pose_bones(random: &mut Random, bones: &[String]) -> Pairs<PoseBone> {
    let mood = mood(random);
    let base = values::random_quaternion(random);
    let present = *random.pick(&[30, 80, 100, 100]);
    let mut chosen: Vec<&String> = bones.iter().filter(|_| random.chance(present)).collect();
    if random.chance(20) {
        random.shuffle(&mut chosen);
    }
    let entry = |bone: &String| {
        let rotation = rotation(random, &mood, base);
        let translation = translation(random);
        (
            bone.clone(),
            PoseBone {
                rotation,
                translation,
            },
        )
    };
    Pairs(chosen.into_iter().map(entry).collect())
}

fn mood(random: &mut Random) -> Mood {
    match random.below(10) {
        0..4 => Mood::Free,
        4 | 5 => Mood::Antipodal,
        6 | 7 => Mood::Orthogonal,
        8 => Mood::Seam,
        _ => Mood::Rounded,
    }
}

fn rotation(random: &mut Random, mood: &Mood, base: Quaternion) -> Maybe<Quaternion> {
    const HAIRS: [f64; 7] = [1e-17, -1e-17, 5e-324, -5e-324, 0.0, -0.0, -1e-9];
    let quaternion = match mood {
        Mood::Free => match random.below(12) {
            0 => return None,
            1 => return Some(None),
            2..5 => values::exact_quaternion(random),
            5 => values::rounded_quaternion(random),
            // The norm may be off by this much without being touched.
            6 => [1.0000004, 0.0, 0.0, 0.0],
            _ => values::random_quaternion(random),
        },
        Mood::Antipodal => base,
        Mood::Orthogonal if random.chance(50) => values::orthogonal_to(base),
        Mood::Orthogonal => base,
        Mood::Seam if random.chance(50) => [*random.pick(&HAIRS), 0.0, 1.0, 0.0],
        Mood::Seam => [1.0, 0.0, 0.0, 0.0],
        Mood::Rounded => values::rounded_quaternion(random),
    };
    Some(Some(if random.chance(35) {
        values::negated(quaternion)
    } else {
        quaternion
    }))
}

fn translation(random: &mut Random) -> Maybe<Vec3> {
    match random.below(10) {
        0..4 => None,
        4 => Some(None),
        5 => Some(Some([0.0; 3])),
        _ => Some(Some(values::vector(random, values::wide_coordinate))),
    }
}
