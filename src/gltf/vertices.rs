//! What the kernel reads of a primitive: influences and rest frames, for any range of its vertices.
//!
//! In: a checked file, one of its primitives, a range. Out: numbers; the file's own are checked here, for they are
//! looked at here for the first time (`bake.md` §2 for morph targets, §3 for influences).

use std::ops::Range;

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
    let mut found = VertexInfluences {
        set_count,
        slots: vec![(0, 0.0); vertices.len() * set_count * SLOTS],
        first_off: None,
    };
    let mut joints = vec![[0; SLOTS]; vertices.len()];
    let mut weights = vec![[0.0; SLOTS]; vertices.len()];
    let (sets, _) = found.slots.as_chunks_mut::<SLOTS>();
    for set in 0..set_count {
        if let (Some(of_joints), Some(of_weights)) =
            (attribute("JOINTS", set), attribute("WEIGHTS", set))
        {
            of_joints.copy_indices(vertices.start, &mut joints);
            of_weights.copy(vertices.start, &mut weights);
        }
        let places = sets.iter_mut().skip(set).step_by(set_count);
        for (place, (joints, weights)) in places.zip(joints.iter().zip(&weights)) {
            for slot in 0..SLOTS {
                place[slot] = (joints[slot].min(u16::MAX.into()) as u16, weights[slot]);
            }
        }
    }
    for (index, list) in found.slots.chunks_exact_mut(set_count * SLOTS).enumerate() {
        let (mut sum, mut good) = (0.0, true);
        for (joint, weight) in &mut *list {
            sum += *weight;
            let is_weight = *weight >= 0.0 && weight.is_finite();
            good &= is_weight && (usize::from(*joint) < joint_count || *weight == 0.0);
        }
        let vertex = vertices.start + index;
        if !good {
            return Err(bad_slot(list, vertex, path, joint_count));
        }
        if (sum - 1.0).abs() > OFF {
            found.first_off.get_or_insert((vertex, sum));
        }
        match sum > 0.0 {
            true => list.iter_mut().for_each(|(_, weight)| *weight /= sum),
            false => {
                list[0].1 = 1.0;
                if usize::from(list[0].0) >= joint_count {
                    return Err(bad_slot(list, vertex, path, joint_count));
                }
            }
        }
    }
    Ok(found)
}

/// What is wrong with the first slot of a vertex with which something is.
fn bad_slot(list: &[(u16, f64)], vertex: usize, path: &str, joint_count: usize) -> Problem {
    for (slot, (joint, weight)) in list.iter().enumerate() {
        let set = slot / SLOTS;
        if !(*weight >= 0.0 && weight.is_finite()) {
            let message = format!("weight {weight} of vertex {vertex} is no weight");
            return Problem::rule(&format!("{path}.attributes.WEIGHTS_{set}"), message);
        }
        if *weight > 0.0 && usize::from(*joint) >= joint_count {
            let message =
                format!("vertex {vertex} names joint {joint} of a skin with {joint_count}");
            return Problem::rule(&format!("{path}.attributes.JOINTS_{set}"), message);
        }
    }
    Problem::rule(&path, format!("vertex {vertex} has unusable influences"))
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
    let planes = |name: &str| {
        let rows = morphed::<3>(file, primitive, path, name, weights, vertices.clone())?;
        Ok(rows.map(|rows| planes_of(&rows)))
    };
    Ok(RestFrames {
        positions: planes("POSITION")?.unwrap_or_default(),
        normals: planes("NORMAL")?,
        tangents: planes("TANGENT")?,
    })
}

/// Vectors as planes, filled up to whole blocks with copies of the last.
fn planes_of(rows: &[[f64; 3]]) -> [Vec<f64>; 3] {
    let padded = rows.len().next_multiple_of(BLOCK);
    let last = rows.last().copied().unwrap_or_default();
    [0, 1, 2].map(|component| {
        let mut plane = Vec::with_capacity(padded);
        plane.extend(rows.iter().map(|row| row[component]));
        plane.resize(padded, last[component]);
        plane
    })
}

/// The first `N` components of an attribute of some vertices: its own plus those of the morph targets in order,
/// targets of weight zero skipped. `None` if there is no such attribute.
///
/// # Errors
/// A number that is not finite, in the file or after morphing. `path` is the primitive's place in the JSON.
pub fn morphed<const N: usize>(
    file: &File<'_>,
    primitive: &Primitive,
    path: &str,
    name: &str,
    weights: &[f64],
    vertices: Range<usize>,
) -> Result<Option<Vec<[f64; N]>>, Problem> {
    let base = primitive
        .attribute(name)
        .and_then(|index| file.accessor(index));
    let Some(base) = base else {
        return Ok(None);
    };
    let mut rows = vec![[0.0; N]; vertices.len()];
    base.copy(vertices.start, &mut rows);
    let mut differences = Vec::new();
    for (index, weight) in weights.iter().enumerate() {
        let target = primitive.target_attribute(index, name);
        let target = target.and_then(|index| file.accessor(index));
        let Some(target) = target.filter(|_| *weight != 0.0) else {
            continue;
        };
        differences.resize(rows.len(), [0.0; N]);
        target.copy(vertices.start, &mut differences);
        for (row, difference) in rows.iter_mut().zip(&differences) {
            for (number, difference) in row.iter_mut().zip(difference) {
                *number += weight * difference;
            }
        }
    }
    // Times zero, only what is finite comes to zero.
    let mut sums = [0.0; N];
    for row in &rows {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number * 0.0;
        }
    }
    if sums != [0.0; N] {
        let bad = rows.as_flattened().iter().position(|n| !n.is_finite());
        let bad = bad.unwrap_or(0);
        let (vertex, component) = (vertices.start + bad / N, bad % N);
        let number = rows[bad / N][component];
        let message = format!("component {component} of vertex {vertex} is {number}");
        return Err(Problem::rule(&format!("{path}.attributes.{name}"), message));
    }
    Ok(Some(rows))
}
