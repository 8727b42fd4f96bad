//! The nodes that move as a whole, and the animation of an animated file.

use super::clip::Form;
use super::contents::Timeline;
use super::data::Added;
use super::frames::Frame;
use crate::bake::baker::Prepared;
use crate::bake::edit::{VISIBILITY, declare, set_visible};
use crate::bake::skeleton::NodeNumbers;
use rigy_gltf::json::{Value, object};
use rigy_gltf::{Channel, ElementType, File};

/// The samplers and channels of the animation.
#[derive(Default)]
pub struct Play<'a> {
    /// The number of samplers before these.
    first: usize,
    samplers: Vec<Value<'a>>,
    channels: Vec<Value<'a>>,
}

impl<'a> Play<'a> {
    /// What is to be added to an animation.
    pub fn beside(animation: &Value) -> Self {
        Self {
            first: animation.list("samplers").len(),
            ..Self::default()
        }
    }

    /// Adds it to that animation.
    pub fn add_to(self, animation: &mut Value<'a>) {
        animation.extend("samplers", self.samplers);
        animation.extend("channels", self.channels);
    }

    /// Adds a sampler of these accessors. Returns its index.
    pub fn sampler(&mut self, times: usize, values: usize, interpolation: &'static str) -> usize {
        let mut sampler = object([("input", times.into()), ("output", values.into())]);
        if interpolation != LINEAR {
            sampler.set("interpolation", interpolation);
        }
        self.samplers.push(sampler);
        self.first + self.samplers.len() - 1
    }

    /// Lets a sampler animate a property of a node.
    pub fn channel(&mut self, sampler: usize, node: usize, path: &'static str) {
        let target = object([("node", node.into()), ("path", path.into())]);
        self.target(sampler, target);
    }

