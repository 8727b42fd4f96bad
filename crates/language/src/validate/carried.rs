//! Where parents carry bones in a pose. Poses have no hierarchy, so these are the places that authors write.

use crate::model::{Bone, PoseBone, numbers};
use rigy_base::maps::HashMap;
use rigy_kernel::math::{Quat, Vec3, minus, plus};

/// Returns where a bone is that goes with its parent, which does the same unless the pose gives it a translation.
pub fn place_with_parent(
    bone: &Bone,
    all: &HashMap<&str, &Bone>,
    entries: &HashMap<&str, &PoseBone>,
) -> Vec3 {
    let (mut chain, mut given) = (vec![bone], None);
    while let Some(parent) = all.get(&*chain[chain.len() - 1].parent.value) {
        chain.push(parent);
        let entry = entries.get(&*parent.id.value);
        given = entry.and_then(|entry| entry.translation.as_ref());
        if given.is_some() {
            break;
        }
    }
    let mut place = numbers(given.map_or(&chain[chain.len() - 1].head, |place| &place.value));
    for pair in chain.windows(2).rev() {
        let (bone, parent) = (pair[0], pair[1]);
        let entry = entries.get(&*parent.id.value).copied();
        place = carried_by(parent, entry, bone, place);
    }
    // A bone that is not carried away keeps the digits of its head.
    let head = numbers(&bone.head).map(|c| c + 0.0);
    let is_there = [0, 1, 2]
        .iter()
        .all(|axis| (place[*axis] - head[*axis]).abs() < 1e-6);
    if is_there { head } else { rounded(place) }
}

/// Returns the place of a bone whose parent is at `at` and turned as its entry in the pose says, if it has one.
pub fn carried_by(parent: &Bone, entry: Option<&PoseBone>, bone: &Bone, at: Vec3) -> Vec3 {
    let rotation = entry.map_or(Quat::IDENTITY, PoseBone::turn);
    let own = minus(numbers(&bone.head), numbers(&parent.head));
    plus(at, rotation.rotate(own))
}

/// Returns a place in micrometres, without negative zeros.
pub fn rounded(place: Vec3) -> Vec3 {
    place.map(|c| (c * 1e6).round() / 1e6 + 0.0)
}
