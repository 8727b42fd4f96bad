//! From a document to a GLB, mesh by mesh (§8): the ordinary skinned export, or the export baked
//! with one pose.

use super::arithmetic::{Vec3, subtract};
use super::document::{Armature, Binding, Document, Mesh, Pose, Solver};
use super::geometry::{Geometry, rest_geometry};
use super::glb::{Glb, bounds};
use super::json::Object;
use super::solvers::{Bone, dqs_vertex, inverse_bind_matrix, lbs_vertex};
use super::weights::{ReadWeights, Slots, influences};

/// The whole file; with a pose it is baked.
pub fn export(document: &Document, pose: Option<&Pose>, read: ReadWeights) -> Vec<u8> {
    let mut glb = Glb::default();
    let materials = material_names(document);
    glb.materials = materials.iter().map(|name| material(name)).collect();
    for mesh in &document.meshes {
        let rest = rest_geometry(mesh);
        if rest.positions.is_empty() {
            continue;
        }
        let material = mesh.primitives[0].material.as_ref();
        let part = Part {
            mesh,
            material: material.and_then(|name| materials.iter().position(|known| *known == name)),
            bound: bind(document, mesh, &rest, read),
            rest,
        };
        match pose {
            None => skinned(&mut glb, &part),
            Some(pose) => baked(&mut glb, &part, pose),
        }
    }
    glb.file()
}

/// A mesh with vertices, ready to be written.
struct Part<'a> {
    mesh: &'a Mesh,
    rest: Geometry,
    material: Option<usize>,
    bound: Option<Bound<'a>>,
}

/// What a binding adds to a mesh.
struct Bound<'a> {
    armature: &'a Armature,
    slots: Vec<Slots>,
    solver: Solver,
}

/// The binding of a mesh, if it has one. Solver: `language.md` 6.
fn bind<'a>(
    document: &'a Document,
    mesh: &Mesh,
    rest: &Geometry,
    read: ReadWeights,
) -> Option<Bound<'a>> {
    let binding: &Binding = document.bindings.iter().find(|b| b.mesh_id == mesh.id)?;
    let armature = document
        .armatures
        .iter()
        .find(|a| a.id == binding.armature_id);
    let armature = armature.expect("a known armature");
    Some(Bound {
        armature,
        slots: influences(rest, armature, binding, read),
        solver: binding.solver.or(document.solver).unwrap_or(Solver::Lbs),
    })
}

