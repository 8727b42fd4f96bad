//! The animations of a motion in the JSON of the file that plays it.

use crate::bake::animated::Play;
use rigy_gltf::json::Value;
use rigy_gltf::{File, Keys, Property};

/// Replaces the animations of a file that plays a motion.
pub fn replace_animations(file: &File, tree: &mut Value) {
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
