//! Instances (§8.1, `language.md` 4): a node with a matrix, over a mesh of the document itself or
//! over everything a part brings. A part is read, expanded and written anew for every instance.

use super::arithmetic::{Matrix, Vec3};
use super::attach::attach3;
use super::document::{Attach, Document, Instance, InstanceOf};
use super::export::{Asset, emit as emit_asset};
use super::glb::Glb;
use super::json::Object;
use super::paths;
use super::reading;
use super::weights::ReadFile;

const IDENTITY: Matrix<4> = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// Writes one instance of the root document; `meshes` are those the root brought (id, number).
pub fn emit(
    glb: &mut Glb,
    root: &Document,
    instance: &Instance,
    meshes: &[(String, usize)],
    read: ReadFile,
) {
    match &instance.of {
        InstanceOf::Mesh(id) => local(glb, root, instance, mesh_number(root, meshes, id)),
        InstanceOf::Import(namespace) => imported(glb, root, instance, namespace, read),
    }
}

/// `language.md` D24: none for an empty mesh.
fn mesh_number(root: &Document, meshes: &[(String, usize)], id: &str) -> Option<usize> {
    assert!(
        root.meshes.iter().any(|mesh| mesh.id == id),
        "no mesh {id:?}"
    );
    let found = meshes.iter().find(|(known, _)| known == id);
    found.map(|(_, number)| *number)
}

/// A node that shows a mesh once more, without its skin.
fn local(glb: &mut Glb, root: &Document, instance: &Instance, mesh: Option<usize>) {
    let matrix = instance.attach.as_ref().map(|attach| {
        let from = attach.from.each_ref().map(|id| anchor(root, id));
        attach3(from, to_points(root, attach), attach.mode)
    });
    let mut node = Object::default();
    node.optional_integer("mesh", mesh)
        .reals("matrix", &column_major(&matrix.unwrap_or(IDENTITY)))
        .text("name", &instance.id);
    glb.scene_nodes.push(glb.nodes.len());
    glb.nodes.push(node.end());
}

/// A node above all scene nodes of the part. The part's own instances are left out.
fn imported(glb: &mut Glb, root: &Document, instance: &Instance, namespace: &str, read: ReadFile) {
    let import = root.imports.iter().find(|(known, _)| known == namespace);
    let path = paths::join("", &import.expect("a known import").1);
    let text = String::from_utf8(read(&path)).expect("UTF-8");
    let part = reading::read(&text);
    let attach = instance.attach.as_ref().expect("an attach3");
    let from = attach
        .from
        .each_ref()
        .map(|reference| anchor(&part, anchor_of_part(reference, namespace)));
    let matrix = attach3(from, to_points(root, attach), attach.mode);

    let number = glb.nodes.len();
    glb.nodes.push(String::new()); // its children have no numbers yet
    let mut scene_nodes = std::mem::take(&mut glb.scene_nodes);
    let asset = Asset {
        document: &part,
        directory: paths::directory(&path),
        prefix: &format!("{}.", instance.id),
    };
    emit_asset(glb, &asset, None, read);
    let mut node = Object::default();
    node.integers("children", &glb.scene_nodes)
        .reals("matrix", &column_major(&matrix))
        .text("name", &instance.id);
    glb.nodes[number] = node.end();
    scene_nodes.push(number);
    glb.scene_nodes = scene_nodes;
}

/// `language.md` 4.3: with a dot, the namespace stands before the first one.
fn anchor_of_part<'a>(reference: &'a str, namespace: &str) -> &'a str {
    match reference.split_once('.') {
        None => reference,
        Some((before, id)) => {
            assert_eq!(before, namespace, "{reference:?} names another namespace");
            id
        }
    }
}

/// Dots mean nothing in `to`.
fn to_points(root: &Document, attach: &Attach) -> [Vec3; 3] {
    attach.to.each_ref().map(|id| anchor(root, id))
}

pub fn anchor(document: &Document, id: &str) -> Vec3 {
    let found = document.anchors.iter().find(|anchor| anchor.id == id);
    found
        .unwrap_or_else(|| panic!("no anchor {id:?}"))
        .translation
}

pub fn column_major(rows: &Matrix<4>) -> [f64; 16] {
    std::array::from_fn(|i| rows[i % 4][i / 4])
}
