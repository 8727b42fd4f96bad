//! The local and mixed forms of joint scale: the scale of some or all joints does not reach the joints below them
//! (`bake.md` §5).
//!
//! A joint's bind matrix B is the inverse of its inverse bind matrix. `L = B_parent⁻¹·B` is its bind matrix relative to
//! its parent joint, the nearest joint above it (for a root joint, L is B). Its animated local matrix is `L·U`: U is
//! the change that the pose makes. The polar decomposition of U₃ₓ₃ gives `U = U_r·U_s`: U_r rotates and then translates
//! (by all of U's translation), U_s scales about the joint. Two products run down the skeleton with the same factors K:
//!
//! ```text
//! A″ = A″_parent·K             the joint's matrix in the rest pose after joints are scaled, before they are moved
//! G  = G_parent·K·U_r          the joint's final matrix, without its own scale
//! K  = (L₃ₓ₃, U_s,parent · translation of L)   if the parent is local: its scale changes the joint's offset only
//! K  = U_s,parent · L                          if the parent is not: its scale applies to the joint too
//! K  = L                                       for a root joint
//!
//! first stage    F = A″·U_s·B⁻¹          into the joint's own space, scaled there, and out by A″
//! second stage   M = G·A″⁻¹              takes A″'s origin to G's origin
//! ```
//! So `M·F = G·U_s·B⁻¹`, which in a bind pose is `B·B⁻¹`; if no joint is local, it is the joint's matrix of linear
//! blending. The translations of F come from offsets that are scaled in the rest pose; those of M are all of the
//! animation's.
//!
//! M is rigid if every K consists of a rotation, a translation and a uniform scale. A scale along one axis leaves a
//! shear in M if it reaches a joint that rotates or if it is in an inverse bind matrix. The shear belongs to the stage
//! that is blended linearly: M₃ₓ₃ = R·S gives the rigid transform `x ↦ R·(x − a) + g` with a and g the origins of A″
//! and G, and F is followed by `x ↦ S·(x − a) + a`. Their product is still M·F; if M is rigid, S is the identity up to
//! rounding.
//!
//! # Departures from the published form
//!
//! The form is that of the article "Dual Quaternion Skinning with scale", which prints formulas and code. There are two
//! departures:
//!
//! 1. *The bind pose keeps its own scale.* In the article's formulas and comments, if not in its code, the linear part
//!    of K is "the rotation of L"; here it is L₃ₓ₃ itself. Exporters put the scale of quantised positions, or of units,
//!    into inverse bind matrices. Without that scale, A″ of a bind pose would differ from B, F = A″·B⁻¹ would not be
//!    the identity, and the mesh would change its size in the bind pose.
//! 2. *The offset of a root joint is not scaled.* The article's code treats a root joint as its own parent, so that the
//!    root's U_s moves the root itself. Here a root joint has no parent joint, and U_s,parent is the identity
//!    (`bake.md` §5). Otherwise the whole skeleton would move away from its position in the file when its root is
//!    scaled, and a skin of one joint would no longer agree with linear blending.
//!
//! The U of a root joint includes the transforms of all nodes above it, relative to its inverse bind matrix. So an
//! armature's scale that is not in the bind pose, and the scale of quantised positions, also stay with a local root
//! joint.

use std::collections::{HashMap, HashSet};

use super::model::Skin;
use super::skeleton::{
    DualForm, JointError, JointFault, RIGID, Rigid, Skeleton, finite, inverse_bind, joint_error,
};
use rigy_kernel::math::{
    Affine, IDENTITY, Matrix3, Quat, Vec3, affine, affine_inverse, affine_product,
    distance_from_identity, linear_part, matrix_product, minus, plus, polar, principal_stretches,
    transformed, translation_part,
};

