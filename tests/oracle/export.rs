//! From a document to a GLB, mesh by mesh (§8): the ordinary skinned export, or the export baked
//! with one pose.

use std::collections::BTreeMap;

use super::arithmetic::{Vec3, subtract};
use super::composition;
use super::document::{Armature, Binding, Document, Mesh, Pose, Solver};
use super::geometry::{Geometry, rest_geometry};
use super::glb::{Glb, bounds};
use super::json::{Object, real};
use super::paths;
use super::solvers::{Bone, dqs_vertex, inverse_bind_matrix, lbs_vertex};
use super::weights::{ReadFile, Slots, influences};

/// The whole file; with a pose it is baked, and instances are left out.
pub fn export(document: &Document, pose: Option<&Pose>, read: ReadFile) -> Vec<u8> {
    let mut glb = Glb::default();
    let root = Asset {
        document,
        directory: "",
        prefix: "",
    };
    let meshes = emit(&mut glb, &root, pose, read);
    if pose.is_none() {
        for instance in &document.instances {
            composition::emit(&mut glb, document, instance, &meshes, read);
        }
    }
    glb.file()
}

/// The secondary format: every mesh with vertices under its output name, posed, as f32 values.
/// Of two meshes with one name the later is kept.
pub fn positions(document: &Document, pose: &Pose, read: ReadFile) -> Vec<u8> {
    let root = Asset {
        document,
        directory: "",
        prefix: "",
    };
    // Byte order of UTF-8 is the order of code points.
    let mut entries = BTreeMap::new();
    for mesh in &document.meshes {
        let Some(part) = part(mesh, &root, read) else {
            continue;
        };
        let (positions, normals) = posed(&part, pose);
        let mut entry = Object::default();
        entry
            .raw("normals", &vector_list(&normals))
            .raw("positions", &vector_list(&positions));
        entries.insert(mesh_name(&part), entry.end());
    }
    let mut all = Object::default();
    for (name, entry) in &entries {
        all.raw(name, entry);
    }
    all.end().into_bytes()
}

fn vector_list(vectors: &[Vec3]) -> String {
    let text = |vector: &Vec3| {
        let [x, y, z] = vector.map(|value| real(f64::from(value as f32)));
        format!("[{x},{y},{z}]")
    };
    let texts: Vec<String> = vectors.iter().map(text).collect();
    format!("[{}]", texts.join(","))
}

/// A document on its way out: the root, or a part under the name of its instance.
pub struct Asset<'a> {
    pub document: &'a Document,
    /// Where it lies, seen from the root document's directory.
    pub directory: &'a str,
    /// Before every mesh, bone and skin name.
    pub prefix: &'a str,
}

/// Writes the materials and meshes of an asset; its scene nodes are appended to `glb.scene_nodes`.
/// The answer pairs the ids of the meshes that have vertices with their numbers in the file.
pub fn emit(
    glb: &mut Glb,
    asset: &Asset,
    pose: Option<&Pose>,
    read: ReadFile,
) -> Vec<(String, usize)> {
    let mut emitted = Vec::new();
    for name in material_names(asset.document) {
        material_index(glb, name);
    }
    for mesh in &asset.document.meshes {
        let Some(part) = part(mesh, asset, read) else {
            continue;
        };
        match pose {
            None => skinned(glb, &part),
            Some(pose) => baked(glb, &part, pose),
        }
        emitted.push((mesh.id.clone(), glb.meshes.len() - 1));
    }
    emitted
}

/// A mesh with vertices, ready to be written.
struct Part<'a> {
    mesh: &'a Mesh,
    prefix: &'a str,
    rest: Geometry,
    bound: Option<Bound<'a>>,
}

/// What a binding adds to a mesh.
struct Bound<'a> {
    armature: &'a Armature,
    slots: Vec<Slots>,
    solver: Solver,
}

/// None for a mesh without vertices, which is skipped entirely (§8).
fn part<'a>(mesh: &'a Mesh, asset: &Asset<'a>, read: ReadFile) -> Option<Part<'a>> {
    let rest = rest_geometry(mesh);
    if rest.positions.is_empty() {
        return None;
    }
    Some(Part {
        mesh,
        prefix: asset.prefix,
        bound: bind(asset, mesh, &rest, read),
        rest,
    })
}

