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
    /// Joint numbers: the sets of one vertex after the other.
    pub joints: Vec<[u16; SLOTS]>,
    /// Weights of the same slots; those of a vertex sum to 1.
    pub weights: Vec<[f64; SLOTS]>,
    /// The first vertex whose weights in the file sum to something beyond 1 ± 1e-3, and their sum.
    pub first_off: Option<(usize, f64)>,
}

/// How far from 1 a sum of weights may be before it is worth a warning.
const OFF: f64 = 1e-3;

/// Some vertices of a primitive, about to be read.
#[derive(Clone)]
pub struct Vertices<'v, 'f> {
    /// The file.
    pub file: &'v File<'f>,
    /// One of its primitives.
    pub primitive: &'v Primitive,
    /// The primitive's place in the JSON.
    pub path: &'v str,
    /// Which of its vertices.
    pub range: Range<usize>,
}

impl Vertices<'_, '_> {
    /// An attribute of the primitive.
    pub fn accessor(&self, name: &str) -> Option<Accessor<'_>> {
        self.file.accessor(self.primitive.attribute(name)?)
    }

    fn problem(&self, attribute: &str, message: String) -> Problem {
        Problem::rule(&format!("{}.attributes.{attribute}", self.path), message)
    }
}

impl VertexInfluences {
    /// Reads the influences of vertices of a skinned primitive, weights normalised, in place of what was here. Where
    /// all weights of a vertex are zero the first slot gets the weight 1.
    ///
    /// # Errors
    /// A weight that is negative or not finite; a joint beyond `joint_count` in a slot whose weight is not zero.
    pub fn read(&mut self, from: &Vertices<'_, '_>, joint_count: usize) -> Result<(), Problem> {
        let set_count = from.primitive.influence_sets;
        let (first, count) = (from.range.start, from.range.len());
        self.set_count = set_count;
        self.first_off = None;
        self.joints.resize(count * set_count, [0; SLOTS]);
        self.weights.resize(count * set_count, [0.0; SLOTS]);
        for (set, (joints, weights)) in from.primitive.influences().into_iter().enumerate() {
            let joints = from.file.accessor(joints);
            let weights = from.file.accessor(weights);
            let (Some(joints), Some(weights)) = (joints, weights) else {
                continue;
            };
            if set_count == 1 {
                joints.copy_u16(first, &mut self.joints);
                weights.copy(first, &mut self.weights);
                continue;
            }
            let mut of_set = (vec![[0; SLOTS]; count], vec![[0.0; SLOTS]; count]);
            joints.copy_u16(first, &mut of_set.0);
            weights.copy(first, &mut of_set.1);
            for (vertex, (joints, weights)) in of_set.0.into_iter().zip(of_set.1).enumerate() {
                self.joints[vertex * set_count + set] = joints;
                self.weights[vertex * set_count + set] = weights;
            }
        }
        let joints = self.joints.chunks_exact(set_count);
        let weights = self.weights.chunks_exact_mut(set_count);
        for (vertex, (joints, weights)) in joints.zip(weights).enumerate() {
            let (joints, weights) = (joints.as_flattened(), weights.as_flattened_mut());
            let (mut sum, mut good) = (0.0, true);
            for (joint, weight) in joints.iter().zip(&*weights) {
                sum += weight;
                good &= (0.0..f64::INFINITY).contains(weight)
                    & ((usize::from(*joint) < joint_count) | (*weight == 0.0));
            }
            if sum > 0.0 {
                weights.iter_mut().for_each(|weight| *weight /= sum);
            } else if good {
                weights[0] = 1.0;
                good = usize::from(joints[0]) < joint_count;
            }
            if !good {
                return Err(bad_slot(from, first + vertex, joint_count));
            }
            if (sum - 1.0).abs() > OFF {
                self.first_off.get_or_insert((first + vertex, sum));
            }
        }
        Ok(())
    }

    /// Joints and weights in pairs, slot after slot.
    pub fn slots(&self) -> Vec<(u16, f64)> {
        let joints = self.joints.as_flattened().iter().copied();
        joints
            .zip(self.weights.as_flattened().iter().copied())
            .collect()
    }
}

