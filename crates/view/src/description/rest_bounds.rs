//! The bounds of a glTF file at rest: of its scene with nodes, joints and morph weights as they are stored.

use super::joined;
use rigy_base::meter::Cost;
use rigy_gltf::{File, Mesh};
use rigy_kernel::math::Bounds;
use rigy_kernel::simd::Isa;
use rigy_models::bake::{ShownPositions, Skinning};
use rigy_models::mesh::{distinct_positions, shown_nodes};

/// Fewest vertices that a primitive counts as.
const LEAST: usize = 16;

/// The bounds of all vertices that the file shows; `None` if there are none.
///
/// # Errors
/// A message if it takes too much work, or if a number of the file cannot be used.
pub fn at_rest(file: &File) -> Result<Option<Bounds>, String> {
    let nodes = shown_nodes(file);
    let efforts: Vec<u64> = file.meshes.iter().map(effort).collect();
    let of_nodes = nodes.iter().filter_map(|node| {
        let effort = efforts[file.nodes[*node].mesh?];
        Some(effort.saturating_mul(file.instance_count(*node) as u64))
    });
    let placed = { file.meter }.spend(Cost::Placed, of_nodes.fold(0, u64::saturating_add));
    placed.map_err(|over| format!("{}; {}", over.message, over.help))?;
    let shown = ShownPositions::new(file, nodes, distinct_positions);
    let solver = (&Skinning::linear(), Isa::best());
    let mut bounds = None;
    let found = shown.at(None, solver, &|_| true, &mut |_, positions| {
        bounds = joined(bounds, Bounds::of_interleaved(positions.as_flattened()));
    });
    found.map_err(|errors| errors[0].message_with_path().into_owned())?;
    Ok(bounds)
}

/// The steps that the vertices of a mesh take in one place.
fn effort(mesh: &Mesh) -> u64 {
    let primitives = distinct_positions(mesh).into_iter();
    let efforts = primitives.map(|index| {
        let primitive = &mesh.primitives[index];
        let terms = 1 + primitive.targets.len() + primitive.influences.len();
        primitive.vertex_count.max(LEAST).saturating_mul(terms) as u64
    });
    efforts.fold(0, u64::saturating_add)
}
