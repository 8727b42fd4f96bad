//! Joint scale that stays with its joint, or some of it (`bake.md` §5, local and mixed).
//!
//! A joint's bind matrix B is the inverse of its inverse bind matrix, `L = B_parent⁻¹·B` its bind matrix relative to
//! the joint above (a root joint: B itself), and its animated local matrix is `L·U`: U is what the pose does to it.
//! The polar decomposition of U₃ₓ₃ gives `U = U_r·U_s`: U_r turns and then moves (all of U's translation is here),
//! U_s scales about the joint. Two chains go down the skeleton by the same links K:
//!
//! ```text
//! A″ = A″_parent·K             where the joint is in the rest pose once joints are scaled but not yet moved
//! G  = G_parent·K·U_r          where it is in the end
//! K  = (L₃ₓ₃, U_s,parent · translation of L)   the joint above is local: its scale moves the joint's offset, no more
//! K  = U_s,parent · L                          the joint above is not: its scale goes on, offset included
//! K  = L                                       a root joint
//!
//! first stage    F = A″·U_s·B⁻¹          into the joint's own space, scaled there, out to where it then is
//! second stage   M = G·A″⁻¹              takes A″'s origin to G's origin
//! ```
//! So `M·F = G·U_s·B⁻¹`, which in a bind pose is `B·B⁻¹`; and if no joint is local it is the joint's LBS matrix. The
//! translations of F are those of offsets that grow, in the rest pose; those of M are all of the animation's.
//!
//! M is rigid as long as K holds nothing beside a rotation and a uniform scale. A scale along one axis that goes on to a
//! joint that turns, or that sits in an inverse bind matrix, leaves a shear in M. It belongs to the stage that is
//! blended linearly: M₃ₓ₃ = R·S gives the rigid transform `x ↦ R·(x − a) + g` with a and g the origins of A″ and G, and
//! F is followed by `x ↦ S·(x − a) + a`. Their product is M·F still, and where M is rigid S is the identity up to
//! roundings.
//!
//! # Departures from the published form
//!
//! The form is that of the article "Dual Quaternion Skinning with scale", which prints formulas and code. It is left in
//! two places:
//!
//! 1. *The bind pose keeps its own scale.* The article takes "the rotation of L" for the linear part of K, in its
//!    formulas and comments if not in its code; here it is L₃ₓ₃ as it stands. Exporters put the scale of quantised
//!    positions, or of units, into inverse bind matrices. Without that scale, A″ of a bind pose would be another matrix
//!    than B, F = A″·B⁻¹ would not be the identity, and the mesh would change its size at rest.
//! 2. *The offset of a root joint is not scaled.* The article's code takes a root joint for its own parent, so that the
//!    root's U_s moves the root itself. Here a root joint has no joint above it, and the stretch above it is the
//!    identity (`bake.md` §5). Otherwise the whole skeleton would leave the place that the file gives it as soon as
//!    its root is scaled, and a skin of one joint would no longer agree with linear blending.
//!
//! A root joint answers for all that is above it and for what its inverse bind matrix holds: an armature's scale that
//! is not in the bind pose, or the scale of quantised positions, stays with the root joint too if that is local.

use std::collections::{HashMap, HashSet};

use super::joints::{
    DualForm, JointError, JointFault, RIGID, Rigid, finite, inverse_bind, joint_error,
};
use super::model::Skin;
use super::skeleton::Skeleton;
use crate::kernel::math::{
    Affine, IDENTITY, Matrix3, Quat, Vec3, affine, affine_inverse, affine_product,
    distance_from_identity, linear_part, matrix_product, polar, principal_stretches, transformed,
    translation_part,
};

/// Both stages for all joints of a skin; `is_local` says of a node whether its scale stays with it.
///
/// # Errors
/// The first joint, from roots down, whose scale cannot be told from its rotation, or for which something is not
/// finite.
pub(super) fn dual_form(
    skeleton: &Skeleton,
    skin: &Skin,
    is_local: impl Fn(usize) -> bool,
) -> Result<DualForm, Vec<JointError>> {
    let count = skin.joints.len();
    let mut links: Vec<Option<ChainJoint>> = vec![None; count];
    let mut stages = vec![(IDENTITY, (Quat::IDENTITY, [0.0; 3])); count];
    for (joint, place) in attachments(skeleton, skin) {
        let above = place.parent.and_then(|parent| links[parent]);
        let is_local = is_local(skin.joints[joint]);
        let both = ChainJoint::new(above, inverse_bind(skin, joint), &place.local, is_local)
            .and_then(|link| Ok((link, link.stages()?)));
        let fault = |fault| vec![joint_error(skeleton, skin, joint, fault)];
        let (link, made) = both.map_err(fault)?;
        (links[joint], stages[joint]) = (Some(link), made);
    }
    let (first, rigid) = stages.into_iter().unzip();
    Ok(DualForm::Scaled { first, rigid })
}

