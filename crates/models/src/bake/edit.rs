//! Editing the JSON of a file, except its accessors: meshes are plain, and there are no animations. Then, for each moment,
//! its animated nodes.
//!
//! In: the tree as it was read, the meshes and the streams. Out: an edited copy of what a baked file has of it;
//! members that this program does not know are unchanged. `layout` fills in accessors and buffer views. New accessors are numbered after those of the input, until `layout` gives all
//! accessors their final indices.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::meshes::{BakedMesh, BakedMeshes};
use super::skeleton::NodeNumbers;
use super::streams::{Streams, is_influence};
use super::winding::Winding;
use crate::glb::number::write_f32;
use rigy_gltf::json::{Value, object};
use rigy_gltf::{Channel, DRACO, File, Pose, Property, Transform};

/// The extension by which a node and all nodes below it can be hidden.
pub const VISIBILITY: &str = "KHR_node_visibility";

/// The extensions of a node that say where instances of its mesh stand, and what they are.
const INSTANCES: [&str; 2] = ["EXT_mesh_gpu_instancing", "EXT_instance_features"];

/// An extension of meshes that gives several primitives one list of indices. It is a shorter form of what the core format says,
/// and is left out because triangles may have been turned over.
const RESTART: &str = "EXT_mesh_primitive_restart";

/// The text of `asset.generator` in every baked file. `bake` recognises files with it as its own outputs, which it may
/// replace although they look like inputs.
pub const GENERATOR: &str = "rigy-batch";

/// The inputs of the edit.
pub struct Edit<'e, 'a> {
    /// The file that is edited.
    pub file: &'e File<'a>,
    /// The meshes of the output.
    pub meshes: &'e BakedMeshes,
    /// The streams that replace attributes.
    pub streams: &'e Streams,
    /// The triangles that are turned over.
    pub winding: &'e Winding,
}

