//! Effects of joints on vertices (`bake.md` §3 and §5): matrices for linear blending, rotations with translations
//! and first stages for dual quaternions, with the three forms of joint scale.

use std::collections::BTreeSet;

use super::algebra::{
    Affine, IDENTITY, M3, V3, V4, affine, from_identity, inverse, linear, polar, product, product3,
    quaternion_of, times, translation,
};
use super::pose::Posed;
use super::reader::Gltf;
use super::tree::Tree;

#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    Global,
    Local,
    /// Local for these names.
    LocalFor(BTreeSet<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Solver {
    Lbs,
    Dqs(Scale),
    TwoStage(Scale),
}

pub enum Palette {
    Linear(Vec<Affine>),
    Dual {
        /// Where a joint is scaled: the first-stage matrices.
        first: Option<Vec<Affine>>,
        rigid: Vec<(V4, V3)>,
    },
    TwoStage {
        first: Vec<Affine>,
        rigid: Vec<(V4, V3)>,
    },
}

/// The joints of a skin with their inverse bind matrices.
struct Joints<'a> {
    nodes: Vec<usize>,
    inverse_binds: Vec<Affine>,
    posed: &'a Posed,
}

impl<'a> Joints<'a> {
    fn new(file: &Gltf, skin: usize, posed: &'a Posed) -> Self {
        let skin = &file.tree.list("skins")[skin];
        let nodes: Vec<usize> = skin.list("joints").iter().map(Tree::index).collect();
        let mut inverse_binds = vec![IDENTITY; nodes.len()];
        if let Some(accessor) = skin.index_of("inverseBindMatrices") {
            let columns = file.reals(accessor);
            for (joint, matrix) in inverse_binds.iter_mut().enumerate() {
                for row in 0..3 {
                    for column in 0..4 {
                        matrix[row][column] = columns[joint][4 * column + row];
                    }
                }
            }
        }
        Self {
            nodes,
            inverse_binds,
            posed,
        }
    }

    fn matrices(&self) -> Vec<Affine> {
        let joints = self.nodes.iter().zip(&self.inverse_binds);
        joints
            .map(|(node, inverse)| product(&self.posed.global(*node), inverse))
            .collect()
    }
}

pub fn palette(file: &Gltf, skin: usize, posed: &Posed, solver: &Solver) -> Palette {
    let joints = Joints::new(file, skin, posed);
    let matrices = joints.matrices();
    assert!(matrices.iter().flatten().flatten().all(|c| c.is_finite()));
    match solver {
        Solver::Lbs => Palette::Linear(matrices),
        Solver::Dqs(scale) => dual(file, &joints, &matrices, scale),
        Solver::TwoStage(scale) => match dual(file, &joints, &matrices, scale) {
            Palette::Dual {
                first: Some(first),
                rigid,
            } => Palette::TwoStage { first, rigid },
            rigid => rigid,
        },
    }
}

fn dual(file: &Gltf, joints: &Joints<'_>, matrices: &[Affine], scale: &Scale) -> Palette {
    let factors: Vec<(M3, M3)> = (matrices.iter())
        .map(|m| polar(&linear(m)).expect("a joint that flattens space"))
        .collect();
    let is_rigid = factors.iter().all(|(_, s)| from_identity(s) <= 1e-5);
    let nodes = file.tree.list("nodes");
    let is_named = |joint: usize| match scale {
        Scale::Global => false,
        Scale::Local => true,
        Scale::LocalFor(names) => nodes[joints.nodes[joint]]
            .text_of("name")
            .is_some_and(|name| names.contains(name)),
    };
    // U_s is the same whichever joints are local.
    let mut chain = vec![None; joints.nodes.len()];
    let keeps: Vec<bool> = (0..joints.nodes.len())
        .map(|joint| {
            let link = joints.link(joint, &|_| false, &mut chain);
            is_named(joint) && from_identity(&link.stretch) > 1e-5
        })
        .collect();
    if is_rigid || !keeps.contains(&true) {
        let rigid = factors.iter().zip(matrices);
        return Palette::Dual {
            first: (!is_rigid).then(|| factors.iter().map(|(_, s)| affine(s, [0.0; 3])).collect()),
            rigid: rigid
                .map(|((r, _), matrix)| (quaternion_of(r), translation(matrix)))
                .collect(),
        };
    }
    let is_local = |joint: usize| *scale == Scale::Local || keeps[joint];
    let mut chain = vec![None; joints.nodes.len()];
    let stages: Vec<(Affine, (V4, V3))> = (0..joints.nodes.len())
        .map(|joint| joints.stages(joint, &is_local, &mut chain))
        .collect();
    let (first, rigid) = stages.into_iter().unzip();
    Palette::Dual {
        first: Some(first),
        rigid,
    }
}

