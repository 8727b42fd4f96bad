//! From a document to a GLB, mesh by mesh (§8): the ordinary skinned export, or the export baked
//! with one pose.

use super::arithmetic::{Vec3, subtract};
use super::composition;
use super::document::{Armature, Binding, Document, Mesh, Pose, Solver};
use super::geometry::{Geometry, rest_geometry};
use super::glb::{Glb, bounds};
use super::json::Object;
use super::paths;
use super::posed::posed;
use super::solvers::inverse_bind_matrix;
use super::weights::{ReadFile, Slots, influences};

/// The whole file; with a pose it is baked, and instances are left out.
pub fn export(document: &Document, pose: Option<&Pose>, read: ReadFile) -> Vec<u8> {
    let mut glb = Glb::default();
    let root = Asset::root(document);
    let meshes = emit(&mut glb, &root, pose, read);
    if pose.is_none() {
        for instance in &document.instances {
            composition::emit(&mut glb, document, instance, &meshes, read);
        }
    }
    glb.file()
}

/// A document on its way out: the root, or a part under the name of its instance.
pub struct Asset<'a> {
    pub document: &'a Document,
    /// Where it lies, seen from the root document's directory.
    pub directory: &'a str,
    /// Before every mesh, bone and skin name.
    pub prefix: &'a str,
}

impl<'a> Asset<'a> {
    pub fn root(document: &'a Document) -> Asset<'a> {
        Asset {
            document,
            directory: "",
            prefix: "",
        }
    }
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
pub struct Part<'a> {
    pub mesh: &'a Mesh,
    pub prefix: &'a str,
    pub rest: Geometry,
    pub bound: Option<Bound<'a>>,
}

/// The part of a mesh that its binding adds.
pub struct Bound<'a> {
    pub armature: &'a Armature,
    pub slots: Vec<Slots>,
    pub solver: Solver,
}

/// None for a mesh without vertices, which is skipped entirely (§8).
pub fn part<'a>(mesh: &'a Mesh, asset: &Asset<'a>, read: ReadFile) -> Option<Part<'a>> {
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

/// `language.md` 4.3: one material per name in a file, at the place of the first asset that names it.
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
pub fn mesh_name(part: &Part) -> String {
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
