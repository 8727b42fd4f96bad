//! The GLB of a page: what the viewer reads of a file, written anew from values that have been checked.
//!
//! In: a checked file. Out: a GLB with its nodes, meshes, skins, animations and images. Every accessor is dense and has a view of its own,
//! so whatever was compressed, sparse or interleaved in the file is plain. Other members, extensions and `extras` are left out; materials are
//! in the description of the scene.

use std::collections::HashSet;

use super::chunks::Chunks;
use super::materials::{Image, Images, Materials, sets};
use rigy_base::short::short_name;
use rigy_gltf::json::Value as Tree;
use rigy_gltf::{File, Keys, Mesh, Node, Primitive, Property, Result, Transform};
use rigy_kernel::math::column_major;
use rigy_models::mesh::nodes_shown_at_times;
use serde_json::{Value, json};

/// The part of a file that is written.
#[derive(Clone, Copy)]
pub enum Content<'m> {
    /// All that the viewer shows, with these materials and images.
    Model(&'m Materials, &'m Images<'m>),
    /// Nodes, and the positions and normals of meshes.
    Vertices,
}

/// Most characters of the name of a morph target.
const TARGET_NAME: usize = 64;

/// Returns the bytes of the GLB.
///
/// # Errors
/// If they are more than a page can hold.
pub fn glb(file: &File, content: Content) -> Result<Vec<u8>> {
    let nodes = nodes_shown_at_times(file).into_iter();
    let mut writer = Writer {
        file,
        content,
        shown: nodes.filter_map(|node| file.nodes[node].mesh).collect(),
        chunks: Chunks::default(),
    };
    let mut tree = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": roots(file)}],
        "nodes": file.nodes.iter().map(|node| writer.node(node)).collect::<Vec<_>>(),
        "meshes": (0..file.meshes.len()).map(|mesh| writer.mesh(mesh)).collect::<Vec<_>>(),
    });
    if let Content::Model(_, images) = content {
        tree["skins"] = (0..file.skins.len())
            .map(|skin| writer.skin(skin))
            .collect();
        tree["animations"] = (0..file.animations.len())
            .map(|animation| writer.animation(animation))
            .collect();
        tree["images"] = images.shown.iter().map(|one| writer.image(one)).collect();
    }
    writer.chunks.glb(tree)
}

/// The roots of the scene that a file shows; all roots if it has no scene.
fn roots(file: &File) -> Vec<usize> {
    match file.scenes.get(file.scene.unwrap_or(0)) {
        Some(scene) => scene.nodes.clone(),
        None => file
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.parent.is_none())
            .map(|(index, _)| index)
            .collect(),
    }
}

struct Writer<'w, 'f> {
    file: &'w File<'f>,
    content: Content<'w>,
    /// The meshes that are drawn.
    shown: HashSet<usize>,
    chunks: Chunks,
}

impl Writer<'_, '_> {
    fn accessor(&mut self, index: usize, is_of_vertices: bool) -> usize {
        self.chunks.accessor(self.file, index, is_of_vertices)
    }

    fn node(&mut self, node: &Node) -> Value {
        let mut written = match node.transform {
            Transform::Matrix(matrix) => json!({"matrix": column_major(&matrix)}),
            Transform::Trs(trs) => {
                let rest = rigy_gltf::Trs::IDENTITY;
                let mut written = json!({});
                if trs.translation != rest.translation {
                    written["translation"] = json!(trs.translation);
                }
                if trs.rotation != rest.rotation {
                    let [w, x, y, z] = trs.rotation.wxyz();
                    written["rotation"] = json!([x, y, z, w]);
                }
                if trs.scale != rest.scale {
                    written["scale"] = json!(trs.scale);
                }
                written
            }
        };
        name(&mut written, node.name.as_deref());
        if !node.children.is_empty() {
            written["children"] = json!(node.children);
        }
        for (key, index) in [("mesh", node.mesh), ("skin", node.skin)] {
            let is_written = key == "mesh" || matches!(self.content, Content::Model(..));
            if let Some(index) = index.filter(|_| is_written) {
                written[key] = index.into();
            }
        }
        if let Some(weights) = &node.weights {
            written["weights"] = json!(weights);
        }
        if let Some(visible) = node.visible {
            written["extensions"]["KHR_node_visibility"] = json!({"visible": visible});
        }
        if let Some(them) = &node.instances {
            let (translation, rotation, scale) = (them.translation, them.rotation, them.scale);
            let mut attributes = json!({});
            for (key, index) in [
                ("TRANSLATION", translation),
                ("ROTATION", rotation),
                ("SCALE", scale),
            ] {
                if let Some(index) = index {
                    attributes[key] = self.accessor(index, true).into();
                }
            }
            written["extensions"]["EXT_mesh_gpu_instancing"] = json!({"attributes": attributes});
        }
        written
    }

