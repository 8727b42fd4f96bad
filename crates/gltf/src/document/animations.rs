//! Reading animations: the structure of all of them, and the channels of those that are sampled.

mod channels;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::data::Data;
use crate::accessor_checks::CheckedAccessor;
use crate::buffers::Buffers;
use crate::cursor::{Cursor, Path};
use crate::model::{Animation, Channel, Interpolation, Keys, Mesh, Node, Property};
use crate::problem::{Findings, Problem, Result, quoted};

/// Number of times and values that all animations together may have in any file. A file with more bytes of data than
/// this may have as many numbers as bytes. Channels may share accessors, but each of them has its own copy.
const FREE_NUMBERS: u64 = 1 << 24;

/// Number of times and values that a channel counts for in addition to its own if one object of the JSON stands for many channels.
const CHANNEL_NUMBERS: u64 = 16;

/// State that all channels of a file share.
struct Shared {
    /// Count of numbers that channels may still have.
    budget: u64,
    /// For each node, one more than the index of the last animation that has a channel for its weights.
    weighted: Vec<usize>,
}

impl Shared {
    /// Subtracts from the budget; fails if it is exceeded.
    fn spend(&mut self, at: &Cursor, numbers: u64) -> Result<()> {
        let left = self.budget.checked_sub(numbers);
        self.budget = left.ok_or_else(|| {
            at.rule("the animations have more keys than the file could reasonably hold")
                .help("channels may share accessors, but not that often: take some animations out")
        })?;
        Ok(())
    }
}

/// The values that a channel animates.
#[derive(Clone, Copy)]
enum Target {
    /// A property of a node.
    Node(usize, Property),
    /// The morph weights of a mesh, which all nodes have that have none of their own.
    Mesh(usize),
}

/// The parts of the file that channels refer to.
#[derive(Clone, Copy)]
struct Scope<'s> {
    data: Data<'s>,
    nodes: &'s [Node],
    meshes: &'s [Mesh],
    /// For each mesh, the nodes that have the mesh's own morph weights.
    weighted: &'s [Vec<usize>],
}

impl Scope<'_> {
    /// How many numbers a value of a property has: 0 for weights of a node without morph targets.
    fn width(&self, node: usize, property: Property) -> usize {
        match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::Visibility => 1,
            Property::Weights => {
                let mesh = self.nodes[node].mesh.map(|mesh| &self.meshes[mesh]);
                mesh.map_or(0, |mesh| mesh.weights.len())
            }
        }
    }
}

/// Reads the structure of all animations: targets, samplers and the indices of accessors.
pub fn read(
    root: &Cursor,
    data: Data,
    nodes: &[Node],
    meshes: &[Mesh],
    findings: &mut Findings,
) -> Vec<Animation> {
    let mut weighted = vec![Vec::new(); meshes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let (Some(mesh), None) = (node.mesh, &node.weights) {
            weighted[mesh].push(index);
        }
    }
    let scope = Scope {
        data,
        nodes,
        meshes,
        weighted: &weighted,
    };
    let mut shared = Shared {
        budget: data.buffers.len().max(FREE_NUMBERS),
        weighted: vec![0; nodes.len()],
    };
    findings.read_list(root, "animations", |item, index, findings| {
        animation(item, index, scope, &mut shared, findings)
    })
}

/// Reads the structure of animation number `index`.
fn animation(
    at: &Cursor,
    index: usize,
    scope: Scope,
    shared: &mut Shared,
    findings: &mut Findings,
) -> Result<Animation> {
    at.object()?;
    let samplers = at.list("samplers")?;
    let list = at.list("channels")?;
    let mut keys = Vec::with_capacity(list.items().len());
    let mut of_meshes = Vec::new();
    let mut left_out = Vec::new();
    for (position, item) in list.items().enumerate() {
        match target(&item, scope, &mut left_out, findings)? {
            None => {}
            Some(Target::Mesh(mesh)) => of_meshes.push((position, mesh)),
            Some(Target::Node(node, property)) => {
                if property == Property::Weights {
                    shared.weighted[node] = index + 1;
                }
                let mut read = channel(&item, (node, property), &samplers, scope, shared)?;
                if property == Property::Visibility && read.interpolation != Interpolation::Step {
                    findings.warn(item.rule_in(
                        "sampler",
                        "visibility changes in steps; the interpolation counts as STEP",
                    ));
                    read.interpolation = Interpolation::Step;
                }
                keys.push(read);
            }
        }
    }
    for (position, mesh) in of_meshes {
        let Some(item) = list.item(position) else {
            continue;
        };
        for &node in &scope.weighted[mesh] {
            // A channel of the node itself goes before that of its mesh.
            if shared.weighted[node] != index + 1 {
                shared.spend(&item, CHANNEL_NUMBERS)?;
                let target = (node, Property::Weights);
                keys.push(channel(&item, target, &samplers, scope, shared)?);
            }
        }
    }
    channels::warn_of(at, &left_out, findings);
    let name = at.name()?;
    Ok(Animation { name, keys })
}

