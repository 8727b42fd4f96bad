//! Bones become joints, weights become influences.
//!
//! In: a checked binding, its mesh's rest geometry, and the [`WeightFiles`] that bindings name. Out: a [`Skin`], with a
//! warning (W01) if a vertex had more than four influences. The five layers of `numerics.md` §5 are applied
//! as replacements: each vertex keeps the last list or gradient that applies to it, and only that one is
//! evaluated.

mod canonical;
mod external;
mod fields;
mod joints;
mod layers;
mod weight_file;

use crate::geometry::scene::{Geometry, Skin};
pub use external::{MAX_BYTES, WeightFiles, WeightUse};
use rigy_kernel::{Influences, ReferenceRule};
use rigy_language::base::diag::{Code, Diagnostic};
use rigy_language::base::loader::Location;
use rigy_language::model::{Armature, Binding, Mesh, Solver};

use canonical::Canonical;
use joints::JointTable;
use layers::Layers;

/// Most joints that an armature can have, because they are numbered in 16 bits.
pub const MAX_JOINTS: usize = rigy_language::base::limits::Limits::MOST.joints as usize;

/// A bound mesh with its armature, binding and solver: the input of [`skin`].
pub struct Bound<'a> {
    /// Location of the document, from which its weight files are found.
    pub document: &'a Location,
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Its tessellated geometry, with at least one vertex.
    pub geometry: &'a Geometry,
    /// The armature, with 1 to [`MAX_JOINTS`] bones.
    pub armature: &'a Armature,
    /// The binding between them.
    pub binding: &'a Binding,
    /// Its solver.
    pub solver: Solver,
}

/// Computes the skin of a bound mesh; findings are appended to `errors` and `warnings`.
///
/// # Errors
/// `None` after reporting V19 (overrides and weight files), V20, V21, V22, V16 or V18 (weight files).
pub fn skin<'a>(
    bound: &Bound<'a>,
    files: &WeightFiles<'a>,
    errors: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Diagnostic>,
) -> Option<Skin> {
    let joints = JointTable::new(bound.armature);
    let mut layers = Layers::new(bound.mesh, bound.geometry, &joints);
    layers.weights(&bound.binding.weights);
    let found_before = errors.len();
    for map in &bound.binding.weight_maps {
        layers.weight_map(map, bound, files, errors);
    }
    if errors.len() > found_before {
        return None;
    }
    let Canonical { runs, capped } = canonical::finish(&layers, bound.geometry, &joints);
    for (primitive, capped) in bound.mesh.primitives.iter().zip(capped) {
        if let Some((count, first)) = capped {
            let message = format!(
                "{count} vertices of primitive `{}` have more than four influences (vertex {first} is the first); \
                 the strongest four are kept",
                primitive.id.value
            );
            warnings.push(Diagnostic::new(Code::W01, primitive.id.span, message));
        }
    }
    Some(Skin {
        name: bound.armature.output_name().to_owned(),
        joints: joints.joints(),
        influences: Influences::of_runs(
            ReferenceRule::LowestJoint,
            runs.iter().map(|run| (&run.slots, run.vertex_count)),
        ),
        rest: bound.geometry.rest(),
        runs,
        solver: bound.solver,
    })
}