/// Both stages for all joints of a skin; `is_local` returns true for a node whose scale does not reach the
/// joints below it, and `is_idle` for a joint that does nothing.
///
/// # Errors
/// The first joint, from the roots down, whose matrix has no polar decomposition or is not finite.
pub fn dual_form(
    skeleton: &Skeleton,
    skin: &Skin,
    is_local: impl Fn(usize) -> bool,
    is_idle: &dyn Fn(usize) -> bool,
) -> Result<DualForm, Vec<JointError>> {
    let count = skin.joints.len();
    let mut chain: Vec<Option<ChainJoint>> = vec![None; count];
    let mut stages = vec![(IDENTITY, (Quat::IDENTITY, [0.0; 3])); count];
    for (joint, attachment) in attachments(skeleton, skin) {
        if is_idle(joint) {
            continue;
        }
        let parent = attachment.parent.and_then(|parent| chain[parent]);
        let is_local = is_local(skin.joints[joint]);
        let inverse_bind = inverse_bind(skin, joint);
        let (chained, both) = ChainJoint::new(parent, inverse_bind, &attachment.local, is_local)
            .and_then(|chained| Ok((chained, chained.stages()?)))
            .map_err(|fault| vec![joint_error(skeleton, skin, joint, fault)])?;
        (chain[joint], stages[joint]) = (Some(chained), both);
    }
    let (first, rigid) = stages.into_iter().unzip();
    Ok(DualForm::Scaled { first, rigid })
}

/// The nodes of those local joints whose own scale U_s differs from 1, or that have none because U cannot be divided.
pub fn scaled_joints(
    skeleton: &Skeleton,
    skin: &Skin,
    is_local: impl Fn(usize) -> bool,
    is_idle: &dyn Fn(usize) -> bool,
) -> HashSet<usize> {
    let is_scaled = |(joint, attachment): &(usize, Attachment)| {
        let parent = attachment
            .parent
            .map(|parent| inverse_bind(skin, parent))
            .map(|inverse| [affine_inverse(&inverse), inverse]);
        let own = inverse_bind(skin, *joint);
        let [_, inverse] = bind_locals(parent, [affine_inverse(&own), own]);
        let change = affine_product(&inverse, &attachment.local);
        let factors = finite(&change).and_then(|()| Ok(polar(&linear_part(&change))?));
        !factors.is_ok_and(|factors| distance_from_identity(&factors.stretch) <= RIGID)
    };
    attachments(skeleton, skin)
        .iter()
        .filter(|(joint, _)| is_local(skin.joints[*joint]) && !is_idle(*joint))
        .filter(|joint| is_scaled(joint))
        .map(|(joint, _)| skin.joints[*joint])
        .collect()
}

/// The local root joints that are scaled and have joints below them, with their principal stretches.
pub fn keeping_roots(
    skeleton: &Skeleton,
    skin: &Skin,
    is_local: impl Fn(usize) -> bool,
) -> Vec<(usize, [f64; 3])> {
    let attachments = attachments(skeleton, skin);
    let parents: HashSet<usize> = attachments
        .iter()
        .filter_map(|(_, attachment)| attachment.parent)
        .collect();
    attachments
        .iter()
        .filter_map(|(joint, attachment)| {
            let inverse_bind = inverse_bind(skin, *joint);
            let root = ChainJoint::new(None, inverse_bind, &attachment.local, true).ok()?;
            let scaled = distance_from_identity(&root.stretch) > RIGID;
            let keeps = attachment.parent.is_none() && scaled && is_local(skin.joints[*joint]);
            (keeps && parents.contains(joint)).then(|| (*joint, principal_stretches(&root.stretch)))
        })
        .collect()
}

/// A joint's relation to its parent joint.
#[derive(Clone, Copy)]
struct Attachment {
    /// Index of the parent joint in the skin: the nearest joint above; `None` for a root joint.
    parent: Option<usize>,
    /// The matrix from the joint to its parent joint, or to the scene: the product of its local matrix and those of the
    /// nodes between, which are not joints.
    local: Affine,
}

/// The joints of a skin and their attachments, each joint after its parent, in an order that does not depend on
/// their order in the skin.
fn attachments(skeleton: &Skeleton, skin: &Skin) -> Vec<(usize, Attachment)> {
    let joint_of: HashMap<usize, usize> = skin
        .joints
        .iter()
        .enumerate()
        .map(|(joint, node)| (*node, joint))
        .collect();
    let mut of_nodes: HashMap<usize, Attachment> = HashMap::new();
    let mut path = Vec::new();
    let mut of_joints = Vec::with_capacity(skin.joints.len());
    for &joint in &skin.joints {
        // Only joints and the nodes above them are needed: go up to a node that is done, then down again.
        let mut next = Some(joint);
        while let Some(node) = next.filter(|node| !of_nodes.contains_key(node)) {
            path.push(node);
            next = skeleton.nodes[node].parent;
        }
        for node in path.drain(..).rev() {
            let local = skeleton.locals[node];
            let above = skeleton.nodes[node].parent;
            let attachment = match above.map(|above| (joint_of.get(&above), of_nodes[&above])) {
                None => Attachment {
                    parent: None,
                    local,
                },
                Some((Some(joint), _)) => Attachment {
                    parent: Some(*joint),
                    local,
                },
                Some((None, above)) => Attachment {
                    parent: above.parent,
                    local: affine_product(&above.local, &local),
                },
            };
            of_nodes.insert(node, attachment);
            of_joints.extend(joint_of.get(&node).map(|joint| (*joint, attachment)));
        }
    }
    of_joints.sort_by_key(|(joint, _)| skeleton.rank[skin.joints[*joint]]);
    of_joints
}