/// What a channel animates; `None` if the channel is to be left out. Pointers to values that are not sampled go to
/// `left_out`.
fn target(
    at: &Cursor,
    scope: Scope,
    left_out: &mut Vec<String>,
    findings: &mut Findings,
) -> Result<Option<Target>> {
    let channel = at.object()?;
    let target = channel.required("target")?.object()?;
    let path = target.required("path")?;
    let path = path
        .value
        .as_str()
        .ok_or_else(|| path.wrong_type("a string"))?;
    if path == "pointer" {
        return channels::pointed_target(&target, scope, left_out, findings);
    }
    let node = target.index("node", scope.nodes.len(), "nodes")?;
    let Some(property) = Property::of(path) else {
        findings.warn(target.rule_in(
            "path",
            format!(
                "{} cannot be animated here; the channel is left out",
                quoted(path)
            ),
        ));
        return Ok(None);
    };
    // glTF 2.0 §3.11: a channel without a node is to be ignored, because an extension may define its target.
    let Some(node) = node else { return Ok(None) };
    if scope.width(node, property) == 0 {
        findings.warn(target.rule_in(
            "node",
            format!("node {node} has no morph targets; the channel is left out"),
        ));
        return Ok(None);
    }
    Ok(Some(Target::Node(node, property)))
}

/// Reads the structure of one channel with a known target.
fn channel(
    at: &Cursor,
    (node, property): (usize, Property),
    samplers: &Cursor,
    scope: Scope,
    shared: &mut Shared,
) -> Result<Keys> {
    let data = scope.data;
    let index = at
        .required("sampler")?
        .as_index(samplers.items().len(), "samplers of the animation")?;
    let sampler = samplers.item(index).ok_or_else(|| at.rule("no sampler"))?;
    let interpolation = interpolation(&sampler.object()?)?;
    let times = sampler
        .required("input")?
        .as_index(data.accessors.len(), "accessors")?;
    let values = sampler
        .required("output")?
        .as_index(data.accessors.len(), "accessors")?;
    let keys = Keys {
        node,
        property,
        interpolation,
        is_pointed: channels::is_pointer(at),
        width: scope.width(node, property),
        sampler: index,
        times,
        values,
    };
    let count = data.accessors[times].count() as u64;
    shared.spend(at, count * (1 + keys.per_key() as u64))?;
    Ok(keys)
}

/// Reads the interpolation of a sampler.
fn interpolation(sampler: &Cursor) -> Result<Interpolation> {
    let Some(name) = sampler.text("interpolation")? else {
        return Ok(Interpolation::Linear);
    };
    Interpolation::named(name).ok_or_else(|| {
        let message = format!("{} is no known interpolation", quoted(name));
        sampler.rule_in("interpolation", message)
    })
}

/// Decodes and checks the keys of animation number `index`; `None` if they have an error, which is the first one.
pub fn channels(
    index: usize,
    animation: &Animation,
    accessors: &[CheckedAccessor],
    buffers: &Buffers,
    findings: &mut Findings,
) -> Option<Vec<Channel>> {
    let list = Path::Field(&Path::Root, "animations");
    let at = Path::Item(&list, index);
    let samplers = Path::Field(&at, "samplers");
    let mut warned = HashSet::new();
    let mut known = HashMap::new();
    let mut twins = HashSet::new();
    let mut channels: Vec<Channel> = Vec::with_capacity(animation.keys.len());
    for keys in &animation.keys {
        let sampler = Path::Item(&samplers, keys.sampler);
        let accessor = |index: usize| accessors[index].accessor(buffers);
        let (Some(times), Some(values)) = (accessor(keys.times), accessor(keys.values)) else {
            continue; // No checked accessor is without its data.
        };
        let mut warnings = Vec::new();
        let channel = channels::decode(keys, &times, &values, &sampler, &mut warnings);
        if warned.insert(keys.times) {
            warnings
                .into_iter()
                .for_each(|problem| findings.warn(problem));
        }
        let channel = findings.keep(channel)?;
        let node = channel.node;
        let property = channel.property;
        match known.entry((node, property)) {
            Entry::Vacant(place) => {
                place.insert(channels.len());
                channels.push(channel);
            }
            Entry::Occupied(first) => {
                let what = format!("node {node} has several channels for its {property}");
                let list = Path::Field(&at, "channels");
                if channels[*first.get()] != channel {
                    let problem = Problem::rule(&list, format!("{what}, with different keys"));
                    findings.error(problem.help("remove all but one of them"));
                    return None;
                }
                if twins.insert((node, property)) {
                    findings.warn(Problem::rule(
                        &list,
                        format!("{what}, with equal keys; they are one"),
                    ));
                }
            }
        }
    }
    Some(channels)
}