/// `language.md` 7.2: each new name in mesh order, then primitive order.
fn material_names(document: &Document) -> Vec<&String> {
    let mut names = Vec::new();
    for primitive in document.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        if let Some(name) = &primitive.material
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// `decisions.md`, Numbers: a symbolic material, the glTF defaults written out.
fn material(name: &str) -> String {
    let mut roughness = Object::default();
    roughness
        .reals("baseColorFactor", &[1.0, 1.0, 1.0, 1.0])
        .raw("metallicFactor", "1.0")
        .raw("roughnessFactor", "1.0");
    let mut material = Object::default();
    material
        .raw("pbrMetallicRoughness", &roughness.end())
        .reals("emissiveFactor", &[0.0, 0.0, 0.0])
        .text("alphaMode", "OPAQUE")
        .raw("doubleSided", "false")
        .text("name", name);
    material.end()
}

/// §8, middle column: rest geometry, and a skin when bound. Bounds are the f64 coordinates (§9.2).
fn skinned(glb: &mut Glb, part: &Part) {
    let rest = &part.rest;
    let (min, max) = bounds(&rest.positions);
    let mut attributes = Object::default();
    attributes.integer("POSITION", glb.positions(&rest.positions, min, max));
    attributes.integer("NORMAL", glb.normals(&rest.normals));
    let indices = glb.indices(&rest.indices);
    let Some(bound) = &part.bound else {
        mesh_object(glb, part, &attributes, indices);
        mesh_node(glb, part, None);
        return;
    };
    let joints: Vec<[u16; 4]> = bound
        .slots
        .iter()
        .map(|s| s.map(|(j, _)| j as u16))
        .collect();
    let weights: Vec<[f64; 4]> = bound.slots.iter().map(|s| s.map(|(_, w)| w)).collect();
    attributes.integer("JOINTS_0", glb.joints(&joints));
    attributes.integer("WEIGHTS_0", glb.weights(&weights));
    let bones = bound.armature.bones.iter();
    let matrices: Vec<[f64; 16]> = bones.map(|bone| column_major(bone.head)).collect();
    let inverse_bind_matrices = glb.matrices(&matrices);
    mesh_object(glb, part, &attributes, indices);
    mesh_node(glb, part, Some(glb.skins.len()));
    let first_node = bone_nodes(glb, bound.armature, true);
    skin(glb, bound.armature, inverse_bind_matrices, first_node);
}

/// §5: the inverse bind matrix, column after column.
fn column_major(head: Vec3) -> [f64; 16] {
    let rows = inverse_bind_matrix(head);
    std::array::from_fn(|i| rows[i % 4][i / 4])
}

/// §8, right column: posed geometry and bare bone nodes. Bounds are the f32 coordinates (§9.2).
fn baked(glb: &mut Glb, part: &Part, pose: &Pose) {
    let (positions, normals) = posed(part, pose);
    let rounded: Vec<Vec3> = positions
        .iter()
        .map(|p| p.map(|x| f64::from(x as f32)))
        .collect();
    let (min, max) = bounds(&rounded);
    let mut attributes = Object::default();
    attributes.integer("POSITION", glb.positions(&positions, min, max));
    attributes.integer("NORMAL", glb.normals(&normals));
    let indices = glb.indices(&part.rest.indices);
    mesh_object(glb, part, &attributes, indices);
    mesh_node(glb, part, None);
    if let Some(bound) = &part.bound {
        bone_nodes(glb, bound.armature, false);
    }
}

/// Every vertex through the solver of the binding; an unbound mesh stays at rest.
fn posed(part: &Part, pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
    let rest = &part.rest;
    let Some(bound) = &part.bound else {
        return (rest.positions.clone(), rest.normals.clone());
    };
    let bones = posed_bones(bound.armature, pose);
    let vertex = match bound.solver {
        Solver::Lbs => lbs_vertex,
        Solver::Dqs => dqs_vertex,
    };
    let vertices = bound.slots.iter().zip(&rest.positions).zip(&rest.normals);
    vertices
        .map(|((slots, p), n)| vertex(&bones, slots, *p, *n))
        .unzip()
}

/// §6: what the pose does not mention is identity.
fn posed_bones(armature: &Armature, pose: &Pose) -> Vec<Bone> {
    let posed_bone = |bone: &super::document::Bone| {
        let entry = pose.bones.iter().find(|(id, _)| *id == bone.id);
        let entry = entry.map(|(_, entry)| entry);
        let rotation = entry.and_then(|entry| entry.rotation);
        let translation = entry.and_then(|entry| entry.translation);
        Bone {
            head: bone.head,
            rotation: rotation.map_or([1.0, 0.0, 0.0, 0.0], pose_rotation),
            translation: translation.unwrap_or([0.0, 0.0, 0.0]),
        }
    };
    armature.bones.iter().map(posed_bone).collect()
}

/// `decisions.md`, pose quaternion norm: exact within 1e-6, normalised within 2.5e-4.
pub fn pose_rotation([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    let squared = ((w * w + x * x) + y * y) + z * z;
    let e = (squared - 1.0).abs();
    if e <= 1e-6 {
        return [w, x, y, z];
    }
    assert!(e <= 2.5e-4, "not a unit quaternion");
    let n = squared.sqrt();
    [w / n, x / n, y / n, z / n]
}

fn mesh_object(glb: &mut Glb, part: &Part, attributes: &Object, indices: usize) {
    let mut primitive = Object::default();
    primitive
        .raw("attributes", &attributes.end())
        .integer("indices", indices)
        .integer("mode", 4)
        .optional_integer("material", part.material);
    let mut mesh = Object::default();
    mesh.list("primitives", &[primitive.end()])
        .text("name", mesh_name(part.mesh));
    glb.meshes.push(mesh.end());
}

/// §9: the name, or the id when it is missing or empty.
fn mesh_name(mesh: &Mesh) -> &str {
    mesh.name.as_deref().unwrap_or(&mesh.id)
}

/// The node of the mesh pushed last.
fn mesh_node(glb: &mut Glb, part: &Part, skin: Option<usize>) {
    let mut node = Object::default();
    node.integer("mesh", glb.meshes.len() - 1)
        .optional_integer("skin", skin)
        .text("name", mesh_name(part.mesh));
    glb.scene_nodes.push(glb.nodes.len());
    glb.nodes.push(node.end());
}

/// §8: one node per bone in list order; returns the index of the first.
fn bone_nodes(glb: &mut Glb, armature: &Armature, with_translation: bool) -> usize {
    let first_node = glb.nodes.len();
    for (index, bone) in armature.bones.iter().enumerate() {
        let mut node = Object::default();
        if with_translation {
            node.reals("translation", &node_translation(armature, index));
        }
        node.integers("children", &children(armature, index, first_node));
        node.text("name", &bone.id);
        glb.nodes.push(node.end());
        if bone.is_root() {
            glb.scene_nodes.push(first_node + index);
        }
    }
    first_node
}

/// §8: the head relative to the parent's head; a root's head as it is.
fn node_translation(armature: &Armature, index: usize) -> Vec3 {
    let bone = &armature.bones[index];
    let parent = armature.bones.iter().find(|other| other.id == bone.parent);
    match parent {
        Some(parent) if !bone.is_root() => subtract(&bone.head, &parent.head),
        _ => bone.head,
    }
}

/// Nodes of the bones whose parent is this one, in bone-list order.
fn children(armature: &Armature, index: usize, first_node: usize) -> Vec<usize> {
    let id = &armature.bones[index].id;
    let bones = armature.bones.iter().enumerate();
    let children = bones.filter(|(_, bone)| !bone.is_root() && bone.parent == *id);
    children.map(|(child, _)| first_node + child).collect()
}

/// §8: one skin per bound mesh, all bones as joints.
fn skin(glb: &mut Glb, armature: &Armature, inverse_bind_matrices: usize, first_node: usize) {
    let root = armature.bones.iter().position(|bone| bone.is_root());
    let joints: Vec<usize> = (first_node..glb.nodes.len()).collect();
    let mut skin = Object::default();
    skin.integer("inverseBindMatrices", inverse_bind_matrices)
        .optional_integer("skeleton", root.map(|root| first_node + root))
        .integers("joints", &joints)
        .text("name", armature.name.as_deref().unwrap_or(&armature.id));
    glb.skins.push(skin.end());
}
