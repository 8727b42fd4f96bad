//! Animations: times and values of every channel, as numbers.

use std::collections::HashSet;

use super::{Cursor, Data, Findings, Problem};
use crate::bake::gltf::accessor::Accessor;
use crate::bake::gltf::accessor_checks::{described, referenced_accessor};
use crate::bake::gltf::element_type::{ComponentType, ElementType};
use crate::bake::gltf::model::{Animation, Channel, Interpolation, Mesh, Node, Property};
use crate::bake::gltf::problem::quoted;

/// Numbers that all animations together may have, however short the file is. Beyond, as many as the buffers have
/// bytes: channels may share accessors, but each holds its own numbers.
const FREE_NUMBERS: u64 = 1 << 24;

/// What is kept from channel to channel.
struct Tally {
    /// Numbers that channels may still have.
    budget: u64,
    /// Accessors of times before 0 that have been found.
    negative: HashSet<usize>,
}

impl Tally {
    /// Takes numbers from what is left.
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

/// What channels are checked against.
#[derive(Clone, Copy)]
struct Scope<'s> {
    data: Data<'s>,
    nodes: &'s [Node],
    meshes: &'s [Mesh],
}

impl Scope<'_> {
    /// Numbers of one value of a property; 0 for weights of a node without morph targets.
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

/// All animations.
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
    let mut tally = Tally {
        budget: data.buffers.len().max(FREE_NUMBERS),
        negative: HashSet::new(),
    };
    let mut animations = Vec::with_capacity(list.items().len());
    for item in list.items() {
        let animation = animation(&item, scope, &mut tally, findings);
        animations.extend(findings.keep(animation));
    }
    animations
}

fn animation(
    at: &Cursor<'_>,
    scope: Scope<'_>,
    tally: &mut Tally,
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
        channels.push(channel(&item, target, &samplers, scope, tally, findings)?);
    }
    Ok(Animation {
        name: at.name()?,
        channels,
    })
}

impl Property {
    fn of(path: &str) -> Option<Self> {
        Some(match path {
            "translation" => Self::Translation,
            "rotation" => Self::Rotation,
            "scale" => Self::Scale,
            "weights" => Self::Weights,
            _ => return None,
        })
    }

    /// What files call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        }
    }
}

/// What a channel animates; `None` if that is nothing, or nothing known.
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
    // glTF 2.0 §3.11: a channel without a node is to be ignored, for extensions may say what it animates.
    let Some(node) = node else { return Ok(None) };
    if scope.width(node, property) == 0 {
        let message = format!("node {node} has no morph targets; the channel is left out");
        findings.warn(target.rule_in("node", message));
        return Ok(None);
    }
    Ok(Some((node, property)))
}

fn channel(
    at: &Cursor<'_>,
    (node, property): (usize, Property),
    samplers: &Cursor<'_>,
    scope: Scope<'_>,
    tally: &mut Tally,
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
    typed_times(&input, times_index, &times)?;
    typed_values(&output, property, values_index, &values)?;
    counted(
        &output,
        property,
        values_index,
        &values,
        [per_key, times.count()],
    )?;
    tally.spend(at, times.count() as u64 * (1 + per_key as u64))?;
    let times = ascending(&input, times_index, &times)?;
    if times[0] < 0.0 && tally.negative.insert(times_index) {
        let message = format!("accessor {times_index} begins at {} s, before 0", times[0]);
        findings.warn(input.rule(message));
    }
    Ok(Channel {
        node,
        property,
        interpolation,
        values: finite(&output, values_index, &values)?,
        times,
        width,
    })
}

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

fn typed_times(at: &Cursor<'_>, index: usize, times: &Accessor<'_>) -> Result<(), Problem> {
    let scalars = times.element_type() == ElementType::Scalar;
    if scalars && times.component_type() == ComponentType::F32 {
        return Ok(());
    }
    let found = described(times);
    Err(at.rule(format!("accessor {index} has {found}, not SCALAR of f32")))
}

/// Whether values have the type that a property asks for (glTF 2.0 §3.11).
fn typed_values(
    at: &Cursor<'_>,
    property: Property,
    index: usize,
    values: &Accessor<'_>,
) -> Result<(), Problem> {
    let (element, or) = match property {
        Property::Translation | Property::Scale => (ElementType::Vec3, ""),
        Property::Rotation => (ElementType::Vec4, " or normalized integers"),
        Property::Weights => (ElementType::Scalar, " or normalized integers"),
    };
    let typed = match values.component_type() {
        ComponentType::F32 => true,
        ComponentType::U32 => false,
        _ => values.is_normalized() && !or.is_empty(),
    };
    if typed && values.element_type() == element {
        return Ok(());
    }
    let (found, name) = (described(values), property.name());
    let needed = element.name();
    Err(at.rule(format!(
        "accessor {index} has {found}; {name} needs {needed} of f32{or}"
    )))
}

/// Whether there are as many numbers as so many keys need.
fn counted(
    at: &Cursor<'_>,
    property: Property,
    index: usize,
    values: &Accessor<'_>,
    [per_key, keys]: [usize; 2],
) -> Result<(), Problem> {
    let needed = (per_key as u64).saturating_mul(keys as u64);
    let has = (values.count() as u64).saturating_mul(values.component_count() as u64);
    if needed == has {
        return Ok(());
    }
    let name = property.name();
    Err(at.rule(format!(
        "accessor {index} has {has} numbers; {keys} keys of {name} need {needed}"
    )))
}

/// Times of keys, at least one, which ascend.
fn ascending(at: &Cursor<'_>, index: usize, times: &Accessor<'_>) -> Result<Vec<f64>, Problem> {
    let times = finite(at, index, times)?;
    if let Some(key) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let (a, b) = (times[key], times[key + 1]);
        let message = format!(
            "the times of keys {key} and {} in accessor {index}, {a} s and {b} s, do not ascend",
            key + 1
        );
        return Err(at
            .rule(message)
            .help("sort the keys by time and leave one for each time"));
    }
    Ok(times)
}

/// All numbers of an accessor of scalars or vectors, which are finite.
fn finite(at: &Cursor<'_>, index: usize, accessor: &Accessor<'_>) -> Result<Vec<f64>, Problem> {
    let width = accessor.component_count().min(4);
    let mut numbers = Vec::with_capacity(accessor.count() * width);
    for element in accessor.iter::<4>() {
        numbers.extend_from_slice(&element[..width]);
    }
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers),
        Some(place) => {
            let (element, bad) = (place / width, numbers[place]);
            Err(at.rule(format!("element {element} of accessor {index} has {bad}")))
        }
    }
}