/// A joint on the way down the skeleton.
#[derive(Clone, Copy)]
struct Link {
    /// A″
    scaled: Affine,
    /// G
    posed: Affine,
    /// U_s
    stretch: M3,
}

impl Joints<'_> {
    /// The nearest joint above, and the product of local matrices from below it down to the joint.
    fn above(&self, joint: usize) -> (Option<usize>, Affine) {
        let mut way = vec![self.posed.local(self.nodes[joint])];
        let mut node = self.posed.parents[self.nodes[joint]];
        let mut above = None;
        while let Some(next) = node {
            above = self.nodes.iter().position(|n| *n == next);
            if above.is_some() {
                break;
            }
            way.push(self.posed.local(next));
            node = self.posed.parents[next];
        }
        let mut whole = way.pop().unwrap();
        while let Some(local) = way.pop() {
            whole = product(&whole, &local);
        }
        (above, whole)
    }

    /// The contract names the quantities; the order of products is that of its formulas, with B_parent⁻¹ and B⁻¹ taken
    /// from the file (an inverse bind matrix) and never inverted back, and L⁻¹ = B⁻¹·B_parent. "The rotation of L" is
    /// its 3×3 part as it stands.
    fn link(
        &self,
        joint: usize,
        is_local: &dyn Fn(usize) -> bool,
        chain: &mut Vec<Option<Link>>,
    ) -> Link {
        if let Some(link) = chain[joint] {
            return link;
        }
        let (above, animated) = self.above(joint);
        let unbind = self.inverse_binds[joint];
        let bind = inverse(&unbind);
        let link = match above {
            None => {
                let (turned, stretch) = user(&product(&unbind, &animated));
                let posed = product(&bind, &turned);
                Link {
                    scaled: bind,
                    posed,
                    stretch,
                }
            }
            Some(parent) => {
                let over = self.link(parent, is_local, chain);
                let l = product(&self.inverse_binds[parent], &bind);
                let back = product(&unbind, &inverse(&self.inverse_binds[parent]));
                let (turned, stretch) = user(&product(&back, &animated));
                let step = match is_local(parent) {
                    true => affine(&linear(&l), times(&over.stretch, translation(&l))),
                    false => product(&affine(&over.stretch, [0.0; 3]), &l),
                };
                Link {
                    scaled: product(&over.scaled, &step),
                    posed: product(&product(&over.posed, &step), &turned),
                    stretch,
                }
            }
        };
        chain[joint] = Some(link);
        link
    }

    /// Both stages of a joint. The contract calls G·A″⁻¹ rigid; where a shear is left in it, the stretch of its polar
    /// decomposition goes to the first stage, about the origin of A″, and its rotation takes that origin to G's.
    fn stages(
        &self,
        joint: usize,
        is_local: &dyn Fn(usize) -> bool,
        chain: &mut Vec<Option<Link>>,
    ) -> (Affine, (V4, V3)) {
        let link = self.link(joint, is_local, chain);
        let stretched = product(&link.scaled, &affine(&link.stretch, [0.0; 3]));
        let first = product(&stretched, &self.inverse_binds[joint]);
        let motion = product(&link.posed, &inverse(&link.scaled));
        let (r, s) = polar(&linear(&motion)).expect("a joint that flattens space");
        let (from, to) = (translation(&link.scaled), translation(&link.posed));
        let (turned, moved) = (times(&r, from), translation(&first));
        let mut offset = [0.0; 3];
        let mut t = [0.0; 3];
        for i in 0..3 {
            offset[i] = moved[i] - from[i];
            t[i] = to[i] - turned[i];
        }
        let mut kept = times(&s, offset);
        for i in 0..3 {
            kept[i] += from[i];
        }
        let first = affine(&product3(&s, &linear(&first)), kept);
        (first, (quaternion_of(&r), t))
    }
}

/// U_r, with all of the translation, and U_s.
fn user(u: &Affine) -> (Affine, M3) {
    let (r, s) = polar(&linear(u)).expect("a joint that flattens space");
    (affine(&r, translation(u)), s)
}