/// What is wrong with the influences of a vertex.
fn bad_slot(from: &Vertices<'_, '_>, vertex: usize, joint_count: usize) -> Problem {
    let mut first_joint = None;
    for (set, (of_joints, of_weights)) in from.primitive.influences().into_iter().enumerate() {
        let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        let (of_joints, of_weights) = (
            from.file.accessor(of_joints),
            from.file.accessor(of_weights),
        );
        let (Some(of_joints), Some(of_weights)) = (of_joints, of_weights) else {
            continue;
        };
        for slot in 0..SLOTS {
            let weight = of_weights.real(vertex, slot);
            let joint = of_joints.integer(vertex, slot).unwrap_or(u32::MAX);
            first_joint.get_or_insert(joint);
            if !(0.0..f64::INFINITY).contains(&weight) {
                let message = format!("weight {weight} of vertex {vertex} is no weight");
                return from.problem(&weights, message);
            }
            if weight > 0.0 && joint as usize >= joint_count {
                let message =
                    format!("vertex {vertex} names joint {joint} of a skin with {joint_count}");
                return from.problem(&joints, message);
            }
        }
    }
    let joint = first_joint.unwrap_or(0);
    let message = format!(
        "vertex {vertex}, all of whose weights are zero, names joint {joint} of a skin with {joint_count}"
    );
    from.problem("JOINTS_0", message)
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

impl RestFrames {
    /// Reads rest frames, morphed by `weights`, in place of what was here; targets of weight zero are skipped.
    ///
    /// # Errors
    /// A number that is not finite, in the file or after morphing.
    pub fn read(&mut self, from: &Vertices<'_, '_>, weights: &[f64]) -> Result<(), Problem> {
        let mut rows = Vec::new();
        morphed(from, "POSITION", weights, &mut rows)?;
        to_planes(&rows, &mut self.positions);
        for (name, planes) in [
            ("NORMAL", &mut self.normals),
            ("TANGENT", &mut self.tangents),
        ] {
            match morphed(from, name, weights, &mut rows)? {
                true => to_planes(&rows, planes.get_or_insert_default()),
                false => *planes = None,
            }
        }
        Ok(())
    }
}

/// Vectors as planes, filled up to whole blocks with copies of the last.
fn to_planes(rows: &[[f64; 3]], planes: &mut [Vec<f64>; 3]) {
    let padded = rows.len().next_multiple_of(BLOCK);
    let last = rows.last().copied().unwrap_or_default();
    planes
        .iter_mut()
        .for_each(|plane| plane.resize(padded, 0.0));
    let [x, y, z] = planes
        .each_mut()
        .map(|plane| plane.split_at_mut(rows.len()));
    let places = x.0.iter_mut().zip(y.0).zip(z.0);
    for (((x, y), z), row) in places.zip(rows) {
        [*x, *y, *z] = *row;
    }
    for (plane, last) in [x.1, y.1, z.1].into_iter().zip(last) {
        plane.fill(last);
    }
}

/// Reads the first `N` components of an attribute: its own plus those of the morph targets in order, targets of weight
/// zero skipped. `false` if there is no such attribute; `rows` then has what it had.
///
/// # Errors
/// A number that is not finite, in the file or after morphing.
pub fn morphed<const N: usize>(
    from: &Vertices<'_, '_>,
    name: &str,
    weights: &[f64],
    rows: &mut Vec<[f64; N]>,
) -> Result<bool, Problem> {
    let Some(base) = from.accessor(name) else {
        return Ok(false);
    };
    let first = from.range.start;
    rows.resize(from.range.len(), [0.0; N]);
    base.copy(first, rows);
    let mut differences = Vec::new();
    for (index, weight) in weights.iter().enumerate() {
        let target = from.primitive.target_attribute(index, name);
        let target = target.and_then(|index| from.file.accessor(index));
        let Some(target) = target.filter(|_| *weight != 0.0) else {
            continue;
        };
        differences.resize(rows.len(), [0.0; N]);
        target.copy(first, &mut differences);
        for (row, difference) in rows.iter_mut().zip(&differences) {
            for (number, difference) in row.iter_mut().zip(difference) {
                *number += weight * difference;
            }
        }
    }
    // Times zero, only what is finite comes to zero.
    let mut sums = [0.0; N];
    for row in &*rows {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number * 0.0;
        }
    }
    if sums == [0.0; N] {
        return Ok(true);
    }
    let bad = rows
        .as_flattened()
        .iter()
        .position(|number| !number.is_finite());
    let bad = bad.unwrap_or(0);
    let (vertex, component, number) = (first + bad / N, bad % N, rows[bad / N][bad % N]);
    let message = format!("component {component} of vertex {vertex} is {number}");
    Err(from.problem(name, message))
}