    /// Animates a property of a node, unless all its values are as they are stored. The accessor of the times of keys is made once.
    pub fn track(
        &mut self,
        (node, path, element): (usize, &'static str, ElementType),
        mut values: Vec<f32>,
        stored: &[f32],
        (keys, times, interpolation): (&[f32], &mut Option<usize>, &'static str),
        added: &mut Added<'a>,
    ) {
        if values.chunks(stored.len()).all(|value| value == stored) {
            return;
        }
        if element == ElementType::Vec4 {
            keep_to_shorter_arcs(&mut values);
        }
        let times = *times.get_or_insert_with(|| added.times(keys.to_vec()));
        let sampler = self.sampler(times, added.values(element, values), interpolation);
        self.channel(sampler, node, path);
    }

    /// Lets a sampler animate the visibility of a node, which is stored so.
    pub fn visibility(&mut self, sampler: usize, node: usize, is_shown: bool, tree: &mut Value) {
        set_visible(&mut tree.list_mut("nodes")[node], is_shown);
        declare(tree, VISIBILITY);
        declare(tree, POINTER);
        let extension = object([(
            "pointer",
            format!("/nodes/{node}/extensions/{VISIBILITY}/visible").into(),
        )]);
        let target = object([
            ("path", "pointer".into()),
            ("extensions", object([(POINTER, extension)])),
        ]);
        self.target(sampler, target);
    }

    fn target(&mut self, sampler: usize, target: Value<'a>) {
        let sampler = sampler.into();
        self.channels
            .push(object([("sampler", sampler), ("target", target)]));
    }

    /// Adds this as an animation to a file, unless it animates nothing.
    pub fn add_to_file(self, tree: &mut Value<'a>, name: Option<&str>) {
        if self.channels.is_empty() {
            return;
        }
        let mut animation = object([]);
        self.add_to(&mut animation);
        if let Some(name) = name {
            animation.set("name", name.to_owned());
        }
        tree.extend("animations", vec![animation]);
    }
}

/// The extension by which an animation names what is no transform or weight of a node.
const POINTER: &str = "KHR_animation_pointer";

/// Interpolation between keys, which is the default of glTF.
pub const LINEAR: &str = "LINEAR";

/// Interpolation that keeps the value of the earlier key.
pub const STEP: &str = "STEP";

/// The nodes, ascending, that channels move and that carry something: a mesh, a camera, or an object with extensions, at
/// the node itself or below. Others that have not been removed stay where they are in the first frame. Numbers are those of the input.
pub fn moving(file: &File, prepared: &Prepared, channels: &[Channel]) -> Vec<usize> {
    let nodes = prepared.layout.tree.list("nodes");
    let has = |number: usize, key: &&str| nodes[number].get(key).is_some();
    let mut carries = vec![false; file.nodes.len()];
    for index in 0..carries.len() {
        let carried = prepared.nodes[index].filter(|number| {
            let mut keys = ["mesh", "camera", "extensions"].iter();
            keys.any(|key| has(*number, key))
        });
        let mut at = carried.map(|_| index);
        while let Some(node) = at.filter(|node| !carries[*node]) {
            carries[node] = true;
            at = file.nodes[node].parent;
        }
    }
    let mut nodes: Vec<usize> = channels
        .iter()
        .filter(|channel| channel.property.is_of_transform())
        .map(|channel| channel.node)
        .collect();
    nodes.retain(|node| carries[*node]);
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The properties of a node, with the place of their numbers in [`Frame::nodes`].
pub const PROPERTIES: [(&str, ElementType, std::ops::Range<usize>); 3] = [
    ("translation", ElementType::Vec3, 0..3),
    ("rotation", ElementType::Vec4, 3..7),
    ("scale", ElementType::Vec3, 7..10),
];

/// Animates the properties of moving nodes that change, with a key for each frame. `numbers` has the numbers of nodes in the output.
pub fn add_tracks<'a>(
    (moving, numbers): (&[usize], &NodeNumbers),
    frames: &[Frame],
    timeline: &Timeline,
    form: Form,
    added: &mut Added<'a>,
    play: &mut Play<'a>,
) {
    let interpolation = match form {
        Form::Morph { .. } => LINEAR,
        Form::Step => STEP,
    };
    let mut times = None;
    let moving = moving.iter().filter_map(|node| numbers[*node]);
    for (position, node) in moving.enumerate() {
        for (path, element, range) in PROPERTIES {
            let of = |frame: &Frame| frame.nodes[position][range.clone()].to_vec();
            let values = frames.iter().flat_map(of).collect();
            let keys = (&*timeline.times, &mut times, interpolation);
            play.track((node, path, element), values, &of(&frames[0]), keys, added);
        }
    }
}

/// Animates the visibility of nodes that appear or disappear, with a key for each frame.
pub fn add_visibility<'a>(
    frames: &[Frame],
    timeline: &Timeline,
    numbers: &NodeNumbers,
    added: &mut Added<'a>,
    play: &mut Play<'a>,
    tree: &mut Value<'a>,
) {
    let mut times = None;
    for (position, (node, at_first)) in frames[0].visible.iter().enumerate() {
        let Some(node) = numbers[*node] else { continue };
        let keys: Vec<bool> = frames
            .iter()
            .map(|frame| frame.visible[position].1)
            .collect();
        if keys.iter().all(|key| key == at_first) {
            continue;
        }
        let times = *times.get_or_insert_with(|| added.times(timeline.times.clone()));
        let sampler = play.sampler(times, added.flags(&keys), STEP);
        play.visibility(sampler, node, *at_first, tree);
    }
}

/// Negates quaternions so that each is on the same side as the one before: a client that blends them takes the shorter arc.
fn keep_to_shorter_arcs(values: &mut [f32]) {
    let (quaternions, _) = values.as_chunks_mut::<4>();
    for index in 1..quaternions.len() {
        let before = quaternions[index - 1];
        let now = &mut quaternions[index];
        let dot: f64 = before
            .iter()
            .zip(now.iter())
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum();
        if dot < 0.0 {
            now.iter_mut().for_each(|number| *number = -*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::keep_to_shorter_arcs;

    #[test]
    fn quaternions_keep_to_the_side_of_the_one_before() {
        let mut values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, -0.8, 0.0, 0.8, 0.0, -0.6];
        keep_to_shorter_arcs(&mut values);
        assert_eq!(values[4..8], [-0.0, -0.6, -0.0, 0.8]);
        assert_eq!(values[8..], [-0.0, -0.8, -0.0, 0.6]);
    }
}
