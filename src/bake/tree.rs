//! The JSON of a baked file, up to accessors: nodes stand still, meshes are plain, nothing is animated.
//!
//! In: the tree as it was read, and what has been decided. Out: the same tree, edited; what is not understood stays
//! as it was. New accessors are numbered from the old ones' end on, until `layout` gives all of them their numbers.

use std::borrow::Cow;

use super::streams::{Streams, is_influence};
use super::uses::{BakedMesh, Uses};
use crate::bake::gltf::json::Value;
use crate::bake::gltf::{Animation, File, Pose, Property, Transform};
use crate::glb::number::write_repr;

/// By this extension a node, with all below it, is hidden.
const VISIBILITY: &str = "KHR_node_visibility";

/// What the file says it was made by.
pub const GENERATOR: &str = "rigy-batch";

/// What decides how a tree is edited.
pub(super) struct Edit<'e, 'a> {
    pub file: &'e File<'a>,
    pub uses: &'e Uses,
    pub streams: &'e Streams,
    pub pose: &'e Pose,
    pub animation: Option<&'e Animation>,
}

impl<'a> Edit<'_, 'a> {
    /// The edited tree.
    pub fn apply(&self) -> Value<'a> {
        let mut tree = self.file.tree.clone();
        tree.remove("animations");
        tree.remove("skins");
        if let Some(asset) = tree.get_mut("asset") {
            asset.set("generator", Value::string(GENERATOR));
        }
        self.meshes(&mut tree);
        self.nodes(&mut tree);
        self.instances(&mut tree);
        tree
    }

    fn meshes(&self, tree: &mut Value<'a>) {
        let Some(meshes) = tree.get_mut("meshes").and_then(Value::elements_mut) else {
            return;
        };
        let originals = std::mem::take(meshes);
        let baked = self.uses.meshes.iter().zip(&self.streams.replaced);
        meshes.extend(
            baked.map(|(mesh, replaced)| self.mesh(originals[mesh.source].clone(), mesh, replaced)),
        );
    }

    fn mesh(
        &self,
        mut tree: Value<'a>,
        mesh: &BakedMesh,
        replaced: &[Vec<(String, usize)>],
    ) -> Value<'a> {
        tree.remove("weights");
        let primitives = tree.get_mut("primitives").and_then(Value::elements_mut);
        for (primitive, replaced) in primitives.into_iter().flatten().zip(replaced) {
            primitive.remove("targets");
            remove_extension(primitive, "KHR_draco_mesh_compression");
            let Some(attributes) = primitive.get_mut("attributes") else {
                continue;
            };
            if mesh.skin.is_some() {
                attributes.retain_members(|name| !is_influence(name));
            }
            for (name, accessor) in replaced {
                let number = self.file.accessor_count() + accessor;
                attributes.set(name.clone(), Value::integer(number as u64));
            }
        }
        tree
    }

    fn nodes(&self, tree: &mut Value<'a>) {
        let Some(nodes) = tree.get_mut("nodes").and_then(Value::elements_mut) else {
            return;
        };
        for (index, node) in nodes.iter_mut().enumerate() {
            node.remove("skin");
            node.remove("weights");
            match self.uses.of_node[index] {
                Some(_) if self.file.nodes[index].skin.is_some() => {
                    node.remove("mesh");
                }
                Some(mesh) if Some(mesh) != self.file.nodes[index].mesh => {
                    node.set("mesh", Value::integer(mesh as u64));
                }
                _ => {}
            }
        }
        for channel in self
            .animation
            .iter()
            .flat_map(|animation| &animation.channels)
        {
            let Transform::Trs(trs) = &self.pose.nodes[channel.node].transform else {
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
                Property::Weights => continue,
            };
            nodes[channel.node].remove("matrix");
            nodes[channel.node].set(key, value);
        }
    }

    /// A root node for each skinned node, in all scenes that show that one.
    fn instances(&self, tree: &mut Value<'a>) {
        let Some(nodes) = tree.get_mut("nodes").and_then(Value::elements_mut) else {
            return;
        };
        let first = nodes.len();
        let hidden = self.hidden(nodes);
        for &node in &self.uses.skinned {
            let mut instance = Value::Object(Vec::new());
            if let Some(name) = &self.file.nodes[node].name {
                instance.set("name", Value::string(name.clone()));
            }
            let mesh = self.uses.of_node[node].unwrap_or(0);
            instance.set("mesh", Value::integer(mesh as u64));
            if hidden[node] {
                instance.set("extensions", invisible());
            }
            nodes.push(instance);
        }
        let scenes = tree.list_mut("scenes").iter_mut();
        for (tree, shown) in scenes.zip(&self.uses.shown) {
            let shown = shown
                .iter()
                .map(|index| Value::integer((first + index) as u64));
            let shown: Vec<Value<'_>> = shown.collect();
            match tree.get_mut("nodes").and_then(Value::elements_mut) {
                Some(roots) => roots.extend(shown),
                None if shown.is_empty() => {}
                None => tree.set("nodes", Value::Array(shown)),
            }
        }
    }

    /// Which nodes cannot be seen: those that are hidden themselves (`KHR_node_visibility`), and all below them.
    fn hidden(&self, nodes: &[Value<'a>]) -> Vec<bool> {
        let mut hidden = vec![false; nodes.len()];
        for &node in &self.file.order {
            let own = nodes[node]
                .get("extensions")
                .and_then(|all| all.get(VISIBILITY));
            let is_hidden = own.and_then(|own| own.get("visible")) == Some(&Value::Bool(false));
            let above = self.file.nodes[node].parent;
            hidden[node] = is_hidden || above.is_some_and(|above| hidden[above]);
        }
        hidden
    }
}

/// Extensions of a node that is not to be seen.
fn invisible<'a>() -> Value<'a> {
    let object = |key, value| Value::Object(vec![(Cow::Borrowed(key), value)]);
    object(VISIBILITY, object("visible", Value::Bool(false)))
}

/// Takes an extension off an object.
pub(super) fn remove_extension(object: &mut Value<'_>, name: &str) {
    let Some(extensions) = object.get_mut("extensions") else {
        return;
    };
    if extensions.remove(name).is_some()
        && matches!(extensions, Value::Object(left) if left.is_empty())
    {
        object.remove("extensions");
    }
}

/// Numbers in the shortest digits that give them back.
fn numbers<'a>(values: &[f64]) -> Value<'a> {
    let number = |value: &f64| {
        let mut text = Vec::new();
        write_repr(&mut text, *value).expect("a vector takes every write");
        Value::Number(String::from_utf8_lossy(&text).into_owned().into())
    };
    Value::Array(values.iter().map(number).collect())
}
