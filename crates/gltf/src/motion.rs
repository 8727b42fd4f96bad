//! Motion from another file: its animations, on the nodes of this one (`bake.md` §2.1).
//!
//! In: a checked file, and a loader that has a motion. Out: the same with the animations of the motion. `fit` finds the node here that each node
//! there moves. Rest poses are compared and stay as they are.

mod fit;
mod rest;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::accessor_checks::accessor;
use super::clips::{find_animation, missing_animation};
use super::cursor::Cursor;
use super::element_type::{ComponentType, ElementType};
use super::file::{File, read_from};
use super::json::object;
use super::model::{Animation, Channel, Keys, Property, node_label};
use super::problem::{AboutFile, Findings, Problem, listed};
use super::uri::{MAX_RESOURCE_LEN, Resources};
use fit::Fit;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned};
use rigy_base::loader::{Loader, Motion, Played};

impl File<'_> {
    /// Plays the motion of a loader, if it has one, in the place of the animations of the file. Warnings (W25) name prefixes that are left
    /// out, nodes that the file lacks, and those that differ at rest.
    ///
    /// # Errors
    /// If the motion or its keys cannot be read, it lacks the animation, or it moves no joint and no mesh (U21).
    pub fn play(&mut self, loader: &dyn Loader) -> Diagnosed<Vec<Diagnostic>> {
        let Some(Motion { location, clip }) = loader.motion() else {
            return Ok(Vec::new());
        };
        let unread = |error| {
            let problem = Problem::structure(&"", format!("the motion cannot be read: {error}"));
            let finding = problem.into_diagnostic(&loader.name(&location));
            vec![finding.caused_by(&error)]
        };
        let bytes = loader.read(&location, MAX_RESOURCE_LEN).map_err(unread)?;
        let mut resources = Resources::new(&location, loader);
        resources.is_of_motion = true;
        let read = read_from(bytes.as_ref(), &resources, &[], &|_| Ok(()))?;
        let (motion, mut warnings) = (read.value, read.warnings);
        let clips = match &clip {
            Some(clip) => find_animation(&motion, clip).into_iter().collect(),
            None => Vec::from_iter(0..motion.animations.len()),
        };
        if clips.is_empty() {
            return Err(missing_animation(&motion, clip.as_deref())).about_file(&motion.name);
        }
        let notes = self.take(&motion, &clips)?.into_iter();
        let moves = !self.animations.is_empty();
        let code = if moves { Code::W25 } else { Code::U21 };
        let notes = notes.map(|note| Problem::rule(&"nodes", note).code(code));
        let notes = notes.map(|problem| problem.into_diagnostic(&self.name));
        if !moves {
            return Err(notes.collect());
        }
        warnings.extend(notes);
        Ok(warnings)
    }

    /// Takes animations of a motion, by their indices. Returns what does not fit, in words.
    fn take(&mut self, motion: &File<'_>, clips: &[usize]) -> Diagnosed<Vec<String>> {
        let keys = clips.iter().flat_map(|clip| &motion.animations[*clip].keys);
        let open: BTreeSet<usize> = keys.map(|keys| keys.node).collect();
        let nodes = open.len();
        let mut fit = Fit::new(self, motion, open).about_file(&self.name)?;
        let (mut moved, mut unlike) = (BTreeMap::new(), BTreeSet::new());
        let (mut animations, mut decoded) = (Vec::new(), Vec::new());
        for &clip in clips {
            let (mut keys, mut value) = (Vec::new(), Vec::new());
            for channel in motion.channels(clip)?.value {
                let Some(&node) = fit.nodes.get(&channel.node) else {
                    continue;
                };
                let mesh = self.nodes[node].mesh.map(|mesh| &self.meshes[mesh]);
                let is_whole = channel.property != Property::Weights
                    || mesh.is_some_and(|mesh| mesh.weights.len() == channel.width);
                if !is_whole {
                    unlike.insert(node);
                    continue;
                }
                let [turns, moves] = moved.entry((node, channel.node)).or_default();
                *turns |= channel.property == Property::Rotation;
                *moves |= channel.property == Property::Translation;
                let channel = turned(
                    Channel {
                        node,
                        ..channel.clone()
                    },
                    fit.sign,
                );
                keys.push(self.keys_of(&channel, keys.len()));
                value.push(channel);
            }
            if keys.is_empty() {
                continue; // it moves nothing here
            }
            let name = motion.animations[clip].name.clone();
            animations.push(Animation { name, keys });
            let warnings = Vec::new();
            decoded.push(OnceLock::from(Ok(Warned { value, warnings })));
        }
        (self.animations, self.decoded) = (animations, decoded);
        if !unlike.is_empty() {
            let label = |node| node_label(&self.nodes, node);
            fit.notes.push(format!(
                "weights are left out, since numbers of morph targets differ: {}",
                listed(unlike.into_iter().map(label))
            ));
        }
        fit.notes
            .extend(rest::differences(self, motion, &moved, fit.sign));
        self.motion = Some(Played {
            file: motion.name.clone(),
            nodes,
            found: fit.nodes.len(),
            prefixes: fit.prefixes,
        });
        Ok(fit.notes)
    }

    /// The keys of a channel, in accessors that are added.
    fn keys_of(&mut self, channel: &Channel, sampler: usize) -> Keys {
        let number = (ComponentType::F32, ElementType::Scalar);
        let types = match channel.property {
            Property::Rotation => (number.0, ElementType::Vec4),
            Property::Weights => number,
            Property::Visibility => (ComponentType::U8, number.1),
            _ => (number.0, ElementType::Vec3),
        };
        let times = self.add_numbers(number, &channel.times);
        let list = self.tree.list_mut("accessors");
        // What is written has the true ones.
        for bound in ["min", "max"] {
            list[times].set(bound, vec![0_u64.into()]);
        }
        Keys {
            node: channel.node,
            property: channel.property,
            interpolation: channel.interpolation,
            is_pointed: false,
            width: channel.width,
            sampler,
            times,
            values: self.add_numbers(types, &channel.values),
        }
    }

    fn add_numbers(
        &mut self,
        (component, element): (ComponentType, ElementType),
        numbers: &[f64],
    ) -> usize {
        let bytes = match component {
            ComponentType::U8 => numbers.iter().map(|number| *number as u8).collect(),
            _ => numbers
                .iter()
                .flat_map(|number| (*number as f32).to_le_bytes())
                .collect(),
        };
        let json = object([
            ("bufferView", self.buffers.push_decoded(bytes, None).into()),
            ("componentType", component.number().into()),
            ("count", (numbers.len() / element.component_count()).into()),
            ("type", element.name().into()),
        ]);
        let checked = accessor(&Cursor::root(&json), &self.buffers, &mut Findings::new(""));
        self.accessors.extend(checked);
        self.tree.extend("bufferViews", vec![object([])]);
        self.tree.extend("accessors", vec![json]);
        self.accessors.len() - 1
    }
}

/// The channel, turned by half a turn about y if the sign is negative.
fn turned(mut channel: Channel, sign: f64) -> Channel {
    if matches!(channel.property, Property::Translation | Property::Rotation) {
        for value in channel.values.chunks_mut(channel.width) {
            (value[0], value[2]) = (sign * value[0], sign * value[2]);
        }
    }
    channel
}
