//! The JSON and the data of a file whose skins have helper joints.

use std::ops::Range;

use super::rig::Rig;
use crate::bake::animated::data::{Added, Kind};
use crate::bake::animated::{LINEAR, PROPERTIES, Play};
use crate::bake::edit::{GENERATOR, numbers, remove_extension};
use crate::bake::meshes::BakedMeshes;
use crate::bake::streams::is_influence;
use rigy_base::maps::HashMap;
use rigy_gltf::json::{Value, object};
use rigy_gltf::{ComponentType, DRACO, ElementType, File, Keys, Property, inverse_bind};
use rigy_kernel::math::column_major;

/// The lower node's property in [`Nodes`](rigy_helpers::Nodes).
const LOWER: (&str, ElementType, Range<usize>) = ("rotation", ElementType::Vec4, 10..14);

/// A copy of the JSON with helpers, in which each mesh is under one skin.
pub fn edited<'a>(
    file: &File<'a>,
    meshes: &BakedMeshes,
    rigs: &[Rig],
    added: &mut Added<'a>,
) -> Value<'a> {
    let mut tree = file.tree.clone();
    if let Some(asset) = tree.get_mut("asset") {
        asset.set("generator", GENERATOR);
    }
    let originals = file.tree.list("meshes");
    let copies = meshes.list[originals.len()..].iter();
    tree.extend(
        "meshes",
        copies.map(|mesh| originals[mesh.source].clone()).collect(),
    );
    for mesh in tree.list_mut("meshes") {
        for primitive in mesh.list_mut("primitives") {
            remove_extension(primitive, DRACO);
        }
    }
    for (node, mesh) in tree.list_mut("nodes").iter_mut().zip(&meshes.of_node) {
        if let Some(mesh) = mesh {
            node.set("mesh", *mesh);
        }
    }
    replace_animations(file, &mut tree);
    for rig in rigs.iter().filter(|rig| rig.is_changed) {
        bind(meshes, rig, &mut tree, added);
        add_joints(file, rig, &mut tree, added);
    }
    tree
}

/// Replaces the influences of vertices.
fn bind<'a>(meshes: &BakedMeshes, rig: &Rig, tree: &mut Value<'a>, added: &mut Added<'a>) {
    let mut known = HashMap::default();
    let of_skin = meshes.list.iter().zip(tree.list_mut("meshes"));
    for (mesh, tree) in of_skin.filter(|(mesh, _)| mesh.skin == Some(rig.number)) {
        for (index, primitive) in tree.list_mut("primitives").iter_mut().enumerate() {
            let part = rig.parts.get(&(mesh.source, index));
            let Some((attributes, part)) = primitive.get_mut("attributes").zip(part) else {
                continue;
            };
            let [joints, weights] = *known.entry(part.start).or_insert_with(|| {
                let slots = rig.influences[part.clone()].as_flattened();
                let joints = slots.iter().flat_map(|(joint, _)| joint.to_le_bytes());
                let is_high = slots.iter().any(|(joint, _)| *joint > 255);
                let (component, joints) = if is_high {
                    (ComponentType::U16, joints.collect())
                } else {
                    (ComponentType::U8, joints.step_by(2).collect())
                };
                let kind = Kind::Attributes(4 * component.size());
                let weights = slots.iter().map(|(_, weight)| *weight).collect();
                [
                    added.bytes(kind, (component, ElementType::Vec4), part.len(), joints),
                    added.attribute("WEIGHTS_0", ElementType::Vec4, weights),
                ]
            });
            attributes.retain_members(|name| !is_influence(name));
            attributes.set("JOINTS_0", joints);
            attributes.set("WEIGHTS_0", weights);
        }
    }
}

/// Adds helpers to a skin, as nodes with keys.
fn add_joints<'a>(file: &File<'a>, rig: &Rig, tree: &mut Value<'a>, added: &mut Added<'a>) {
    let skin = &file.skins[rig.number];
    let first = tree.list("nodes").len();
    for (index, bone) in rig.bones.iter().enumerate() {
        let upper = first + 2 * index;
        let name = format!("helper.{}.{index}", rig.number);
        let children: Vec<Value> = vec![(upper + 1).into()];
        let mut nodes = vec![
            object([("name", name.clone().into()), ("children", children.into())]),
            object([("name", format!("{name}.joint").into())]),
        ];
        for (place, (path, _, range)) in properties() {
            nodes[place / 3].set(path, numbers(&bone.nodes[0][range]));
        }
        tree.extend("nodes", nodes);
        let above = skin.joints[bone.joint];
        tree.list_mut("nodes")[above].extend("children", vec![upper.into()]);
    }
    let own = (0..skin.joints.len()).map(|joint| inverse_bind(skin, joint));
    let all = own.chain(rig.bones.iter().map(|bone| bone.inverse_bind));
    let all = all.flat_map(|matrix| column_major(&matrix).map(|part| part as f32));
    let matrices = added.matrices(all.collect());
    let of_skin = &mut tree.list_mut("skins")[rig.number];
    let joints = (0..rig.bones.len()).map(|index| (first + 2 * index + 1).into());
    of_skin.extend("joints", joints.collect());
    of_skin.set("inverseBindMatrices", matrices);
    for (index, clip) in rig.clips.iter().enumerate() {
        let animation = &mut tree.list_mut("animations")[clip.animation];
        let mut play = Play::beside(animation);
        for (number, bone) in rig.bones.iter().enumerate() {
            let keys = bone.keys[index].iter().map(|key| clip.keys[*key]);
            let (at, moments): (Vec<f32>, Vec<usize>) = keys.unzip();
            let single = |moment: usize| bone.nodes[moment].map(|part| part as f32);
            let mut times = None;
            for (place, (path, element, range)) in properties() {
                let of = |moment: &usize| single(*moment)[range.clone()].to_vec();
                let values = moments.iter().flat_map(of).collect();
                let property = (first + 2 * number + place / 3, path, element);
                let keys = (&*at, &mut times, LINEAR);
                play.track(property, values, &of(&0), keys, added);
            }
        }
        play.add_to(animation);
    }
}

/// The properties of both nodes with their places, those from 3 on of the lower node.
fn properties() -> impl Iterator<Item = (usize, (&'static str, ElementType, Range<usize>))> {
    PROPERTIES.into_iter().chain([LOWER]).enumerate()
}

/// Replaces the animations of a file that plays a motion.
fn replace_animations(file: &File, tree: &mut Value) {
    if file.motion.is_none() {
        return;
    }
    tree.remove("animations");
    for animation in &file.animations {
        let mut play = Play::default();
        for keys in &animation.keys {
            let Keys { node, property, .. } = *keys;
            let sampler = play.sampler(keys.times, keys.values, keys.interpolation.name());
            if property == Property::Visibility {
                play.visibility(sampler, node, file.is_visible(node), tree);
            } else {
                play.channel(sampler, node, property.name());
            }
            if property.is_of_transform() {
                tree.list_mut("nodes")[node].remove("matrix");
            }
        }
        play.add_to_file(tree, animation.name.as_deref());
    }
}
