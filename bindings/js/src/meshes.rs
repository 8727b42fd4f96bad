//! Meshes and instances of compiled documents, as JSON and numbers.

use std::collections::HashMap;
use std::{iter, ptr};

use rigy_batch::Compiled;
use rigy_batch::compile::Placement;
use rigy_batch::geometry::scene;
use rigy_batch::glb::Posed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::{Answer, Part};

/// The place of a mesh.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub struct MeshId {
    /// The part that has it; `None` for the document itself.
    part: Option<usize>,
    /// Its index there.
    index: usize,
}

fn meshes(compiled: &Compiled, part: Option<usize>) -> Option<&[scene::Mesh]> {
    let assembly = compiled.assembly();
    match part {
        None => Some(&assembly.root.meshes),
        Some(part) => assembly.parts.get(part).map(|part| &*part.meshes),
    }
}

/// Returns the facts about the meshes of the document itself; of a scene, about those of the part that the others stand on.
pub fn own(compiled: &Compiled) -> Value {
    let part = compiled.is_scene().then_some(0); // the parts are in the order of first use
    let meshes = meshes(compiled, part).unwrap_or_default().iter();
    let facts = meshes
        .enumerate()
        .map(|(index, mesh)| facts(mesh, MeshId { part, index }));
    facts.collect()
}

fn facts(mesh: &scene::Mesh, id: MeshId) -> Value {
    let geometry = &mesh.geometry;
    let ranges = geometry.primitives.iter().zip(&geometry.primitive_indices);
    let primitives = ranges.map(|(vertices, indices)| {
        json!({
            "vertices": [vertices.start, vertices.end],
            "triangles": [indices.start / 3, indices.end / 3],
        })
    });
    json!({
        "id": id,
        "name": mesh.name,
        "isSkinned": mesh.skin.is_some(),
        "vertexCount": geometry.positions.len(),
        "triangleCount": geometry.indices.len() / 3,
        "primitives": primitives.collect::<Value>(),
    })
}

/// Answers the arrays of a mesh at rest: positions, normals, indices and UV sets. Returns `None` if there is no such mesh.
pub fn arrays(compiled: &Compiled, id: MeshId) -> Option<Answer> {
    let geometry = &meshes(compiled, id.part)?.get(id.index)?.geometry;
    let at_rest = Posed::at_rest(geometry);
    let set = |[us, vs]: &[Vec<f64>; 2]| {
        let numbers = us.iter().zip(vs).flat_map(|(u, v)| [*u as f32, *v as f32]);
        Part::Floats(numbers.collect())
    };
    let answer = Answer::new(Value::Null)
        .with(Part::Floats(at_rest.positions))
        .with(Part::Floats(at_rest.normals))
        .with(Part::Indices(geometry.indices.clone()));
    Some(geometry.uvs.iter().map(set).fold(answer, Answer::with))
}

/// Returns everything that is placed, with the facts about its meshes.
pub fn instances(compiled: &Compiled) -> Value {
    let assembly = compiled.assembly();
    let parts = assembly.parts.iter().enumerate();
    let parts = parts.map(|(part, scene)| (Some(part), &**scene));
    let scenes = iter::once((None, &assembly.root)).chain(parts);
    // Meshes are recognised by their address, which is their own as long as the document is there.
    let known: HashMap<*const scene::Mesh, MeshId> = scenes
        .flat_map(|(part, scene)| {
            let meshes = scene.meshes.iter().enumerate();
            meshes.map(move |(index, mesh)| (ptr::from_ref(mesh), MeshId { part, index }))
        })
        .collect();
    let instance = |placed: Placement<'_>| {
        let id_of = |mesh: &scene::Mesh| known.get(&ptr::from_ref(mesh)).copied();
        let meshes = placed.meshes.iter();
        let meshes = meshes.filter_map(|mesh| Some(facts(mesh, id_of(mesh)?)));
        let [x, y, z] = placed.matrix;
        let columns = (0..4).flat_map(|column| {
            [
                x[column],
                y[column],
                z[column],
                f64::from(u8::from(column == 3)),
            ]
        });
        json!({
            "id": placed.id,
            "base": placed.base,
            "matrix": columns.collect::<Vec<f64>>(),
            "meshes": meshes.collect::<Value>(),
        })
    };
    compiled.placements().into_iter().map(instance).collect()
}
