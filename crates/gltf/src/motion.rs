//! Motion from another file: its animations, on the nodes of this one (`bake.md` §2.1).
//!
//! In: a checked file, and a loader that has a motion. Out: the same with the animations of the motion. `fit` finds the node here that each node
//! there moves. Rest poses are compared and stay as they are.

mod fit;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::accessor_checks::accessor;
use super::clips::{find_animation, missing_animation};
use super::cursor::Cursor;
use super::element_type::{ComponentType, ElementType};
use super::file::{File, read_from};
use super::json::object;
use super::model::{Animation, Channel, Keys, Property, node_label};
use super::problem::{Findings, Problem};
use super::skeleton::local_matrix;
use super::uri::{MAX_RESOURCE_LEN, Resources};
use fit::{Fit, listed};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned};
use rigy_base::loader::{Loader, Motion};
use rigy_base::transient::is_transient;
use rigy_kernel::math::trig::{acos, degrees};
use rigy_kernel::math::{Affine, Quat, dot, length, linear_part, minus, polar, translation_part};

/// Rotations at rest that differ by more degrees are told, and translations by more of the longer one.
const TOLERANCES: [f64; 2] = [1.0, 0.01];

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
            let transient = is_transient(&error);
            let problem = Problem {
                transient,
                ..problem
            };
            vec![problem.into_diagnostic(&loader.name(&location))]
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
            let problem = missing_animation(&motion, clip.as_deref());
            let problem = match motion.animations.len() {
                0 => problem.help("name a file with animations after `--motion`"),
                _ => problem,
            };
            return Err(vec![problem.into_diagnostic(&motion.name)]);
        }
        let notes = self.take(&motion, &clips)?.into_iter();
        let notes = notes.map(|note| Problem::rule(&"nodes", note).code(Code::W25));
        warnings.extend(notes.map(|problem| problem.into_diagnostic(&self.name)));
        Ok(warnings)
    }

    /// Takes animations of a motion, by their indices. Returns what does not fit, in words.
    fn take(&mut self, motion: &File<'_>, clips: &[usize]) -> Diagnosed<Vec<String>> {
        let keys = clips.iter().flat_map(|clip| &motion.animations[*clip].keys);
        let fit = Fit::new(self, motion, keys.map(|keys| keys.node).collect());
        let mut fit = fit.map_err(|problem| vec![problem.into_diagnostic(&self.name)])?;
        let mut unlike = BTreeSet::new();
        let (mut animations, mut decoded) = (Vec::new(), Vec::new());
        for &clip in clips {
            let (mut keys, mut value) = (Vec::new(), Vec::new());
            for channel in motion.channels(clip)?.value {
                let Some(&node) = fit.nodes.get(&channel.node) else {
                    continue;
                };
                let nodes = [&motion.nodes[channel.node], &self.nodes[node]];
                let rests = nodes.map(|node| local_matrix(&node.transform));
                let mesh = nodes[1].mesh.map(|mesh| &self.meshes[mesh]);
                let is_whole = channel.property != Property::Weights
                    || mesh.is_some_and(|mesh| mesh.weights.len() == channel.width);
                let difference = if is_whole {
                    difference(channel.property, rests, fit.sign)
                } else {
                    Some("its number of morph targets".to_owned())
                };
                let label = || node_label(&self.nodes, node);
                unlike.extend(difference.map(|difference| format!("{} by {difference}", label())));
                if is_whole {
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
            }
            let name = motion.animations[clip].name.clone();
            animations.push(Animation { name, keys });
            let warnings = Vec::new();
            decoded.push(OnceLock::from(Ok(Warned { value, warnings })));
        }
        (self.animations, self.decoded) = (animations, decoded);
        if !unlike.is_empty() {
            fit.notes.push(format!(
                "nothing is retargeted, and these differ at rest from {}: {}",
                motion.name,
                listed(unlike.into_iter())
            ));
        }
        Ok(fit.notes)
    }

    /// The keys of a channel, in accessors that are added.
    fn keys_of(&mut self, channel: &Channel, sampler: usize) -> Keys {
        let element = match channel.property {
            Property::Translation | Property::Scale => ElementType::Vec3,
            Property::Rotation => ElementType::Vec4,
            Property::Weights | Property::Visibility => ElementType::Scalar,
        };
        Keys {
            node: channel.node,
            property: channel.property,
            interpolation: channel.interpolation,
            is_pointed: false,
            width: channel.width,
            sampler,
            times: self.add_floats(ElementType::Scalar, &channel.times),
            values: self.add_floats(element, &channel.values),
        }
    }

    fn add_floats(&mut self, element: ElementType, values: &[f64]) -> usize {
        let bytes = values
            .iter()
            .flat_map(|value| (*value as f32).to_le_bytes());
        let json = object([
            (
                "bufferView",
                self.buffers.push_decoded(bytes.collect(), None).into(),
            ),
            ("componentType", ComponentType::F32.number().into()),
            ("count", (values.len() / element.component_count()).into()),
            ("type", element.name().into()),
        ]);
        let checked = accessor(&Cursor::root(&json), &self.buffers, &mut Findings::new(""));
        self.accessors.extend(checked);
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

/// How far a property of the node there, turned likewise, is from that of the node here, if it is too far. `rests` are both nodes as they are stored.
fn difference(property: Property, rests: [Affine; 2], sign: f64) -> Option<String> {
    match property {
        Property::Translation => {
            let [[x, y, z], here] = rests.map(|rest| translation_part(&rest));
            let far = length(minus([sign * x, y, sign * z], here));
            let longer = length([x, y, z]).max(length(here));
            (far > TOLERANCES[1] * longer).then(|| format!("{far:.4} units"))
        }
        Property::Rotation => {
            let [[w, x, y, z], here] = rests.map(|rest| {
                let polar = polar(&linear_part(&rest));
                polar
                    .map_or(Quat::IDENTITY, |polar| Quat::of_rotation(&polar.rotation))
                    .wxyz()
            });
            let cosine = dot([w, sign * x, y, sign * z], here).abs();
            let angle = degrees(2.0 * acos(cosine.min(1.0)));
            (angle > TOLERANCES[0]).then(|| format!("{angle:.1} degrees"))
        }
        _ => None,
    }
}
