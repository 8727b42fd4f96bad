//! The strict typed document: data only.
//!
//! `parse` makes it, and later stages read it. A value has its span wherever a later stage can report an error about
//! it. Fields that never reach output (primitive and bone names, anchor scopes) are checked
//! by `parse` and not kept. Units: metres and radians, right-handed, Y up.

mod composition;
mod materials;
mod meshes;
mod rigging;

use super::version::Version;
use crate::base::diag::{Diagnostic, Span, Spanned};

pub use composition::{
    Anchor, Attach3, AttachMode, Child, Contract, FrameRef, Import, Instance, Instanced, Nudge,
    Place, RigsScene,
};
pub use materials::{
    Generator, Material, MaterialRef, MaterialTable, NamedMaterial, Uv, UvRole, UvSet, set_number,
};
pub use meshes::{
    Field, ImplicitSurface, Mesh, Operator, OperatorTransform, Orientation, Primitive, Shape,
    Transform,
};
pub use rigging::{
    Armature, Binding, Bone, BoneWeight, Gradient, MirrorX, Pose, PoseBone, PrimitiveWeights,
    Rotation, VertexOverride, WeightMap, WeightSource,
};
pub use rigy_kernel::Solver;

/// The tessellation profile of documents that name none.
pub const DEFAULT_PROFILE: &str = "v0_1_default";

/// Three authored numbers, each with its span.
pub type Vector = [Spanned<f64>; 3];

/// Returns the numbers of a vector without their spans.
pub fn numbers<const N: usize>(vector: &[Spanned<f64>; N]) -> [f64; N] {
    std::array::from_fn(|i| vector[i].value)
}

/// A whole document (`language.md` §1.4, `extensions.md` §1).
#[derive(Clone, Debug)]
pub struct Document {
    /// The version that it declares.
    pub version: Version,
    /// Name of the tessellation profile; only `v0_1_default` exists, which is checked when the document is built.
    pub tessellation_profile: Spanned<String>,
    /// The table of materials, in document order (from 0.6 on).
    pub materials: Vec<Material>,
    /// Meshes in output order.
    pub meshes: Vec<Mesh>,
    /// Armatures; an armature that no mesh uses does not reach output.
    pub armatures: Vec<Armature>,
    /// Bindings of meshes to armatures.
    pub bindings: Vec<Binding>,
    /// Mirroring; `None` once it has been expanded.
    pub symmetry: Option<MirrorX>,
    /// Solver of bindings without one.
    pub skinning_solver: Option<Solver>,
    /// Poses to bake.
    pub poses: Vec<Pose>,
    /// Named points.
    pub anchors: Vec<Anchor>,
    /// Other documents, by namespace.
    pub imports: Vec<Import>,
    /// Placed meshes and imports.
    pub instances: Vec<Instance>,
    /// Features that are newer than the version that the document declares, in document order.
    pub later_features: Vec<LaterFeature>,
    /// Warnings of the stages before validation: W18 from version 0.12 on, and W22.
    pub warnings: Vec<Diagnostic>,
}

/// A feature in a document whose declared version does not have it.
#[derive(Clone, Copy, Debug)]
pub struct LaterFeature {
    /// The words by which a document uses it, such as `poses`.
    pub name: &'static str,
    /// The version that introduced it.
    pub introduced: Version,
    /// The version that the document declares.
    pub declared: Version,
    /// The key.
    pub span: Span,
}

impl Document {
    /// Returns a document of the newest version that has imports and nothing else.
    pub fn of_imports(imports: &[Import]) -> Self {
        Self {
            version: Version::NEWEST,
            tessellation_profile: Spanned::new(DEFAULT_PROFILE.to_owned(), Span::default()),
            materials: Vec::new(),
            meshes: Vec::new(),
            armatures: Vec::new(),
            bindings: Vec::new(),
            symmetry: None,
            skinning_solver: None,
            poses: Vec::new(),
            anchors: Vec::new(),
            imports: imports.to_vec(),
            instances: Vec::new(),
            later_features: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns the references to weight files, in document order.
    pub fn weight_sources(&self) -> impl Iterator<Item = &Spanned<String>> {
        let maps = self.bindings.iter().flat_map(|b| &b.weight_maps);
        let sources = maps.filter_map(|map| map.source.as_ref());
        sources.map(|source| &source.path)
    }

    /// Returns the solver of a binding: its own, else the document's, else linear blend skinning.
    pub fn solver_of(&self, binding: &Binding) -> Solver {
        binding
            .skinning_solver
            .or(self.skinning_solver)
            .unwrap_or(Solver::Lbs)
    }
}

/// Returns the name of a mesh or an armature in output: its id if it has no name or an empty one.
fn output_name<'a>(name: Option<&'a str>, id: &'a Spanned<String>) -> &'a str {
    name.filter(|name| !name.is_empty()).unwrap_or(&id.value)
}
