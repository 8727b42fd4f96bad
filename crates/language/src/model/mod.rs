//! The strict typed document, and the fields by which authors write it.
//!
//! A mapping of fields is declared once, by [`record!`](crate::parse::record!): that makes its struct, its table of fields for
//! [`schema`](crate::schema), and its reading. Later stages read the structs. A value has its span wherever a later stage can
//! report an error about it. Fields that never reach output are checked and not kept: their type is `()`. Units: metres and
//! radians, right-handed, Y up.

pub mod composition;
pub mod document;
pub mod materials;
pub mod meshes;
pub mod rigging;
pub mod scenes;
pub mod surfaces;
pub mod weights;

use super::version::Version;
use rigy_base::diag::{Span, Spanned, Text};

pub use composition::{Anchor, Anchors, Attach3, AttachMode, Import, Instance, Instanced};
pub use document::{DEFAULT_PROFILE, Document};
pub use materials::{
    Generator, Material, MaterialRef, MaterialTable, NamedMaterial, UvRole, UvSet, set_number,
};
pub use meshes::{Mesh, Orientation, Primitive, Shape, Transform};
pub use rigging::{Armature, Bone, MirrorX, Pose, PoseBone, Rotation, Symmetry};
pub use rigy_kernel::Solver;
pub use scenes::{Child, Contract, FrameRef, Nudge, Place, RigsScene, Scene};
pub use surfaces::{
    Bounds, Domain, Extraction, Field, Grid, ImplicitSurface, Operation, Operator,
    OperatorTransform,
};
pub use weights::{
    Binding, BoneWeight, Gradient, PrimitiveWeights, VertexOverride, WeightMap, WeightSource,
};

/// Three authored numbers, each with its span.
pub type Vector = [Spanned<f64>; 3];

/// Returns the numbers of a vector without their spans.
pub fn numbers<const N: usize>(vector: &[Spanned<f64>; N]) -> [f64; N] {
    std::array::from_fn(|i| vector[i].value)
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
        let imports = imports.to_vec();
        Self {
            imports,
            ..Self::default()
        }
    }

    /// Returns the references to weight files, in document order.
    pub fn weight_sources(&self) -> impl Iterator<Item = &Text> {
        let maps = self.bindings.iter().flat_map(|b| &b.weight_maps);
        maps.filter_map(|map| map.source.as_ref())
            .map(|source| &source.path)
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
fn output_name<'a>(name: Option<&'a str>, id: &'a Text) -> &'a str {
    name.filter(|name| !name.is_empty()).unwrap_or(&id.value)
}