impl<'a> Edit<'_, 'a> {
    /// Returns the edited tree.
    pub fn apply(&self) -> Value<'a> {
        let member = |(key, value): &(Cow<'a, str>, Value<'a>)| {
            let value = match &**key {
                "animations" | "skins" => return None,
                "accessors" | "bufferViews" => Value::Array(Vec::new()),
                "meshes" => Value::Array(self.meshes()),
                _ => value.clone(),
            };
            Some((key.clone(), value))
        };
        let members = self.file.tree.members().iter();
        let mut tree = Value::Object(members.filter_map(member).collect());
        if let Some(asset) = tree.get_mut("asset") {
            asset.set("generator", GENERATOR);
        }
        let mut keys = self.file.animations.iter().flat_map(|one| &one.keys);
        if keys.any(|keys| keys.property == Property::Visibility) {
            declare(&mut tree, VISIBILITY);
        }
        self.edit_nodes(&mut tree);
        self.add_instances(&mut tree);
        tree
    }

    /// The JSON of the meshes of the output.
    fn meshes(&self) -> Vec<Value<'a>> {
        let originals = self.file.tree.list("meshes");
        let replaced = self
            .streams
            .replaced
            .iter()
            .zip(&self.winding.of_primitives);
        self.meshes
            .list
            .iter()
            .zip(replaced)
            .map(|(mesh, (attributes, triangles))| {
                let tree = originals[mesh.source].clone();
                self.mesh(tree, mesh, attributes, triangles)
            })
            .collect()
    }

    /// The JSON of a mesh of the output, made from that of its source; `replaced` has the new accessors of each
    /// primitive, and `turned` the index of the triangles of each that is turned over.
    fn mesh(
        &self,
        mut tree: Value<'a>,
        mesh: &BakedMesh,
        replaced: &[Vec<(String, usize)>],
        turned: &[Option<usize>],
    ) -> Value<'a> {
        let source = &self.file.meshes[mesh.source];
        let had_targets = !source.weights.is_empty();
        tree.remove("weights");
        remove_extension(&mut tree, RESTART);
        if had_targets {
            remove_member(&mut tree, "extras", "targetNames");
        }
        let primitives = tree.array_mut("primitives");
        let of_primitives = replaced.iter().zip(turned).zip(&source.primitives);
        for (primitive, ((replaced, turned), data)) in
            primitives.into_iter().flatten().zip(of_primitives)
        {
            primitive.remove("targets");
            if had_targets {
                remove_member(primitive, "extras", "targetNames");
            }
            remove_extension(primitive, DRACO);
            if let Some(triangles) = turned {
                let first = self.file.accessor_count() + self.streams.accessor_count;
                primitive.set("indices", first + triangles);
                primitive.remove("mode");
            }
            let Some(attributes) = primitive.get_mut("attributes") else {
                continue;
            };
            if mesh.skin.is_some() && data.vertex_count > 0 {
                attributes.retain_members(|name| !is_influence(name));
            }
            for (name, accessor) in replaced {
                let number = self.file.accessor_count() + accessor;
                attributes.set(name.clone(), number);
            }
        }
        tree
    }

    /// Removes skins and morph weights from nodes and sets their meshes.
    fn edit_nodes(&self, tree: &mut Value<'a>) {
        let Some(nodes) = tree.array_mut("nodes") else {
            return;
        };
        for (index, node) in nodes.iter_mut().enumerate() {
            node.remove("skin");
            node.remove("weights");
            match self.meshes.of_node[index] {
                Some(_) if self.file.nodes[index].skin.is_some() => {
                    node.remove("mesh");
                }
                Some(mesh) if Some(mesh) != self.file.nodes[index].mesh => {
                    node.set("mesh", mesh);
                }
                _ => {}
            }
        }
    }

    /// Adds a root node with the mesh of each skinned node, to all scenes that show the skinned node; or, if all of these have one
    /// root that takes it, a child of that. The instances of the mesh move there, too.
    fn add_instances(&self, tree: &mut Value<'a>) {
        let Some(nodes) = tree.array_mut("nodes") else {
            return;
        };
        let first = nodes.len();
        let hidden = self.file.hidden_nodes(|node| self.file.is_visible(node));
        for &node in &self.meshes.skinned {
            let mut instance = object([]);
            if let Some(name) = &self.file.nodes[node].name {
                instance.set("name", name.clone());
            }
            let mesh = self.meshes.of_node[node].unwrap_or(0);
            instance.set("mesh", mesh);
            let mut extensions = object([]);
            for name in INSTANCES {
                if let Some(extension) = remove_extension(&mut nodes[node], name) {
                    extensions.set(name, extension);
                }
            }
            if !extensions.members().is_empty() {
                instance.set("extensions", extensions);
            }
            if hidden[node] {
                set_visible(&mut instance, false);
            }
            nodes.push(instance);
        }
        if let Some(root) = self.meshes.root {
            let shown = self.meshes.shown_by_any().into_iter();
            let shown = shown.map(|place| (first + place).into());
            return nodes[root].extend("children", shown.collect());
        }
        for (tree, shown) in tree.list_mut("scenes").iter_mut().zip(&self.meshes.shown) {
            let shown = shown.iter().map(|index| (first + index).into());
            tree.extend("nodes", shown.collect());
        }
    }
}