/// Root joints that keep a scale to themselves although other joints hang on them, with their principal stretches.
pub(super) fn keeping_roots(
    skeleton: &Skeleton,
    skin: &Skin,
    is_local: impl Fn(usize) -> bool,
) -> Vec<(usize, [f64; 3])> {
    let places = attachments(skeleton, skin);
    let parents: HashSet<usize> = places
        .iter()
        .filter_map(|(_, place)| place.parent)
        .collect();
    let keeps = |(joint, place): &(usize, Attachment)| {
        let root = ChainJoint::new(None, inverse_bind(skin, *joint), &place.local, true).ok()?;
        let scaled = distance_from_identity(&root.stretch) > RIGID;
        let keeps = place.parent.is_none() && scaled && is_local(skin.joints[*joint]);
        (keeps && parents.contains(joint)).then(|| (*joint, principal_stretches(&root.stretch)))
    };
    places.iter().filter_map(keeps).collect()
}

/// A joint's place in the skeleton.
#[derive(Clone, Copy)]
struct Attachment {
    /// The nearest joint above.
    parent: Option<usize>,
    /// From the joint to the one above, or to the scene: the product of its local matrix and of those of the nodes
    /// between, which are no joints.
    local: Affine,
}

/// The joints of a skin with their places, each after the one it hangs on, whatever their order in the skin.
fn attachments(skeleton: &Skeleton, skin: &Skin) -> Vec<(usize, Attachment)> {
    let joints = skin.joints.iter().enumerate();
    let joint_of: HashMap<usize, usize> = joints.map(|(joint, node)| (*node, joint)).collect();
    let mut places: HashMap<usize, Attachment> = HashMap::new();
    let mut path = Vec::new();
    let mut placed = Vec::with_capacity(skin.joints.len());
    for &joint in &skin.joints {
        // Only the nodes above joints matter: from each up to one that has its place, and down again.
        let mut next = Some(joint);
        while let Some(node) = next.filter(|node| !places.contains_key(node)) {
            path.push(node);
            next = skeleton.nodes[node].parent;
        }
        for node in path.drain(..).rev() {
            let local = skeleton.locals[node];
            let above = skeleton.nodes[node].parent;
            let place = match above.map(|above| (joint_of.get(&above), places[&above])) {
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
            places.insert(node, place);
            placed.extend(joint_of.get(&node).map(|joint| (*joint, place)));
        }
    }
    placed.sort_by_key(|(joint, _)| skeleton.rank[skin.joints[*joint]]);
    placed
}

/// A joint on the way down.
#[derive(Clone, Copy)]
struct ChainJoint {
    /// B.
    bind: Affine,
    /// B⁻¹.
    inverse_bind: Affine,
    /// U_s.
    stretch: Matrix3,
    /// Whether U_s stays with this joint.
    is_local: bool,
    /// A″.
    scaled: Affine,
    /// G.
    posed: Affine,
}

impl ChainJoint {
    /// The joint that hangs on `above`; `local` is L·U.
    fn new(
        above: Option<Self>,
        inverse_bind: Affine,
        local: &Affine,
        is_local: bool,
    ) -> Result<Self, JointFault> {
        let bind = affine_inverse(&inverse_bind);
        // L, and its inverse without another division.
        let (bind_local, unbind) = match &above {
            None => (bind, inverse_bind),
            Some(above) => (
                affine_product(&above.inverse_bind, &bind),
                affine_product(&inverse_bind, &above.bind),
            ),
        };
        let user = affine_product(&unbind, local);
        finite(&user)?;
        let factors = polar(&linear_part(&user))?;
        let turned = affine(&factors.rotation, translation_part(&user));
        let (scaled, posed) = match &above {
            None => (bind_local, bind_local),
            Some(above) => {
                let link = above.link(&bind_local);
                (
                    affine_product(&above.scaled, &link),
                    affine_product(&above.posed, &link),
                )
            }
        };
        Ok(Self {
            bind,
            inverse_bind,
            stretch: factors.stretch,
            is_local,
            scaled,
            posed: affine_product(&posed, &turned),
        })
    }

    /// K of a joint below, from its L.
    fn link(&self, bind_local: &Affine) -> Affine {
        if self.is_local {
            let offset = transformed(&self.stretch, translation_part(bind_local));
            affine(&linear_part(bind_local), offset)
        } else {
            affine_product(&affine(&self.stretch, [0.0; 3]), bind_local)
        }
    }

    /// F, with what M has beside a rotation and a translation, and the rest of M.
    fn stages(&self) -> Result<(Affine, Rigid), JointFault> {
        let stretched = affine_product(&self.scaled, &affine(&self.stretch, [0.0; 3]));
        let first = affine_product(&stretched, &self.inverse_bind);
        let motion = affine_product(&self.posed, &affine_inverse(&self.scaled));
        finite(&first)?;
        finite(&motion)?;
        let factors = polar(&linear_part(&motion))?;
        let (from, to) = (
            translation_part(&self.scaled),
            translation_part(&self.posed),
        );
        let turned = transformed(&factors.rotation, from);
        let rigid = (
            Quat::of_rotation(&factors.rotation),
            [0, 1, 2].map(|i| to[i] - turned[i]),
        );
        Ok((sheared(&first, &factors.stretch, from), rigid))
    }
}

/// `first`, then `stretch` about a point.
fn sheared(first: &Affine, stretch: &Matrix3, about: Vec3) -> Affine {
    let moved = translation_part(first);
    let from_point = transformed(stretch, [0, 1, 2].map(|i| moved[i] - about[i]));
    affine(
        &matrix_product(stretch, &linear_part(first)),
        [0, 1, 2].map(|i| from_point[i] + about[i]),
    )
}
