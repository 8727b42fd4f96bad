//! Reading vertices for the kernel: influences and rest frames of any range of a primitive's vertices.
//!
//! In: a checked file, one of its primitives, a range. Out: joints, weights, positions and directions as f64. Vertex
//! data are checked here, because they are read here for the first time (`bake.md` §2 for morph targets, §3 for
//! influences).

use std::ops::Range;

use super::accessor::Accessor;
use super::file::File;
use super::model::Primitive;
use super::problem::Problem;
use crate::kernel::{BLOCK, SLOTS};

/// Joints and weights of some vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexInfluences {
    /// Number of sets of influences per vertex; a set has four slots.
    pub set_count: usize,
    /// Joint numbers: all sets of the first vertex, then all of the next.
    pub joints: Vec<[u16; SLOTS]>,
    /// Weights of the same slots; those of a vertex sum to 1.
    pub weights: Vec<[f64; SLOTS]>,
    /// The first vertex whose weights in the file have a sum beyond 1 ± 1e-3, and the sum.
    pub first_off: Option<(usize, f64)>,
}

/// Largest difference between a sum of weights and 1 that causes no warning.
const TOLERANCE: f64 = 1e-3;

/// A range of a primitive's vertices, to be read.
#[derive(Clone)]
pub struct Vertices<'v, 'f> {
    /// The file.
    pub file: &'v File<'f>,
    /// One of its primitives.
    pub primitive: &'v Primitive,
    /// Path of the primitive in the JSON.
    pub path: &'v str,
    /// Numbers of the vertices.
    pub range: Range<usize>,
}

impl Vertices<'_, '_> {
    /// Returns the accessor of an attribute of the primitive; `None` if there is no such attribute.
    pub fn accessor(&self, name: &str) -> Option<Accessor<'_>> {
        self.file.accessor(self.primitive.attribute(name)?)
    }

    /// Returns the problem that an attribute breaks a rule.
    fn problem(&self, attribute: &str, message: String) -> Problem {
        Problem::rule(&format!("{}.attributes.{attribute}", self.path), message)
    }
}

impl VertexInfluences {
    /// Reads the influences of vertices of a skinned primitive and normalises their weights; the previous contents are
    /// replaced. If all weights of a vertex are zero, the first slot gets the weight 1.
    ///
    /// # Errors
    /// If a weight is negative or not finite, or a joint number in a slot of non-zero weight is not below
    /// `joint_count`.
    pub fn read(&mut self, from: &Vertices<'_, '_>, joint_count: usize) -> Result<(), Problem> {
        self.set_count = from.primitive.influence_sets;
        self.read_sets(from);
        self.normalise(from, joint_count)
    }

    /// Reads joints and weights of all sets as the file has them.
    fn read_sets(&mut self, from: &Vertices<'_, '_>) {
        let set_count = self.set_count;
        let (first, count) = (from.range.start, from.range.len());
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
    }

    /// Checks joints and weights, normalises the weights and finds the first vertex whose weights do not sum to 1.
    fn normalise(&mut self, from: &Vertices<'_, '_>, joint_count: usize) -> Result<(), Problem> {
        self.first_off = None;
        let first = from.range.start;
        let first_off = &mut self.first_off;
        let mut check = |vertex: usize, sum: Option<f64>| match sum {
            Some(sum) if (sum - 1.0).abs() <= TOLERANCE => Ok(()),
            Some(sum) => {
                first_off.get_or_insert((first + vertex, sum));
                Ok(())
            }
            None => Err(bad_slot(from, first + vertex, joint_count)),
        };
        if self.set_count == 1 {
            // The length of the lists is known, so that their loops are written out.
            let lists = self.joints.iter().zip(&mut self.weights).enumerate();
            for (vertex, (joints, weights)) in lists {
                check(vertex, normalised(joints, weights, joint_count))?;
            }
            return Ok(());
        }
        let joints = self.joints.chunks_exact(self.set_count);
        let weights = self.weights.chunks_exact_mut(self.set_count);
        for (vertex, (joints, weights)) in joints.zip(weights).enumerate() {
            let (joints, weights) = (joints.as_flattened(), weights.as_flattened_mut());
            check(vertex, normalised(joints, weights, joint_count))?;
        }
        Ok(())
    }