/// L, and L⁻¹, which needs no division when it is computed from the same factors, given B and B⁻¹ of the parent joint and of the
/// joint.
fn bind_locals(parent: Option<[Affine; 2]>, [bind, inverse_bind]: [Affine; 2]) -> [Affine; 2] {
    match parent {
        None => [bind, inverse_bind],
        Some([of_parent, inverse_of_parent]) => [
            affine_product(&inverse_of_parent, &bind),
            affine_product(&inverse_bind, &of_parent),
        ],
    }
}

/// The matrices of one joint in the two products down the skeleton; the module documentation defines the letters.
#[derive(Clone, Copy)]
struct ChainJoint {
    /// B.
    bind: Affine,
    /// B⁻¹.
    inverse_bind: Affine,
    /// U_s.
    stretch: Matrix3,
    /// True if U_s does not reach the joints below.
    is_local: bool,
    /// A″.
    scaled: Affine,
    /// G.
    posed: Affine,
}

impl ChainJoint {
    /// Computes the matrices of a joint from those of its parent joint; `local` is L·U.
    fn new(
        parent: Option<Self>,
        inverse_bind: Affine,
        local: &Affine,
        is_local: bool,
    ) -> Result<Self, JointFault> {
        let bind = affine_inverse(&inverse_bind);
        let of_parent = parent.map(|parent| [parent.bind, parent.inverse_bind]);
        let [bind_local, inverse_bind_local] = bind_locals(of_parent, [bind, inverse_bind]);
        let change = affine_product(&inverse_bind_local, local); // U
        finite(&change)?;
        let factors = polar(&linear_part(&change))?;
        let moved = affine(&factors.rotation, translation_part(&change)); // U_r
        let (scaled, posed) = match &parent {
            None => (bind_local, bind_local),
            Some(parent) => {
                let factor = parent.factor_of_child(&bind_local);
                (
                    affine_product(&parent.scaled, &factor),
                    affine_product(&parent.posed, &factor),
                )
            }
        };
        Ok(Self {
            bind,
            inverse_bind,
            stretch: factors.stretch,
            is_local,
            scaled,
            posed: affine_product(&posed, &moved),
        })
    }

    /// K of a joint whose parent is this one, given its L.
    fn factor_of_child(&self, bind_local: &Affine) -> Affine {
        if self.is_local {
            let offset = transformed(&self.stretch, translation_part(bind_local));
            affine(&linear_part(bind_local), offset)
        } else {
            affine_product(&affine(&self.stretch, [0.0; 3]), bind_local)
        }
    }

    /// Both stages: F followed by the shear of M, and the rigid transform that remains of M.
    fn stages(&self) -> Result<(Affine, Rigid), JointFault> {
        let stretched = affine_product(&self.scaled, &affine(&self.stretch, [0.0; 3]));
        let first = affine_product(&stretched, &self.inverse_bind);
        let motion = affine_product(&self.posed, &affine_inverse(&self.scaled));
        finite(&first)?;
        finite(&motion)?;
        let factors = polar(&linear_part(&motion))?;
        let from = translation_part(&self.scaled);
        let to = translation_part(&self.posed);
        let rotated = transformed(&factors.rotation, from);
        let rigid = (Quat::of_rotation(&factors.rotation), minus(to, rotated));
        Ok((sheared(&first, &factors.stretch, from), rigid))
    }
}

/// `first` followed by `stretch` about the point `about`.
fn sheared(first: &Affine, stretch: &Matrix3, about: Vec3) -> Affine {
    let moved = translation_part(first);
    let from_point = transformed(stretch, minus(moved, about));
    affine(
        &matrix_product(stretch, &linear_part(first)),
        plus(from_point, about),
    )
}
