//! Reading animations and their channels.

mod keys;

use std::collections::HashSet;

use super::{Cursor, Data, Findings, Problem};
use crate::bake::gltf::accessor_checks::referenced_accessor;
use crate::bake::gltf::model::{Animation, Channel, Interpolation, Mesh, Node, Property};
use crate::bake::gltf::problem::quoted;

/// Number of times and values that all animations together may have in any file. A file with more bytes of data than
/// this may have as many numbers as bytes. Channels may share accessors, but each of them has its own copy.
const FREE_NUMBERS: u64 = 1 << 24;

/// State that all channels of a file share.
struct Shared {
    /// Count of numbers that channels may still have.
    budget: u64,
    /// Accessors with times before 0, of which the user has been warned.
    negative: HashSet<usize>,
}

impl Shared {
    /// Subtracts from the budget; fails if it is exceeded.
    fn spend(&mut self, at: &Cursor<'_>, numbers: u64) -> Result<(), Problem> {
        let left = self.budget.checked_sub(numbers);
        self.budget = left.ok_or_else(|| {
            let problem =
                at.rule("the animations have more keys than the file could reasonably hold");
            problem
                .help("channels may share accessors, but not that often: take some animations out")
        })?;
        Ok(())
    }
}

/// The parts of the file that channels refer to.
#[derive(Clone, Copy)]
struct Scope<'s> {
    data: Data<'s>,
    nodes: &'s [Node],
    meshes: &'s [Mesh],
}

impl Scope<'_> {
    /// Returns how many numbers a value of a property has: 0 for weights of a node without morph targets.
    fn width(&self, node: usize, property: Property) -> usize {
        match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::Weights => {
                let mesh = self.nodes[node].mesh.map(|mesh| &self.meshes[mesh]);
                mesh.map_or(0, |mesh| mesh.weights.len())
            }
        }
    }
}

/// Reads all animations.
pub(in crate::bake::gltf) fn read(
    root: &Cursor<'_>,
    data: Data<'_>,
    nodes: &[Node],
    meshes: &[Mesh],
    findings: &mut Findings<'_>,
) -> Vec<Animation> {
    let Some(list) = findings.keep(root.list("animations")) else {
        return Vec::new();
    };
    let scope = Scope {
        data,
        nodes,
        meshes,
    };
    let mut shared = Shared {
        budget: data.buffers.len().max(FREE_NUMBERS),
        negative: HashSet::new(),
    };
    let mut animations = Vec::with_capacity(list.items().len());
    for item in list.items() {
        let animation = animation(&item, scope, &mut shared, findings);
        animations.extend(findings.keep(animation));
    }
    animations
}

/// Reads one animation.
fn animation(
    at: &Cursor<'_>,
    scope: Scope<'_>,
    shared: &mut Shared,
    findings: &mut Findings<'_>,
) -> Result<Animation, Problem> {
    at.object()?;
    let samplers = at.list("samplers")?;
    let list = at.list("channels")?;
    let mut channels = Vec::with_capacity(list.items().len());
    let mut seen = HashSet::new();
    for item in list.items() {
        let Some(target) = target(&item, scope, findings)? else {
            continue;
        };
        if !seen.insert(target) {
            let (node, property) = (target.0, target.1.name());
            return Err(item.rule(format!(
                "node {node} has a channel for its {property} already"
            )));
        }
        channels.push(channel(&item, target, &samplers, scope, shared, findings)?);
    }
    Ok(Animation {
        name: at.name()?,
        channels,
    })
}

/// Returns the node and the property that a channel animates; `None` if the channel is to be left out.
fn target(
    at: &Cursor<'_>,
    scope: Scope<'_>,
    findings: &mut Findings<'_>,
) -> Result<Option<(usize, Property)>, Problem> {
    let channel = at.object()?;
    let target = channel.required("target")?.object()?;
    let path = target.required("path")?;
    let path = path
        .value
        .as_str()
        .ok_or_else(|| path.wrong_type("a string"))?;
    let node = target.index("node", scope.nodes.len(), "nodes")?;
    let Some(property) = Property::of(path) else {
        let message = format!(
            "{} cannot be animated here; the channel is left out",
            quoted(path)
        );
        findings.warn(target.rule_in("path", message));
        return Ok(None);
    };
    // glTF 2.0 §3.11: a channel without a node is to be ignored, because an extension may define its target.
    let Some(node) = node else { return Ok(None) };
    if scope.width(node, property) == 0 {
        let message = format!("node {node} has no morph targets; the channel is left out");
        findings.warn(target.rule_in("node", message));
        return Ok(None);
    }
    Ok(Some((node, property)))
}

/// Reads one channel with a known target.
fn channel(
    at: &Cursor<'_>,
    (node, property): (usize, Property),
    samplers: &Cursor<'_>,
    scope: Scope<'_>,
    shared: &mut Shared,
    findings: &mut Findings<'_>,
) -> Result<Channel, Problem> {
    let data = scope.data;
    let index = at.required("sampler")?;
    let index = index.as_index(samplers.items().len(), "samplers of the animation")?;
    let sampler = samplers.item(index).ok_or_else(|| at.rule("no sampler"))?;
    let interpolation = interpolation(&sampler.object()?)?;
    let width = scope.width(node, property);
    let per_key = match interpolation {
        Interpolation::CubicSpline => 3 * width,
        Interpolation::Step | Interpolation::Linear => width,
    };
    let input = sampler.required("input")?;
    let (times_index, times) = referenced_accessor(&input, data.accessors, data.buffers)?;
    let output = sampler.required("output")?;
    let (values_index, values) = referenced_accessor(&output, data.accessors, data.buffers)?;
    keys::check_times_type(&input, times_index, &times)?;
    keys::check_values_type(&output, property, values_index, &values)?;
    keys::check_count(
        &output,
        property,
        values_index,
        &values,
        [per_key, times.count()],
    )?;
    shared.spend(at, times.count() as u64 * (1 + per_key as u64))?;
    let times = keys::ascending(&input, times_index, &times)?;
    if times[0] < 0.0 && shared.negative.insert(times_index) {
        let message = format!("accessor {times_index} begins at {} s, before 0", times[0]);
        findings.warn(input.rule(message));
    }
    Ok(Channel {
        node,
        property,
        interpolation,
        values: keys::finite(&output, values_index, &values)?,
        times,
        width,
    })
}

/// Reads the interpolation of a sampler.
fn interpolation(sampler: &Cursor<'_>) -> Result<Interpolation, Problem> {
    match sampler.text("interpolation")? {
        None | Some("LINEAR") => Ok(Interpolation::Linear),
        Some("STEP") => Ok(Interpolation::Step),
        Some("CUBICSPLINE") => Ok(Interpolation::CubicSpline),
        Some(other) => {
            let message = format!("{} is no known interpolation", quoted(other));
            Err(sampler.rule_in("interpolation", message))
        }
    }
}
