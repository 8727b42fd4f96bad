//! Rigs of random joints, and the same rigs in 192 bits.

use rigy_batch::bake::gltf::{
    DualForm, JointScale, Node, Skeleton, Skin, Transform, Trs, dual_form, joint_matrices, pose,
};
use rigy_batch::kernel::math::{Affine, IDENTITY, Quat, Vec3, affine_inverse};
use rigy_batch::kernel::random::Random;

use crate::precision::exact::Map;
use crate::precision::numbers;

/// A rotation whose quaternion is not of unit length.
pub fn rotation(random: &mut Random) -> Quat {
    loop {
        let wxyz = numbers::<4>(random, 1.0);
        if wxyz.iter().map(|c| c * c).sum::<f64>() > 0.1 {
            return Quat::from_wxyz(wxyz);
        }
    }
}

#[derive(Clone)]
pub struct Rig {
    pub nodes: Vec<Node>,
    pub skin: Skin,
}

/// Node 0 holds the armature and is no joint; 1 is a root joint with two chains: 2 (no joint), 3, 4; and 5. Node 6 is
/// a root of its own. The skin lists its joints in no order.
pub const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(1), Some(2), Some(3), Some(1), None];

pub const NAMES: [&str; 7] = ["armature", "root", "link", "middle", "tip", "side", "other"];

pub const JOINTS: [usize; 5] = [4, 1, 6, 3, 5];

pub fn trs(node: &Node) -> Trs {
    match node.transform {
        Transform::Trs(trs) => trs,
        Transform::Matrix(_) => panic!("rigs have no matrices"),
    }
}

impl Rig {
    /// Bound and posed without any scale.
    pub fn new(random: &mut Random) -> Self {
        let node = |i: usize, random: &mut Random| Node {
            name: Some(NAMES[i].to_owned()),
            parent: PARENTS[i],
            children: (0..7).filter(|child| PARENTS[*child] == Some(i)).collect(),
            transform: Transform::Trs(Trs {
                translation: numbers(random, 1.0),
                rotation: rotation(random),
                scale: [1.0; 3],
            }),
            ..Node::default()
        };
        let mut rig = Self {
            nodes: (0..7).map(|i| node(i, random)).collect(),
            skin: Skin {
                name: None,
                joints: JOINTS.to_vec(),
                inverse_bind_matrices: None,
            },
        };
        rig.bind();
        for i in 0..7 {
            rig.nodes[i].transform = node(i, random).transform;
        }
        rig
    }

    /// Takes the present pose for the bind pose.
    pub fn bind(&mut self) {
        let globals = self.skeleton().globals;
        let matrices = self
            .skin
            .joints
            .iter()
            .map(|node| affine_inverse(&globals[*node]));
        self.skin.inverse_bind_matrices = Some(matrices.collect());
    }

    pub fn scaled(mut self, node: usize, scale: Vec3) -> Self {
        let trs = trs(&self.nodes[node]);
        self.nodes[node].transform = Transform::Trs(Trs { scale, ..trs });
        self
    }

    pub fn skeleton(&self) -> Skeleton<'_> {
        Skeleton::new(&self.nodes, &pose(&self.nodes, &[], 0.0).unwrap())
    }

    pub fn dual(&self, scale: &JointScale) -> DualForm {
        dual_form(&self.skeleton(), &self.skin, scale).unwrap()
    }

    pub fn matrices(&self) -> Vec<Affine> {
        joint_matrices(&self.skeleton(), &self.skin).unwrap()
    }

    // The same in 192 bits.

    pub fn exact_global(&self, node: usize) -> Map {
        let Trs {
            translation,
            rotation,
            scale,
        } = trs(&self.nodes[node]);
        let local = Map::trs(translation, rotation.wxyz(), scale);
        match self.nodes[node].parent {
            Some(parent) => self.exact_global(parent).after(&local),
            None => local,
        }
    }

    pub fn exact_inverse_bind(&self, joint: usize) -> Map {
        let matrices = self.skin.inverse_bind_matrices.as_ref();
        Map::of(matrices.map_or(&IDENTITY, |m| &m[joint]))
    }

    pub fn exact_matrices(&self) -> Vec<Map> {
        let joints = self.skin.joints.iter().enumerate();
        joints
            .map(|(joint, node)| {
                self.exact_global(*node)
                    .after(&self.exact_inverse_bind(joint))
            })
            .collect()
    }

    /// The nearest joint above a joint.
    pub fn joint_above(&self, joint: usize) -> Option<usize> {
        let mut node = self.nodes[self.skin.joints[joint]].parent;
        while let Some(above) = node {
            let joint = self.skin.joints.iter().position(|j| *j == above);
            if joint.is_some() {
                return joint;
            }
            node = self.nodes[above].parent;
        }
        None
    }
}
