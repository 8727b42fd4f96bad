//! Armatures: trees of bones, in any order, anywhere in space.

use super::Plan;
use super::model::{Armature, Bone, Vec3};
use super::names::{Naming, Pool};
use super::random::{Draw, Random};
use super::values;

pub fn armatures(
    random: &mut Random,
    plan: &Plan,
    naming: &Naming,
    ids: &mut Pool,
) -> Vec<Armature> {
    (0..random.mostly_some(plan.armatures))
        .map(|index| Armature {
            id: ids.fresh(random, naming, false),
            name: naming.name(random),
            bones: if index > 0 && random.chance(10) {
                Vec::new()
            } else {
                bones(random, plan, naming)
            },
        })
        .collect()
}

fn bones(random: &mut Random, plan: &Plan, naming: &Naming) -> Vec<Bone> {
    let mut ids = Pool::default();
    let mut bones: Vec<Bone> = Vec::new();
    let centred = random.chance(60);
    for _ in 0..random.within(plan.bones) {
        let id = ids.fresh(random, naming, true);
        let bone = match parent(random, &bones) {
            Some(parent) => {
                let head = if random.chance(60) {
                    parent.tail
                } else {
                    values::vector(random, values::wide_coordinate)
                };
                bone(random, id, &parent.id, head)
            }
            None if centred => bone(random, id, "none", [0.0; 3]),
            None => {
                let head = values::vector(random, values::wide_coordinate);
                bone(random, id, "none", head)
            }
        };
        bones.push(bone);
    }
    if random.chance(30) {
        // Children may stand before their parents, and the root anywhere.
        random.shuffle(&mut bones);
    }
    bones
}

/// One of the bones so far, rather a late one, so that chains form; now and then another root.
fn parent<'a>(random: &mut Random, bones: &'a [Bone]) -> Option<&'a Bone> {
    let last = bones.last()?;
    match random.below(10) {
        0 => None,
        1..6 => Some(last),
        _ => Some(random.pick(bones)),
    }
}

fn bone(random: &mut Random, id: String, parent: &str, head: Vec3) -> Bone {
    let roll = match random.below(6) {
        0 => Some(0.0),
        1 => Some(values::radians(random)),
        _ => None,
    };
    Bone {
        id,
        parent: parent.into(),
        head,
        tail: tail(random, head),
        roll,
    }
}

/// A point well apart from `head`, even where `head` is so far away that small steps are lost.
fn tail(random: &mut Random, head: Vec3) -> Vec3 {
    loop {
        let tail = if random.chance(50) {
            [head[0], head[1] + values::extent(random), head[2]]
        } else {
            std::array::from_fn(|axis| head[axis] + values::coordinate(random))
        };
        let squared: f64 = (0..3)
            .map(|axis| (tail[axis] - head[axis]) * (tail[axis] - head[axis]))
            .sum();
        if squared.sqrt() > 1e-7 {
            return tail;
        }
    }
}