    fn mesh(&mut self, index: usize) -> Value {
        let file = self.file;
        let mesh: &Mesh = &file.meshes[index];
        let is_shown = self.shown.contains(&index);
        let primitives: Vec<Value> = mesh
            .primitives
            .iter()
            .filter(|_| is_shown)
            .map(|one| self.primitive(one))
            .collect();
        let mut written = json!({"primitives": primitives});
        name(&mut written, mesh.name.as_deref());
        if !matches!(self.content, Content::Model(..)) || mesh.weights.is_empty() {
            return written;
        }
        written["weights"] = json!(mesh.weights);
        let extras = file.tree.list("meshes")[index].get("extras");
        let names = extras.map_or(&[][..], |extras| extras.list("targetNames"));
        let names = names.iter().take(mesh.weights.len()).map(|name| {
            name.as_str()
                .unwrap_or("")
                .chars()
                .take(TARGET_NAME)
                .collect::<String>()
        });
        written["extras"] = json!({"targetNames": names.collect::<Vec<_>>()});
        written
    }

    fn primitive(&mut self, primitive: &Primitive) -> Value {
        let Content::Model(materials, _) = self.content else {
            return json!({"attributes": self.attributes(&primitive.attributes, &|_| false)});
        };
        let sets = sets(materials, primitive.material);
        let is_shown = |name: &str| match name.split_once('_') {
            Some(("TEXCOORD", set)) => sets.iter().any(|known| known.to_string() == set),
            Some(("JOINTS" | "WEIGHTS", _)) => true,
            _ => name == "COLOR_0",
        };
        let mut written = json!({
            "attributes": self.attributes(&primitive.attributes, &is_shown),
            "mode": primitive.mode,
        });
        if let Some(indices) = primitive.indices {
            written["indices"] = self.accessor(indices, false).into();
        }
        if let Some(material) = primitive.material {
            written["material"] = material.into();
        }
        if !primitive.targets.is_empty() {
            let targets = primitive.targets.iter();
            written["targets"] = targets
                .map(|target| self.attributes(target, &|_| false))
                .collect();
        }
        written
    }

    /// Positions, normals, and the other attributes that are wanted.
    fn attributes(
        &mut self,
        attributes: &[(String, usize)],
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Value {
        let mut written = json!({});
        for (name, index) in attributes {
            if matches!(&**name, "POSITION" | "NORMAL") || is_wanted(name) {
                written[name] = self.accessor(*index, true).into();
            }
        }
        written
    }

    fn skin(&mut self, index: usize) -> Value {
        let skin = &self.file.skins[index];
        let mut written = json!({"joints": skin.joints});
        name(&mut written, skin.name.as_deref());
        let matrices = self.file.tree.list("skins")[index].get("inverseBindMatrices");
        if let Some(matrices) = matrices.and_then(Tree::as_index) {
            written["inverseBindMatrices"] = self.accessor(matrices, false).into();
        }
        written
    }

    fn animation(&mut self, index: usize) -> Value {
        let animation = &self.file.animations[index];
        let (mut samplers, mut channels) = (Vec::<Value>::new(), Vec::new());
        for keys in &animation.keys {
            samplers.push(json!({
                "input": self.accessor(keys.times, false),
                "output": self.accessor(keys.values, false),
                "interpolation": keys.interpolation.name(),
            }));
            channels.push(json!({"sampler": samplers.len() - 1, "target": target(keys)}));
        }
        let mut written = json!({"samplers": samplers, "channels": channels});
        name(&mut written, animation.name.as_deref());
        written
    }

    fn image(&mut self, image: &Image) -> Value {
        match image {
            Some((media_type, bytes)) => {
                json!({"bufferView": self.chunks.view(bytes), "mimeType": media_type})
            }
            None => json!({}),
        }
    }
}

/// The target of a channel.
fn target(keys: &Keys) -> Value {
    let Keys { node, property, .. } = keys;
    if *property != Property::Visibility {
        return json!({"node": node, "path": property.name()});
    }
    let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}

fn name(written: &mut Value, name: Option<&str>) {
    if let Some(name) = name {
        written["name"] = short_name(name).into();
    }
}
