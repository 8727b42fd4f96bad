//! Implicit surfaces of documents, extracted once before meshes are counted and made (`extensions.md` §8).

use std::sync::Arc;

use super::shapes::matrix_of;
use rigy_base::maps::HashMap;
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_kernel::executor::Executor;
use rigy_kernel::simd::Isa;
use rigy_kernel::surface::{self, Extracted, Falloff, Skeleton};
use rigy_language::model::{
    Field, ImplicitSurface, Mesh, Operation, Operator, OperatorTransform, numbers,
};

/// Operators that are evaluated for one sample; more count as further samples.
const OPERATORS: usize = 16;
/// Least samples that a vertex counts: its normal comes from the field at six points.
pub const SAMPLES_OF_VERTEX: u64 = 6;

/// The vertices of the implicit surfaces of some documents.
#[derive(Debug, Default)]
pub struct Surfaces {
    extracted: HashMap<*const ImplicitSurface, Extracted>,
    vertices: u64,
}

/// The first primitive with which the surfaces exceed a limit.
#[derive(Debug)]
pub struct Excess {
    /// The index of the primitive in its mesh.
    pub primitive: usize,
    /// The samples, if not the vertices are too many.
    pub samples: Option<Overspent>,
}

impl Surfaces {
    /// Counts the samples of the grids of a mesh. Every mesh is counted before one is extracted, and takes no memory.
    ///
    /// # Errors
    /// The primitive with which all grids together have too many samples.
    pub fn count(&mut self, mesh: &Mesh, meter: &mut Meter) -> Result<(), Excess> {
        for (primitive, surface) in surfaces_of(mesh) {
            let [x, y, z] = surface.samples.map(|count| count.value as u64);
            let samples = x
                .saturating_mul(y)
                .saturating_mul(z)
                .saturating_mul(weight(surface));
            let samples = meter.spend(Cost::Samples, samples).err();
            if samples.is_some() {
                return Err(Excess { primitive, samples });
            }
        }
        Ok(())
    }

    /// Extracts the surfaces of a mesh of a checked document.
    ///
    /// # Errors
    /// The primitive with which all surfaces together have more than `most` vertices, or take too many samples.
    pub fn extract(
        &mut self,
        mesh: &Mesh,
        isa: Isa,
        executor: &dyn Executor,
        (most, meter): (u64, &mut Meter),
    ) -> Result<(), Excess> {
        for (primitive, surface) in surfaces_of(mesh) {
            let of_vertex = SAMPLES_OF_VERTEX * weight(surface);
            let vertices = most.saturating_sub(self.vertices);
            let by_samples = meter.left(Cost::Samples) / of_vertex;
            let extracted = of_model(surface).extract(isa, executor, vertices.min(by_samples));
            let count = extracted.as_ref().map(|extracted| extracted.len() as u64);
            let spent = meter.spend(Cost::Samples, count.unwrap_or(by_samples + 1) * of_vertex);
            let extracted = extracted.map_err(|_| Excess {
                primitive,
                samples: spent.err().filter(|_| by_samples < vertices),
            })?;
            self.vertices += extracted.len() as u64;
            self.extracted.insert(Arc::as_ptr(surface), extracted);
        }
        Ok(())
    }

    /// For each axis whether a surface is open in the first and in the last side of its domain.
    pub fn open_sides(&self, surface: &Arc<ImplicitSurface>) -> [[bool; 2]; 3] {
        let extracted = self.of(surface);
        extracted.map_or_else(Default::default, |extracted| {
            of_model(surface).open_sides(extracted)
        })
    }

    /// The vertices of a surface; `None` for one that has not been extracted.
    pub(super) fn of(&self, surface: &Arc<ImplicitSurface>) -> Option<&Extracted> {
        self.extracted.get(&Arc::as_ptr(surface))
    }
}

/// The implicit surfaces of a mesh, each with the index of its primitive.
fn surfaces_of(mesh: &Mesh) -> impl Iterator<Item = (usize, &Arc<ImplicitSurface>)> {
    mesh.primitives
        .iter()
        .enumerate()
        .filter_map(|(index, primitive)| Some((index, primitive.surface.as_ref()?)))
}

/// How often a sample of a surface counts.
fn weight(surface: &ImplicitSurface) -> u64 {
    surface.operators.value.len().div_ceil(OPERATORS) as u64
}

/// Returns about how many vertices the surfaces of a mesh have, before they are extracted: twice what a surface takes that goes
/// along the sides of its domain, and at most what its cells can have.
pub fn estimated_vertices(mesh: &Mesh) -> u64 {
    const OF_CELL: u64 = 15;
    let of_surface = |surface: &ImplicitSurface| {
        let [x, y, z] = surface.samples.map(|count| count.value as u64);
        let cells = (x - 1) * (y - 1) * (z - 1);
        OF_CELL * cells.min(2 * (x * y + y * z + z * x))
    };
    surfaces_of(mesh)
        .map(|(_, surface)| of_surface(surface))
        .fold(0, u64::saturating_add)
}

/// The surface as numbers.
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
        is_subtracted: operator.op == Operation::Subtract,
        strength: operator.strength.value,
        radius: operator.radius.value,
        translation: transform.translation.as_ref().map(numbers),
        rotation: transform.rotation.as_ref().map(matrix_of),
        scale: transform.scale.map(|[x, _, _]| x.value),
    }
}
