//! From a document to a GLB, mesh by mesh (§8): the ordinary skinned export, or the export baked
//! with one pose.

use std::ops::Range;

use super::arithmetic::{Vec3, subtract};
use super::composition;
use super::document::{Armature, Binding, Document, Mesh, Pose, Primitive, Solver};
use super::geometry::{Geometry, rest_geometry};
use super::glb::{Glb, bounds};
use super::json::{self, Object};
use super::materials;
use super::paths;
use super::posed::posed;
use super::solvers::inverse_bind_matrix;
use super::uv;
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
    materials::emit(glb, asset, read);
    for mesh in &asset.document.meshes {
        let Some(part) = part(mesh, asset, read) else {
            continue;
        };
        match pose {
            None => skinned(glb, asset, &part, read),
            Some(pose) => baked(glb, asset, &part, pose, read),
        }
        emitted.push((mesh.id.clone(), glb.meshes.len() - 1));
    }
    emitted
}

/// A mesh with primitives, ready to be written.
pub struct Part<'a> {
    document: &'a Document,
    pub mesh: &'a Mesh,
    pub prefix: &'a str,
    pub rest: Geometry,
    /// A pair for each vertex of each set.
    pub uv_sets: Vec<Vec<[f64; 2]>>,
    pub bound: Option<Bound<'a>>,
}

impl Part<'_> {
    /// The second number of the version of the file that owns the mesh.
    fn minor(&self) -> u32 {
        self.document.minor
    }
}

/// The part of a mesh that its binding adds.
pub struct Bound<'a> {
    pub armature: &'a Armature,
    pub slots: Vec<Slots>,
    pub solver: Solver,
}

/// None for a mesh without primitives, which is skipped entirely (§8, `extensions.md` 7.2).
pub fn part<'a>(mesh: &'a Mesh, asset: &Asset<'a>, read: ReadFile) -> Option<Part<'a>> {
    if mesh.primitives.is_empty() {
        return None;
    }
    let rest = rest_geometry(mesh);
    let uv_sets = mesh.uv_sets.iter();
    Some(Part {
        document: asset.document,
        uv_sets: uv_sets.map(|generator| uv_set(generator, &rest)).collect(),
        mesh,
        prefix: asset.prefix,
        bound: bind(asset, mesh, &rest, read),
        rest,
    })
}

fn uv_set(generator: &str, rest: &Geometry) -> Vec<[f64; 2]> {
    let pairs = |(_, range): &(String, Range<usize>)| {
        uv::coordinates(generator, &rest.positions[range.clone()])
    };
    rest.ranges.iter().flat_map(pairs).collect()
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

/// The stretch of a mesh that becomes one glTF primitive: all of it below 0.12, then each Rigy primitive
/// (`extensions.md` 7).
struct Stretch<'a> {
    vertices: Range<usize>,
    indices: Range<usize>,
    primitives: &'a [Primitive],
}

fn stretches<'a>(part: &Part<'a>) -> Vec<Stretch<'a>> {
    let rest = &part.rest;
    let primitives = part.mesh.primitives.as_slice();
    if part.minor() < 12 {
        return vec![Stretch {
            vertices: 0..rest.positions.len(),
            indices: 0..rest.indices.len(),
            primitives,
        }];
    }
    let each = |number: usize| Stretch {
        vertices: rest.ranges[number].1.clone(),
        indices: rest.index_ranges[number].clone(),
        primitives: &primitives[number..=number],
    };
    (0..primitives.len()).map(each).collect()
}

/// The vertices as they are written, and whether bounds are those of the f32 numbers (§9.2).
struct Shape {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    rounded_bounds: bool,
}

/// Writes the blocks of a stretch; returns its glTF primitive.
fn stretch(glb: &mut Glb, part: &Part, shape: &Shape, stretch: &Stretch, skinned: bool) -> Object {
    let range = stretch.vertices.clone();
    let first = range.start as u32;
    let mut attributes = Object::default();
    let positions = &shape.positions[range.clone()];
    let bounds = bounds_of(positions, shape.rounded_bounds);
    attributes.integer("POSITION", glb.positions(positions, bounds));
    attributes.integer("NORMAL", glb.normals(&shape.normals[range.clone()]));
    let indices = &part.rest.indices[stretch.indices.clone()];
    let indices: Vec<u32> = indices.iter().map(|index| index - first).collect();
    let indices = glb.indices(&indices);
    for (set, pairs) in part.uv_sets.iter().enumerate() {
        let accessor = glb.uv(&pairs[range.clone()]);
        attributes.integer(&format!("TEXCOORD_{set}"), accessor);
    }
    if let Some(bound) = part.bound.as_ref().filter(|_| skinned) {
        let slots = &bound.slots[range];
        let joints: Vec<[u16; 4]> = slots.iter().map(|s| s.map(|(j, _)| j as u16)).collect();
        let weights: Vec<[f64; 4]> = slots.iter().map(|s| s.map(|(_, w)| w)).collect();
        attributes.integer("JOINTS_0", glb.joints(&joints));
        attributes.integer("WEIGHTS_0", glb.weights(&weights));
    }
    let mut primitive = Object::default();
    let extras = extras(part.minor(), stretch.primitives);
    if !extras.is_empty() {
        primitive.raw("extras", &extras.end());
    }
    primitive
        .raw("attributes", &attributes.end())
        .integer("indices", indices)
        .integer("mode", 4);
    primitive
}

