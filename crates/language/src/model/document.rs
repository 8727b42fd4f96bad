//! Documents (`language.md` §1.4, `extensions.md` §1).

use super::composition::IMPORT;
use super::materials::MATERIAL;
use super::weights::note_solver;
use super::{
    Anchor, Armature, Binding, Bone, Import, Instance, LaterFeature, Material, Mesh, Pose,
    Primitive, Solver, Symmetry,
};
use crate::parse::record::{checked, entries, only};
use crate::parse::{Object, record};
use crate::schema::names::NameKind;
use crate::schema::{Form, Rule};
use crate::version::{Feature, Version};
use rigy_base::diag::{Diagnostic, Text};

/// The tessellation profile of documents that name none.
pub const DEFAULT_PROFILE: &str = "v0_1_default";

record! {
    /// A Rigy document: meshes of simple shapes, with armatures, poses, materials and parts.
    #[derive(Default)]
    pub struct Document: DOCUMENT("document", "document") {
        /// The version of the language, in quotes.
        version: Version = dependent(Form::Version, |o: &Object| Some(o.reader.version)),
        /// Another name for `version`; a document has one of them.
        rigy_version: () = dependent(Form::Version, |_| Some(())),
        /// The unit of lengths. There is only one.
        units: () = optional(Form::Word(UNITS), only(UNITS)),
        /// The axes. There is only one system.
        coordinate_system: () = optional(Form::Record(&COORDINATE_SYSTEM), checked::<CoordinateSystem>),
        /// How finely shapes become triangles. There is only one profile.
        ///
        /// [`DEFAULT_PROFILE`] is checked when the document is built.
        tessellation_profile: Option<Text> = optional(Form::Known(&[DEFAULT_PROFILE])),
        /// How vertices follow bones, where a binding does not say: linear blending (lbs) or dual quaternions (dqs).
        skinning_solver: Option<Solver> = nullable.since(Feature::Poses),
        /// Values by name. `$name` stands for the value in other places.
        params: () = optional(Form::Params, |_: &_, _| Some(()))
            .since(Feature::Params)
            .only_then()
            .keys_define(NameKind::Param),
        /// Other documents, by the name under which this one knows them.
        imports: Vec<Import> = optional(
            Form::Map(&Form::Record(&IMPORT)),
            entries("namespaces to `source` and `contract`", Import::read)
        ).keys_define(NameKind::Import),
        /// Materials by id.
        materials: Vec<Material> = optional(
            Form::Map(&Form::Record(&MATERIAL)),
            entries("ids to materials", Material::read)
        ).since(Feature::Materials).keys_define(NameKind::Material),
        /// The meshes, in the order of the output.
        meshes: Vec<Mesh> = optional,
        /// The skeletons.
        ///
        /// An armature that no mesh uses does not reach output.
        armatures: Vec<Armature> = optional,
        /// Meshes that armatures move, with weights.
        bindings: Vec<Binding> = optional,
        /// Mirrors everything whose id has a prefix.
        ///
        /// `None` once it has been expanded.
        symmetry: Option<Symmetry> = nullable,
        /// Poses. Each becomes a baked file of its own.
        poses: Vec<Pose> = optional.since(Feature::Poses),
        /// Named points, to which parts are attached.
        anchors: Vec<Anchor> = optional,
        /// Placed copies of imported documents or of meshes of this one.
        instances: Vec<Instance> = optional,
        /// Checks of alignment for `rigy-batch inspect`. Compiling ignores them.
        geometry_checks: () = optional(Form::Any, |_: &_, _| Some(())).since(Feature::Materials),
    } made {
        /// Features that are newer than the version that the document declares, in document order.
        later_features: Vec<LaterFeature> = |_| Vec::new(),
        /// Warnings of the stages before validation: W18 from version 0.12 on, and W22.
        warnings: Vec<Diagnostic> = |_| Vec::new(),
    } rules [Rule::ExactlyOne(&["version", "rigy_version"])] then noting_features
}

impl Document {
    /// Returns the primitives of all meshes.
    pub fn primitives(&self) -> impl Iterator<Item = &Primitive> + Clone {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }

    /// Returns the bones of all armatures.
    pub fn bones(&self) -> impl Iterator<Item = &Bone> + Clone {
        self.armatures.iter().flat_map(|armature| &armature.bones)
    }
}

fn noting_features(mut document: Document, o: &Object) -> Option<Document> {
    note_solver(document.skinning_solver, o);
    if !document.poses.is_empty() {
        o.uses_feature("poses", "poses");
    }
    document.later_features = o.reader.take_later_features();
    Some(document)
}

/// The only word of the field `units`.
const UNITS: &[&str] = &["meters"];
/// The only word of the field `up`.
const UP: &[&str] = &["Y"];
/// The only word of the field `forward`.
const FORWARD: &[&str] = &["-Z"];
/// The only word of the field `handedness`.
const HANDEDNESS: &[&str] = &["right"];

record! {
    /// The axes: right-handed, Y up, looking along -Z.
    pub struct CoordinateSystem: COORDINATE_SYSTEM("coordinate_system", "coordinate system") {
        /// The axis that points up.
        up: () = required(Form::Word(UP), only(UP)),
        /// The axis that points forward.
        forward: () = required(Form::Word(FORWARD), only(FORWARD)),
        /// The handedness of the axes.
        handedness: () = required(Form::Word(HANDEDNESS), only(HANDEDNESS)),
    }
}
