//! Implicit surfaces of documents, extracted once before meshes are counted and made (`extensions.md` §8).

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::executor::Executor;
use crate::kernel::math::euler_rotation;
use crate::kernel::simd::Isa;
use crate::kernel::surface::{self, Extracted, Falloff, Skeleton};
use crate::language::model::{
    Field, ImplicitSurface, Mesh, Operator, OperatorTransform, Orientation, numbers,
};

use super::transform::of_quaternion;

/// The vertices of the implicit surfaces of some documents.
#[derive(Debug, Default)]
pub struct Surfaces {
    extracted: HashMap<*const ImplicitSurface, Extracted>,
}

impl Surfaces {
    /// Extracts the surfaces of a mesh of a checked document. Surfaces that several meshes share are extracted once.
    ///
    /// # Errors
    /// The index of the first primitive with which all surfaces together would have more than `limit` vertices.
    pub fn extract(
        &mut self,
        mesh: &Mesh,
        isa: Isa,
        executor: &dyn Executor,
        limit: u64,
    ) -> Result<(), usize> {
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let Some(surface) = &primitive.surface else {
                continue;
            };
            if self.extracted.contains_key(&Arc::as_ptr(surface)) {
                continue;
            }
            let known: usize = self.extracted.values().map(Extracted::len).sum();
            let free = limit.saturating_sub(known as u64);
            let extracted = of_model(surface).extract(isa, executor, free);
            let extracted = extracted.map_err(|_| index)?;
            self.extracted.insert(Arc::as_ptr(surface), extracted);
        }
        Ok(())
    }

    /// Returns the vertices of a surface; `None` for one that has not been extracted.
    pub(super) fn of(&self, surface: &Arc<ImplicitSurface>) -> Option<&Extracted> {
        self.extracted.get(&Arc::as_ptr(surface))
    }
}

/// Returns about how many vertices a surface has, before it is extracted: twice what a surface takes that goes along the sides
/// of its domain, and at most what its cells can have.
pub(super) fn estimate(surface: &ImplicitSurface) -> u64 {
    const OF_CELL: u64 = 15;
    let [x, y, z] = surface.samples.map(|count| count.value as u64);
    let cells = (x - 1) * (y - 1) * (z - 1);
    OF_CELL * cells.min(2 * (x * y + y * z + z * x))
}

/// Returns the surface as numbers.
fn of_model(surface: &ImplicitSurface) -> surface::Surface {
    surface::Surface {
        min: numbers(&surface.min),
        max: numbers(&surface.max),
        // Whole numbers from 2 to 2,000,000.
        samples: surface.samples.map(|count| count.value as usize),
        iso: surface.iso.value,
        operators: surface.operators.value.iter().map(operator).collect(),
    }
}

fn operator(operator: &Operator) -> surface::Operator {
    // A checked document names fields that exist, and capsules have a height.
    let field = Field::named(&operator.field.value).unwrap_or(Field::MetaballSphere);
    let skeleton = match operator.height.filter(|_| field.is_capsule()) {
        Some(height) => Skeleton::Line(height.value),
        None => Skeleton::Point,
    };
    let falloff = match field {
        Field::MetaballSphere | Field::MetaballCapsule => Falloff::Metaball,
        Field::SdfSphere | Field::SdfCapsule => Falloff::SignedDistance,
    };
    let none = OperatorTransform::default();
    let transform = operator.transform.as_ref().unwrap_or(&none);
    surface::Operator {
        skeleton,
        falloff,
        is_subtracted: operator.is_subtracted,
        strength: operator.strength.value,
        radius: operator.radius.value,
        translation: transform.translation.as_ref().map(numbers),
        rotation: transform.rotation.map(|rotation| match rotation {
            Orientation::Euler(angles) => euler_rotation(numbers(&angles)),
            Orientation::Quaternion(parts) => of_quaternion(numbers(&parts)),
        }),
        scale: transform.scale.map(|[x, _, _]| x.value),
    }
}
