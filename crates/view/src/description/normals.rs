//! Normals that disagree with the triangles of their primitive.

use std::collections::HashSet;

use rigy_base::diag::Code;
use rigy_gltf::{File, Problem};
use rigy_models::mesh::{Drawn, Shown, corner_count, is_of_document};

/// Most vertices and corners of a primitive that is looked at, because all of them are in memory.
const MOST: u64 = 1 << 22;

/// Returns a warning for each primitive of the scene most of whose triangles have normals that point to their backs: viewers
/// light these surfaces from the wrong side. Documents are left out, because their triangles turn the other way by the
/// contract. Very large primitives are left out, too, and those that cannot be read are left to the checks of vertices.
pub fn warnings(file: &File) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let Some(shown) = Shown::new(file)
        .ok()
        .filter(|_| !is_of_document(&file.tree))
    else {
        return warnings;
    };
    let mut seen = HashSet::new();
    for index in 0..shown.primitive_count() {
        let Drawn {
            mesh, primitive, ..
        } = shown.place(index);
        if !seen.insert((mesh, primitive)) {
            continue;
        }
        let data = &file.meshes[mesh].primitives[primitive];
        if data.vertex_count as u64 + corner_count(file, data) > MOST {
            continue;
        }
        let Ok(surface) = shown.surface(index) else {
            continue;
        };
        let opposed = surface.opposed_triangles();
        let count = surface.triangles.len();
        if 2 * opposed > count {
            let path = format!("meshes[{mesh}].primitives[{primitive}].attributes.NORMAL");
            let message = format!(
                "the normals of {opposed} of {count} triangles point to the back of the triangle"
            );
            warnings.push(Problem::rule(&path, message).code(Code::W07).help("turn the normals or the triangles, or viewers light the surface from its other side"));
        }
    }
    warnings
}
