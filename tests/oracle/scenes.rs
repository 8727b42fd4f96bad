//! Scenes (`extensions.md` 12): every document that is used is written once, then a tree of nodes shows them.

use serde_yaml::Value;

use super::arithmetic::Vec3;
use super::composition::{anchor, column_major};
use super::document::Document;
use super::export::{Asset, emit, mesh_name_of};
use super::glb::Glb;
use super::json::Object;
use super::paths;
use super::placement::{frame, place};
use super::reading;
use super::weights::ReadFile;
use super::yaml::{field, list, load, number, string};

/// A document under one of the scene's aliases, and the meshes that it brought: name and number.
struct Used {
    alias: String,
    path: String,
    document: Document,
    meshes: Vec<(String, usize)>,
}

pub fn compile(text: &str, read: ReadFile) -> Vec<u8> {
    let root = load(text);
    let scene = &root["scene"];
    let mut aliases = vec![string(scene, "base")];
    all_aliases(scene, &mut aliases);
    let mut glb = Glb::default();
    let write = |alias: String| written(&mut glb, &root, alias, read);
    let used: Vec<Used> = aliases.into_iter().map(write).collect();
    glb.scene_nodes = vec![glb.nodes.len()];
    let base = string(scene, "base");
    node(
        &mut glb,
        &used,
        Node {
            base: &base,
            name: "scene",
            of: scene,
            matrix: None,
        },
        read,
    );
    glb.file()
}

/// In the order of first use, depth first.
fn all_aliases(parent: &Value, aliases: &mut Vec<String>) {
    for child in list(parent, "children") {
        let alias = string(child, "base");
        if !aliases.contains(&alias) {
            aliases.push(alias);
        }
        all_aliases(child, aliases);
    }
}

/// Writes a document as if it stood alone; its nodes stay behind without a parent.
fn written(glb: &mut Glb, root: &Value, alias: String, read: ReadFile) -> Used {
    let path = paths::join("", &string(&root["imports"], &alias));
    let document = reading::read(&String::from_utf8(read(&path)).expect("UTF-8"));
    let asset = Asset {
        document: &document,
        directory: paths::directory(&path),
        prefix: "",
    };
    let name = |id: &String| {
        mesh_name_of(
            document
                .meshes
                .iter()
                .find(|m| m.id == *id)
                .expect("a mesh"),
        )
    };
    let emitted = emit(glb, &asset, None, read);
    let meshes = emitted
        .iter()
        .map(|(id, number)| (name(id), *number))
        .collect();
    Used {
        alias,
        path,
        document,
        meshes,
    }
}

/// The node of the scene itself, or of a child.
struct Node<'a> {
    base: &'a str,
    name: &'a str,
    /// The children are listed here.
    of: &'a Value,
    matrix: Option<[f64; 16]>,
}

/// Writes a node, the meshes below it and its children; returns its number.
fn node(glb: &mut Glb, used: &[Used], this: Node, read: ReadFile) -> usize {
    let number = glb.nodes.len();
    glb.nodes.push(String::new()); // its children have no numbers yet
    let asset = find(used, this.base);
    let mut children = Vec::new();
    for (mesh_name, mesh) in &asset.meshes {
        let name = match this.matrix {
            None => mesh_name.clone(),
            Some(_) => format!("{}.{mesh_name}", this.name),
        };
        let mut node = Object::default();
        node.integer("mesh", *mesh).text("name", &name);
        children.push(glb.nodes.len());
        glb.nodes.push(node.end());
    }
    for child in list(this.of, "children") {
        let (base, name) = (string(child, "base"), string(child, "id"));
        let matrix = matrix(child, asset, find(used, &base), read);
        let child = Node {
            base: &base,
            name: &name,
            of: child,
            matrix: Some(matrix),
        };
        children.push(node(glb, used, child, read));
    }
    let mut node = Object::default();
    node.integers("children", &children);
    if let Some(matrix) = this.matrix {
        node.reals("matrix", &matrix);
    }
    node.text("name", this.name);
    glb.nodes[number] = node.end();
    number
}

fn find<'a>(used: &'a [Used], alias: &str) -> &'a Used {
    let found = used.iter().find(|used| used.alias == alias);
    found.expect("a known alias")
}

/// From the child's space to its parent's, in column-major order; without -0.0.
fn matrix(child: &Value, parent: &Used, part: &Used, read: ReadFile) -> [f64; 16] {
    let place_of = &child["place"];
    let slot = frame(points(&place_of["slot"], parent, "slots.", read));
    let mount = frame(points(&place_of["mount"], part, "mounts.", read));
    let rotate = field(place_of, "rotate").map_or("0deg", |text| text.as_str().expect("a string"));
    let nudge = field(place_of, "nudge");
    let shift = ["east", "up", "north"].map(|key| {
        let distance = nudge.and_then(|nudge| field(nudge, key));
        distance.map_or(0.0, metres)
    });
    column_major(&place(&slot, &mount, rotate, shift)).map(|element| element + 0.0)
}

/// A number of metres, or text with a unit.
fn metres(distance: &Value) -> f64 {
    let Some(text) = distance.as_str() else {
        return number(distance);
    };
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let factor = match &text[digits.len()..] {
        "" | "m" => 1.0,
        "cm" => 0.01,
        "in" => 0.0254,
        "ft" => 0.3048,
        unit => panic!("no unit {unit}"),
    };
    let number: f64 = digits.parse().expect("a number");
    number * factor
}

/// Three anchors, listed or by the name of a frame set in the contract beside the document.
fn points(reference: &Value, used: &Used, kind: &str, read: ReadFile) -> [Vec3; 3] {
    let contract;
    let ids = match field(reference, "name") {
        None => list(reference, "anchors"),
        Some(name) => {
            let name = name.as_str().expect("a string");
            contract = load(&String::from_utf8(read(&contract_path(&used.path))).expect("UTF-8"));
            let sets = &contract["frame3_sets"];
            let found = field(sets, &format!("{kind}{name}")).or(field(sets, name));
            found.and_then(Value::as_sequence).expect("a frame set")
        }
    };
    let ids: Vec<&str> = ids.iter().map(|id| id.as_str().expect("an id")).collect();
    std::array::from_fn(|i| anchor(&used.document, ids[i]))
}

fn contract_path(path: &str) -> String {
    let stem = path
        .strip_suffix(".rigy.yaml")
        .or(path.strip_suffix(".rigy.yml"));
    format!("{}.ricy.yaml", stem.expect("a document"))
}
