//! Armatures, symmetry and poses (`language.md` §1.4).

use super::{Vector, numbers, output_name};
use crate::parse::coerce::{number, text};
use crate::parse::record::entries;
use crate::parse::{Object, ROOT_BONE, Reader, record, value};
use crate::schema::Form;
use crate::schema::names::NameKind;
use crate::yaml::{Kind, NodeId};
use rigy_base::diag::{Span, Spanned, Text};
use rigy_base::maps::HashMap;
use rigy_kernel::math::{Quat, UnitRotation, Vec3};

record! {
    /// A skeleton.
    pub struct Armature: ARMATURE("armature", "armature") {
        /// The name by which bindings know the armature, unique among armatures.
        id: Text = required.defines(NameKind::Armature),
        /// The name of the skin in the output, instead of the id.
        name: Option<String> = nullable,
        /// The bones, in the order of the joints.
        bones: Vec<Bone> = required,
    }
}

impl Armature {
    /// Returns its name in output.
    pub fn output_name(&self) -> &str {
        output_name(self.name.as_deref(), &self.id)
    }
}

record! {
    /// A bone. Its places are those of the whole model, not relative to its parent.
    pub struct Bone: BONE("bone", "bone") {
        /// The name of the bone, unique in the armature.
        id: Text = required.defines(NameKind::Bone),
        /// The id of the parent; `none` for a root.
        parent: Text = required(Form::Known(&["none"]), parent).refers(NameKind::Bone),
        /// Where the bone begins, in metres: the place of its joint.
        head: Vector = required,
        /// Where the bone ends, in metres.
        ///
        /// Only its distance from the head is used.
        tail: Vector = required,
        /// A turn about the bone, which has no effect on outputs.
        roll: Spanned<f64> = optional,
    } made {
        /// The span of the whole mapping.
        span: Span = Object::span,
    }
}

impl Bone {
    /// Returns true if the bone has no parent.
    pub fn is_root(&self) -> bool {
        self.parent.value == "none"
    }
}

/// Reads the id of a parent, or the word `none`.
fn parent(r: &Reader, id: NodeId) -> Option<Text> {
    if matches!(r.node(id).kind, Kind::Null) {
        let error = r.mismatch(id, "text").help(ROOT_BONE);
        return r.fail(error.written_as("null", "none"));
    }
    text(r, id)
}

record! {
    /// Mirrors everything whose id has a prefix.
    pub struct Symmetry: SYMMETRY("symmetry", "symmetry") {
        /// Mirrors in the plane x = 0.
        mirror_x: Option<MirrorX> = nullable,
    }
}

record! {
    /// The prefixes of ids by which originals and their copies are known.
    pub struct MirrorX: MIRROR("mirror", "mirror") {
        /// The prefix of the ids that are mirrored.
        prefix_from: Text = required,
        /// The prefix that the copies have instead.
        prefix_to: String = required,
    }
}

record! {
    /// Where bones are and how they are turned, in the space of the model.
    pub struct Pose: POSE("pose", "pose") {
        /// The name of the pose, unique in the document. It becomes a part of a file name.
        ///
        /// It may be empty.
        id: Text = required.defines(NameKind::Pose),
        /// The transforms of bones, by bone id.
        bones: Vec<PoseBone> = required(
            Form::Map(&Form::Record(&POSE_BONE)),
            entries("bone ids to rotation and translation", PoseBone::read)
        ).keys_refer(NameKind::Bone),
    } made {
        /// The span of the whole mapping.
        span: Span = Object::span,
    }
}

record! {
    /// The transform of a bone: rigid, without scale.
    pub struct PoseBone: POSE_BONE("pose_bone", "pose bone") of bone_id {
        /// A unit quaternion: w, x, y, z.
        rotation: Option<Rotation> = nullable,
        /// The place of the joint in the space of the model, in metres.
        translation: Option<Spanned<Vector>> = nullable,
    } made {
        /// The span of the whole entry.
        span: Span = Object::span,
    }
}

impl Pose {
    /// Returns the transforms by bone id; the last of a bone that has several.
    pub fn entries(&self) -> HashMap<&str, &PoseBone> {
        self.bones
            .iter()
            .map(|entry| (&*entry.bone_id.value, entry))
            .collect()
    }
}

impl PoseBone {
    /// Returns the rotation that is used (`decisions.md`, "Pose quaternion norm"); the identity if there is none.
    pub fn turn(&self) -> Quat {
        let Some(rotation) = &self.rotation else {
            return Quat::IDENTITY;
        };
        let authored = Quat::from_wxyz(numbers(&rotation.wxyz));
        match authored.authored() {
            UnitRotation::Exact(unit) | UnitRotation::Normalised(unit) => unit,
            // Validation refuses such quaternions (V36).
            UnitRotation::Invalid(_) => authored,
        }
    }

    /// Returns the place of the joint; the origin if there is none.
    pub fn place(&self) -> Vec3 {
        self.translation
            .as_ref()
            .map_or([0.0; 3], |place| numbers(&place.value))
    }
}

/// An authored quaternion.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// `[w, x, y, z]` as authored.
    pub wxyz: [Spanned<f64>; 4],
    /// The span of the whole list.
    pub span: Span,
}

value! {
    Rotation: Form::Tuple(4, &Form::Number), |r: &Reader, id| {
        let wxyz = r.tuple(id, "numbers, w x y z", number)?;
        let span = r.span(id);
        Some(Self { wxyz, span })
    };
}