/// §9.4, as authored or rounded to f32 first; none without vertices.
fn bounds_of(positions: &[Vec3], rounded: bool) -> Option<(Vec3, Vec3)> {
    let round = |p: &Vec3| p.map(|x| if rounded { f64::from(x as f32) } else { x });
    let positions: Vec<Vec3> = positions.iter().map(round).collect();
    (!positions.is_empty()).then(|| bounds(&positions))
}

/// `extensions.md` 6.
fn extras(minor: u32, primitives: &[Primitive]) -> Object {
    let mut tags: Vec<String> = Vec::new();
    let mut extras = Object::default();
    if minor >= 12 {
        extras.text("rigy_id", &primitives[0].id);
    }
    for tag in primitives.iter().flat_map(|p| &p.tags) {
        let text = json::string(tag);
        if minor >= 12 || !tags.contains(&text) {
            tags.push(text);
        }
    }
    extras.list("rigy_tags", &tags);
    extras
}

/// §8, middle column: rest geometry, and a skin when bound. Bounds are the f64 coordinates below 0.12.
fn skinned(glb: &mut Glb, asset: &Asset, part: &Part, read: ReadFile) {
    let shape = Shape {
        positions: part.rest.positions.clone(),
        normals: part.rest.normals.clone(),
        rounded_bounds: part.minor() >= 12,
    };
    let primitives = primitives(glb, asset, part, &shape, true, read);
    let Some(bound) = &part.bound else {
        mesh_object(glb, part, &primitives);
        mesh_node(glb, part, None);
        return;
    };
    let bones = bound.armature.bones.iter();
    let matrices: Vec<[f64; 16]> = bones.map(|bone| column_major(bone.head)).collect();
    let inverse_bind_matrices = glb.matrices(&matrices);
    mesh_object(glb, part, &primitives);
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

fn primitives(
    glb: &mut Glb,
    asset: &Asset,
    part: &Part,
    shape: &Shape,
    skinned: bool,
    read: ReadFile,
) -> Vec<String> {
    let each = |this: &Stretch| {
        let mut primitive = stretch(glb, part, shape, this, skinned);
        let first = &this.primitives[0];
        let material = materials::of_primitive(glb, asset, part.mesh, first, read);
        primitive.optional_integer("material", material).end()
    };
    stretches(part).iter().map(each).collect()
}

/// §5: the inverse bind matrix, column after column.
fn column_major(head: Vec3) -> [f64; 16] {
    let rows = inverse_bind_matrix(head);
    std::array::from_fn(|i| rows[i % 4][i / 4])
}

/// §8, right column: posed geometry and bare bone nodes. Bounds are the f32 coordinates (§9.2).
fn baked(glb: &mut Glb, asset: &Asset, part: &Part, pose: &Pose, read: ReadFile) {
    let (positions, normals) = posed(part, pose);
    let shape = Shape {
        positions,
        normals,
        rounded_bounds: true,
    };
    let primitives = primitives(glb, asset, part, &shape, false, read);
    mesh_object(glb, part, &primitives);
    mesh_node(glb, part, None);
    if let Some(bound) = &part.bound {
        bone_nodes(glb, part.prefix, bound.armature, false);
    }
}

fn mesh_object(glb: &mut Glb, part: &Part, primitives: &[String]) {
    let mut mesh = Object::default();
    mesh.list("primitives", primitives)
        .text("name", &mesh_name(part));
    glb.meshes.push(mesh.end());
}

pub fn mesh_name(part: &Part) -> String {
    format!("{}{}", part.prefix, mesh_name_of(part.mesh))
}

/// §9: the name, or the id when it is missing or empty.
pub fn mesh_name_of(mesh: &Mesh) -> String {
    mesh.name.as_ref().unwrap_or(&mesh.id).clone()
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