    /// Returns pairs of joint and weight, one for each slot, in order.
    pub fn slots(&self) -> Vec<(u16, f64)> {
        let joints = self.joints.as_flattened().iter().copied();
        joints
            .zip(self.weights.as_flattened().iter().copied())
            .collect()
    }
}

/// Divides the weights of a vertex by their sum, which it returns; `None` if a slot is not valid. If all weights are zero, the first slot
/// gets the weight 1.
#[inline(always)]
fn normalised(joints: &[u16], weights: &mut [f64], joint_count: usize) -> Option<f64> {
    let (mut sum, mut good) = (0.0, true);
    for (joint, weight) in joints.iter().zip(&*weights) {
        sum += weight;
        good &= (*weight >= 0.0)
            & (*weight < f64::INFINITY)
            & ((usize::from(*joint) < joint_count) | (*weight == 0.0));
    }
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    } else if good {
        weights[0] = 1.0;
        good = usize::from(joints[0]) < joint_count;
    }
    good.then_some(sum)
}

/// Returns the problem of a vertex whose influences are not valid: that of the first slot that is wrong.
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

/// Rest frames of some vertices after morphing: one plane (array) per component, padded to whole blocks with copies of
/// the last vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestFrames {
    /// Positions.
    pub positions: [Vec<f64>; 3],
    /// Normals, if the primitive has them.
    pub normals: Option<[Vec<f64>; 3]>,
    /// Tangents without their handedness, if the primitive has them.
    pub tangents: Option<[Vec<f64>; 3]>,
}

impl RestFrames {
    /// Reads rest frames, morphed by `weights`; the previous contents are replaced. Targets of weight zero are skipped.
    ///
    /// # Errors
    /// If a number is not finite, in the file or after morphing.
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

/// Transposes vectors to planes, padded to whole blocks with copies of the last vector.
fn to_planes(rows: &[[f64; 3]], planes: &mut [Vec<f64>; 3]) {
    let padded = rows.len().next_multiple_of(BLOCK);
    let last = rows.last().copied().unwrap_or_default();
    planes
        .iter_mut()
        .for_each(|plane| plane.resize(padded, 0.0));
    let [x, y, z] = planes
        .each_mut()
        .map(|plane| plane.split_at_mut(rows.len()));
    let components = x.0.iter_mut().zip(y.0).zip(z.0);
    for (((x, y), z), row) in components.zip(rows) {
        [*x, *y, *z] = *row;
    }
    for (plane, last) in [x.1, y.1, z.1].into_iter().zip(last) {
        plane.fill(last);
    }
}

/// Reads the first `N` components of an attribute, and adds those of the morph targets, times their weights, in order;
/// targets of weight zero are skipped. Returns `false`, and leaves `rows` unchanged, if there is no such attribute.
///
/// # Errors
/// If a number is not finite, in the file or after morphing.
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
    match first_non_finite(rows) {
        None => Ok(true),
        Some((row, component)) => {
            let (vertex, number) = (first + row, rows[row][component]);
            let message = format!("component {component} of vertex {vertex} is {number}");
            Err(from.problem(name, message))
        }
    }
}

/// Returns row and component of the first number that is infinite or NaN; `None` if all are finite.
fn first_non_finite<const N: usize>(rows: &[[f64; N]]) -> Option<(usize, usize)> {
    // A finite number times zero is zero, any other is NaN. The sums are the fast way to find that all are finite.
    let mut sums = [0.0; N];
    for row in rows {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number * 0.0;
        }
    }
    if sums == [0.0; N] {
        return None;
    }
    let numbers = rows.as_flattened();
    let found = numbers.iter().position(|number| !number.is_finite())?;
    Some((found / N, found % N))
}