/// The binding of a mesh, if it has one. Solver: `language.md` 6.
fn bind<'a>(asset: &Asset<'a>, mesh: &Mesh, rest: &Geometry, read: ReadFile) -> Option<Bound<'a>> {
    let document = asset.document;
    let binding: &Binding = document.bindings.iter().find(|b| b.mesh_id == mesh.id)?;
    let armature = document
        .armatures
        .iter()
        .find(|a| a.id == binding.armature_id);
    let armature = armature.expect("a known armature");
    // A weight file lies beside the document that names it (`language.md` D17).
    let read_beside = |source: &str| read(&paths::join(asset.directory, source));
    Some(Bound {
        armature,
        slots: influences(rest, armature, binding, &read_beside),
        solver: binding.solver.or(document.solver).unwrap_or(Solver::Lbs),
    })
}

/// `language.md` 7.2: each new name in mesh order, then primitive order.
fn material_names(document: &Document) -> Vec<&String> {
    let primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives
        .filter_map(|primitive| primitive.material.as_ref())
        .collect()
}

/// `language.md` 4.3: one material per name in a file, whichever asset names it first.
fn material_index(glb: &mut Glb, name: &str) -> usize {
    let object = material(name);
    if !glb.materials.contains(&object) {
        glb.materials.push(object.clone());
    }
    let found = glb.materials.iter().position(|known| *known == object);
    found.expect("just added")
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
    let first_node = bone_nodes(glb, part.prefix, bound.armature, true);
    skin(
        glb,
        part.prefix,
        bound.armature,
        inverse_bind_matrices,
        first_node,
    );
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
        bone_nodes(glb, part.prefix, bound.armature, false);
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
    let material = part.mesh.primitives[0].material.as_ref();
    let material = material.map(|name| material_index(glb, name));
    let mut primitive = Object::default();
    primitive
        .raw("attributes", &attributes.end())
        .integer("indices", indices)
        .integer("mode", 4)
        .optional_integer("material", material);
    let mut mesh = Object::default();
    mesh.list("primitives", &[primitive.end()])
        .text("name", &mesh_name(part));
    glb.meshes.push(mesh.end());
}

/// §9: the name, or the id when it is missing or empty.
fn mesh_name(part: &Part) -> String {
    let name = part.mesh.name.as_ref().unwrap_or(&part.mesh.id);
    format!("{}{name}", part.prefix)
}

/// The node of the mesh pushed last.
fn mesh_node(glb: &mut Glb, part: &Part, skin: Option<usize>) {
    let mut node = Object::default();
    node.integer("mesh", glb.meshes.len() - 1)
        .optional_integer("skin", skin)
        .text("name", &mesh_name(part));
    glb.scene_nodes.push(glb.nodes.len());
    glb.nodes.push(node.end());
}

/// §8: one node per bone in list order; returns the index of the first.
fn bone_nodes(glb: &mut Glb, prefix: &str, armature: &Armature, with_translation: bool) -> usize {
    let first_node = glb.nodes.len();
    for (index, bone) in armature.bones.iter().enumerate() {
        let mut node = Object::default();
        if with_translation {
            node.reals("translation", &node_translation(armature, index));
        }
        node.integers("children", &children(armature, index, first_node));
        node.text("name", &format!("{prefix}{}", bone.id));
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
fn skin(
    glb: &mut Glb,
    prefix: &str,
    armature: &Armature,
    inverse_bind_matrices: usize,
    first_node: usize,
) {
    let root = armature.bones.iter().position(|bone| bone.is_root());
    let joints: Vec<usize> = (first_node..glb.nodes.len()).collect();
    let name = armature.name.as_ref().unwrap_or(&armature.id);
    let mut skin = Object::default();
    skin.integer("inverseBindMatrices", inverse_bind_matrices)
        .optional_integer("skeleton", root.map(|root| first_node + root))
        .integers("joints", &joints)
        .text("name", &format!("{prefix}{name}"));
    glb.skins.push(skin.end());
}