/// The nodes of the output that channels animate, by index, with the properties that they have in a pose. `new_numbers` has
/// the index of each node of the input, and of each new node, in the output.
pub fn moved_nodes<'a>(
    file: &File,
    nodes: &[Value<'a>],
    (meshes, new_numbers): (&BakedMeshes, &NodeNumbers),
    channels: &[Channel],
    pose: &Pose,
) -> BTreeMap<usize, Value<'a>> {
    let mut moved = BTreeMap::new();
    for (node, visible) in toggled(file, meshes, channels, pose) {
        let Some(number) = new_numbers[node] else {
            continue;
        };
        let stored = &nodes[number];
        if is_visible(stored) != visible {
            let mut node = stored.clone();
            set_visible(&mut node, visible);
            moved.insert(number, node);
        }
    }
    for channel in channels {
        let Some(number) = new_numbers[channel.node] else {
            continue;
        };
        let Transform::Trs(trs) = &pose.nodes[channel.node].transform else {
            continue; // only weights are animated
        };
        let rotation = &trs.rotation;
        let (key, value) = match channel.property {
            Property::Translation => ("translation", numbers(&trs.translation)),
            Property::Rotation => {
                let xyzw = [rotation.x, rotation.y, rotation.z, rotation.w];
                ("rotation", numbers(&xyzw))
            }
            Property::Scale => ("scale", numbers(&trs.scale)),
            Property::Weights | Property::Visibility => continue,
        };
        let node = moved.entry(number).or_insert_with(|| nodes[number].clone());
        node.remove("matrix");
        node.set(key, value);
    }
    moved
}

/// The nodes whose visibility channels may change, and whether they are visible in a pose: those of the channels, and the new nodes of
/// skinned meshes, which are numbered after those of the file. Nothing is above these, so what hides the skinned nodes hides them.
pub fn toggled(
    file: &File,
    meshes: &BakedMeshes,
    channels: &[Channel],
    pose: &Pose,
) -> Vec<(usize, bool)> {
    let mut toggled: Vec<(usize, bool)> = channels
        .iter()
        .filter(|channel| channel.property == Property::Visibility)
        .map(|channel| (channel.node, pose.nodes[channel.node].visible))
        .collect();
    if !toggled.is_empty() {
        let hidden = file.hidden_nodes(|node| pose.nodes[node].visible);
        let new = meshes.skinned.iter().enumerate();
        toggled.extend(new.map(|(place, node)| (file.nodes.len() + place, !hidden[*node])));
    }
    toggled
}

fn is_visible(node: &Value) -> bool {
    let extension = node.extension(VISIBILITY);
    extension.and_then(|extension| extension.get("visible")) != Some(&Value::Bool(false))
}

/// Sets whether a node is visible, unless something above it is hidden.
pub fn set_visible(node: &mut Value, visible: bool) {
    let empty = || object([]);
    let mut extensions = node.get("extensions").cloned().unwrap_or_else(empty);
    let mut extension = extensions.get(VISIBILITY).cloned().unwrap_or_else(empty);
    extension.set("visible", visible);
    extensions.set(VISIBILITY, extension);
    node.set("extensions", extensions);
}

/// Lists an extension among those that a file uses.
pub fn declare(tree: &mut Value, name: &'static str) {
    let mut used = tree.list("extensionsUsed").to_vec();
    if used.iter().all(|used| used.as_str() != Some(name)) {
        used.push(name.into());
        tree.set("extensionsUsed", used);
    }
}

/// Removes an extension of an object and returns it. An object without extensions has no `extensions`.
pub fn remove_extension<'a>(object: &mut Value<'a>, name: &str) -> Option<Value<'a>> {
    remove_member(object, "extensions", name)
}

/// Removes a member of an object's member and returns it; the outer member goes with its last one.
fn remove_member<'a>(object: &mut Value<'a>, outer: &str, name: &str) -> Option<Value<'a>> {
    let members = object.get_mut(outer)?;
    let removed = members.remove(name)?;
    if members.members().is_empty() {
        object.remove(outer);
    }
    Some(removed)
}

/// A JSON array of numbers, each rounded to f32 and with the fewest digits that give that f32. A number beyond single
/// precision is not rounded.
pub fn numbers<'a>(values: &[f64]) -> Value<'a> {
    let number = |value: &f64| {
        let single = *value as f32;
        if !single.is_finite() {
            return Value::number(*value);
        }
        let mut text = Vec::new();
        write_f32(&mut text, single).expect("a vector takes every write");
        Value::Number(String::from_utf8_lossy(&text).into_owned().into())
    };
    Value::Array(values.iter().map(number).collect())
}
