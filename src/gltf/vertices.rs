//! What the kernel reads of a primitive: influences and rest frames, for any range of its vertices.
//!
//! In: a checked file, one of its primitives, a range. Out: numbers; the file's own are checked here, for they are
//! looked at here for the first time (`bake.md` §2 for morph targets, §3 for influences).

use std::ops::Range;

use super::accessor::Accessor;
use super::file::File;
use super::model::Primitive;
use super::problem::Problem;
use crate::kernel::{BLOCK, SLOTS};

/// Joints and weights of some vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexInfluences {
    /// Sets of four slots a vertex.
    pub set_count: usize,
    /// The slots of one vertex after the other; the weights of each sum to 1.
    pub slots: Vec<(u16, f64)>,
    /// The first vertex whose weights in the file sum to something beyond 1 ± 1e-3, and their sum.
    pub first_off: Option<(usize, f64)>,
}

/// How far from 1 a sum of weights may be before it is worth a warning.
const OFF: f64 = 1e-3;

/// Influences of a range of vertices of a skinned primitive, weights normalised. Where all weights of a vertex are
/// zero the first slot gets the weight 1.
///
/// # Errors
/// A weight that is negative or not finite; a joint beyond `joint_count` in a slot whose weight is not zero. `path`
/// is the primitive's place in the JSON.
pub fn influences(
    file: &File<'_>,
    primitive: &Primitive,
    path: &str,
    joint_count: usize,
    vertices: Range<usize>,
) -> Result<VertexInfluences, Problem> {
    let set_count = primitive.influence_sets;
    let attribute = |name: &str, set: usize| {
        let accessor = primitive.attribute(&format!("{name}_{set}"));
        accessor.and_then(|index| file.accessor(index))
    };
    let sets: Vec<(Accessor<'_>, Accessor<'_>)> = (0..set_count)
        .filter_map(|set| Some((attribute("JOINTS", set)?, attribute("WEIGHTS", set)?)))
        .collect();
    let mut found = VertexInfluences {
        set_count,
        slots: Vec::with_capacity(vertices.len() * set_count * SLOTS),
        first_off: None,
    };
    for vertex in vertices {
        let first = found.slots.len();
        let mut sum = 0.0;
        for (set, (joints, weights)) in sets.iter().enumerate() {
            for slot in 0..SLOTS {
                let weight = weights.real(vertex, slot);
                if !(weight >= 0.0 && weight.is_finite()) {
                    let message = format!("weight {weight} of vertex {vertex} is no weight");
                    let place = format!("{path}.attributes.WEIGHTS_{set}");
                    return Err(Problem::rule(&place, message));
                }
                let joint = joints.integer(vertex, slot).unwrap_or(u32::MAX);
                found
                    .slots
                    .push((joint.min(u16::MAX.into()) as u16, weight));
                sum += weight;
            }
        }
        let list = &mut found.slots[first..];
        if (sum - 1.0).abs() > OFF {
            found.first_off.get_or_insert((vertex, sum));
        }
        match sum > 0.0 {
            true => list.iter_mut().for_each(|(_, weight)| *weight /= sum),
            false => list[0].1 = 1.0,
        }
        if let Some(slot) = list
            .iter()
            .position(|(joint, weight)| *weight > 0.0 && usize::from(*joint) >= joint_count)
        {
            let (joint, set) = (list[slot].0, slot / SLOTS);
            let message =
                format!("vertex {vertex} names joint {joint} of a skin with {joint_count}");
            let place = format!("{path}.attributes.JOINTS_{set}");
            return Err(Problem::rule(&place, message));
        }
    }
    Ok(found)
}

/// Rest frames of some vertices, after their morph targets: a plane per component, filled up to whole blocks with
/// copies of the last vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestFrames {
    /// Positions.
    pub positions: [Vec<f64>; 3],
    /// Normals, where the primitive has them.
    pub normals: Option<[Vec<f64>; 3]>,
    /// Tangents without their handedness, where the primitive has them.
    pub tangents: Option<[Vec<f64>; 3]>,
}

/// Rest frames of a range of vertices, morphed by `weights`; targets of weight zero are skipped.
///
/// # Errors
/// A number that is not finite, in the file or after morphing. `path` is the primitive's place in the JSON.
pub fn rest_frames(
    file: &File<'_>,
    primitive: &Primitive,
    path: &str,
    weights: &[f64],
    vertices: Range<usize>,
) -> Result<RestFrames, Problem> {
    let planes = |name: &str| morphed(file, primitive, path, name, weights, vertices.clone());
    Ok(RestFrames {
        positions: planes("POSITION")?.unwrap_or_default(),
        normals: planes("NORMAL")?,
        tangents: planes("TANGENT")?,
    })
}

/// The first three components of an attribute, base plus targets in order.
fn morphed(
    file: &File<'_>,
    primitive: &Primitive,
    path: &str,
    name: &str,
    weights: &[f64],
    vertices: Range<usize>,
) -> Result<Option<[Vec<f64>; 3]>, Problem> {
    let base = primitive
        .attribute(name)
        .and_then(|index| file.accessor(index));
    let Some(base) = base else {
        return Ok(None);
    };
    let target = |(index, weight): (usize, &f64)| {
        let accessor = file.accessor(primitive.target_attribute(index, name)?)?;
        (*weight != 0.0).then_some((accessor, *weight))
    };
    let targets: Vec<(Accessor<'_>, f64)> = weights.iter().enumerate().filter_map(target).collect();
    let padded = vertices.len().next_multiple_of(BLOCK);
    let mut planes = [(); 3].map(|()| Vec::with_capacity(padded));
    for vertex in vertices {
        for (component, plane) in planes.iter_mut().enumerate() {
            let mut number = base.real(vertex, component);
            for (target, weight) in &targets {
                number += weight * target.real(vertex, component);
            }
            if !number.is_finite() {
                let message = format!("component {component} of vertex {vertex} is {number}");
                return Err(Problem::rule(&format!("{path}.attributes.{name}"), message));
            }
            plane.push(number);
        }
    }
    for plane in &mut planes {
        let last = plane.last().copied().unwrap_or(0.0);
        plane.resize(padded, last);
    }
    Ok(Some(planes))
}
