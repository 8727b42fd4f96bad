//! The conversion of bones to joints.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::geometry::scene::Joint;
use rigy_language::model::{Armature, numbers};

/// A joint and its weight, before capping and normalising.
pub(super) type Influence = (u16, f64);

/// The joints of an armature, found by bone id, with their order for ties.
pub(super) struct JointTable<'a> {
    armature: &'a Armature,
    index_of: HashMap<&'a str, u16>,
    /// Rank of each joint in the order of (bone id as bytes, joint number), which breaks ties.
    rank: Vec<u16>,
    /// The first bone without a parent, else the first bone.
    pub root: u16,
}

impl<'a> JointTable<'a> {
    /// Numbers at most [`super::MAX_JOINTS`] bones.
    pub fn new(armature: &'a Armature) -> Self {
        let bones = &armature.bones;
        let numbered = || bones.iter().zip(0u16..);
        let mut order: Vec<u16> = numbered().map(|(_, index)| index).collect();
        order.sort_by(|a, b| {
            let id = |index: &u16| bones[usize::from(*index)].id.value.as_bytes();
            id(a).cmp(id(b)).then(a.cmp(b))
        });
        let mut rank = vec![0; bones.len()];
        for (place, index) in (0u16..).zip(order) {
            rank[usize::from(index)] = place;
        }
        Self {
            armature,
            index_of: numbered()
                .map(|(bone, index)| (&*bone.id.value, index))
                .collect(),
            rank,
            root: numbered()
                .find(|(bone, _)| bone.is_root())
                .map_or(0, |(_, index)| index),
        }
    }

    /// Returns the joint of a bone, if the armature has the bone.
    pub fn find(&self, bone_id: &str) -> Option<u16> {
        self.index_of.get(bone_id).copied()
    }

    /// Returns the joint of a bone that the armature has; validation has checked that.
    pub fn of(&self, bone_id: &str) -> u16 {
        self.find(bone_id).unwrap_or(self.root)
    }

    /// Sorts influences: the largest weight first, equal weights by the ranks of their joints.
    pub fn sort(&self, influences: &mut [Influence]) {
        let rank = |influence: &Influence| self.rank[usize::from(influence.0)];
        influences.sort_by(|a, b| {
            let by_weight = b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal);
            by_weight.then(rank(a).cmp(&rank(b)))
        });
    }

    /// Returns the joints in the order of the bones.
    pub fn joints(&self) -> Vec<Joint> {
        let joint = |bone: &rigy_language::model::Bone| Joint {
            name: bone.id.value.clone(),
            parent: if bone.is_root() {
                None
            } else {
                self.find(&bone.parent.value).map(usize::from)
            },
            head: numbers(&bone.head),
        };
        self.armature.bones.iter().map(joint).collect()
    }
}
