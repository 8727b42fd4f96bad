//! Reading influences for the kernel: joints and weights of any range of a primitive's vertices.
//!
//! In: a checked file, one of its primitives, a range. Out: joints, and weights as f64 that sum to 1 (`bake.md` §3).

use super::problem::{Problem, Result};
use super::vertices::Vertices;
use rigy_kernel::SLOTS;

/// Joints and weights of some vertices.
#[derive(Debug, Default)]
pub struct VertexInfluences {
    /// Number of sets of influences per vertex; a set has four slots.
    pub set_count: usize,
    /// Joint numbers: all sets of the first vertex, then all of the next.
    pub joints: Vec<[u16; SLOTS]>,
    /// Weights of the same slots; those of a vertex sum to 1.
    pub weights: Vec<[f64; SLOTS]>,
    /// What is unusual about the weights in the file.
    pub oddities: WeightOddities,
}

/// The vertices with unusual weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightOddities {
    /// The first vertex whose weights have a sum beyond 1 ± 1e-3, and the sum.
    pub first_off: Option<(usize, f64)>,
    /// The first vertex all of whose weights are NaN, and the number of such vertices.
    pub undefined: Option<(usize, usize)>,
    /// The first vertex with a weight between 0 and −1e-3, and the number of such vertices.
    pub negative: Option<(usize, usize)>,
}

impl WeightOddities {
    /// Adds those of a later range of vertices.
    pub fn add(&mut self, later: &Self) {
        let add = |known: &mut Option<(usize, usize)>, more: Option<(usize, usize)>| {
            if let Some((first, count)) = more {
                known.get_or_insert((first, 0)).1 += count;
            }
        };
        self.first_off = self.first_off.or(later.first_off);
        add(&mut self.undefined, later.undefined);
        add(&mut self.negative, later.negative);
    }
}

/// Largest difference between a sum of weights and 1 that causes no warning.
const TOLERANCE: f64 = 1e-3;

/// Least weight that counts as 0 because an exporter has rounded it: −1e-3 in single precision.
const LEAST: f64 = -1e-3_f32 as f64;

impl VertexInfluences {
    /// Reads the influences of vertices of a skinned primitive and normalises their weights; the previous contents are
    /// replaced. If all weights of a vertex are zero, or all are NaN, the first slot gets the weight 1. Weights from −1e-3 to 0 are 0.
    ///
    /// # Errors
    /// If a weight is below −1e-3, or not finite among others that are numbers, or a joint number in a slot of non-zero weight is not
    /// below `joint_count`.
    pub fn read(&mut self, from: &Vertices, joint_count: usize) -> Result<()> {
        self.set_count = from.primitive.influences.len();
        self.read_sets(from);
        self.normalise(from, joint_count)
    }

    /// Reads joints and weights of all sets as the file has them.
    fn read_sets(&mut self, from: &Vertices) {
        let set_count = self.set_count;
        let first = from.range.start;
        let count = from.range.len();
        self.joints.resize(count * set_count, [0; SLOTS]);
        self.weights.resize(count * set_count, [0.0; SLOTS]);
        for (set, (joints, weights)) in from.primitive.influences.iter().enumerate() {
            let joints = from.file.accessor(*joints);
            let weights = from.file.accessor(*weights);
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
    fn normalise(&mut self, from: &Vertices, joint_count: usize) -> Result<()> {
        self.oddities = WeightOddities::default();
        let first = from.range.start;
        let oddities = &mut self.oddities;
        let mut check = |vertex: usize, joints: &[u16], weights: &mut [f64], sum: Option<f64>| {
            let vertex = first + vertex;
            let mut found = WeightOddities::default();
            let sum = sum
                .or_else(|| {
                    if weights.iter().all(|weight| weight.is_nan()) {
                        weights.fill(0.0);
                        found.undefined = Some((vertex, 1));
                    }
                    for weight in weights
                        .iter_mut()
                        .filter(|weight| is_rounded_zero(**weight))
                    {
                        *weight = 0.0;
                        found.negative = Some((vertex, 1));
                    }
                    normalised(joints, weights, joint_count)
                })
                .ok_or_else(|| bad_slot(from, vertex, joint_count))?;
            if (sum - 1.0).abs() > TOLERANCE && found.undefined.is_none() {
                found.first_off = Some((vertex, sum));
            }
            oddities.add(&found);
            Ok::<(), Problem>(())
        };
        if self.set_count == 1 {
            // The length of the lists is known, so that their loops are written out.
            for (vertex, (joints, weights)) in self.joints.iter().zip(&mut self.weights).enumerate()
            {
                let sum = normalised(joints, weights, joint_count);
                if sum.is_none_or(|sum| (sum - 1.0).abs() > TOLERANCE) {
                    check(vertex, joints, weights, sum)?;
                }
            }
            return Ok(());
        }
        let joints = self.joints.chunks_exact(self.set_count);
        let weights = self.weights.chunks_exact_mut(self.set_count);
        for (vertex, (joints, weights)) in joints.zip(weights).enumerate() {
            let joints = joints.as_flattened();
            let weights = weights.as_flattened_mut();
            let sum = normalised(joints, weights, joint_count);
            check(vertex, joints, weights, sum)?;
        }
        Ok(())
    }

    /// Returns pairs of joint and weight, one for each slot, in order.
    pub fn slots(&self) -> Vec<(u16, f64)> {
        self.joints
            .as_flattened()
            .iter()
            .copied()
            .zip(self.weights.as_flattened().iter().copied())
            .collect()
    }
}

/// True for a weight below 0 that counts as 0.
fn is_rounded_zero(weight: f64) -> bool {
    (LEAST..0.0).contains(&weight)
}

/// True if no weight of a vertex is negative or not finite, and joints of non-zero weight are below `joint_count`.
fn are_good(joints: &[u16], weights: &[f64], joint_count: usize) -> bool {
    joints.iter().zip(weights).all(|(joint, weight)| {
        (0.0..f64::INFINITY).contains(weight)
            && (usize::from(*joint) < joint_count || *weight == 0.0)
    })
}

/// Divides the weights of a vertex by their sum, which it returns; `None` if a slot is not valid, in which case the weights may stay as
/// they are. If all weights are zero, the first slot gets the weight 1.
#[inline(always)]
fn normalised(joints: &[u16], weights: &mut [f64], joint_count: usize) -> Option<f64> {
    // The bits of weights from +0 on have the order of the weights, and all others are higher.
    let mut sum = 0.0;
    let mut highest_weight = 0;
    let mut highest_joint = 0;
    for (joint, weight) in joints.iter().zip(&*weights) {
        sum += weight;
        highest_weight = highest_weight.max(weight.to_bits());
        highest_joint = highest_joint.max(*joint);
    }
    let good = highest_weight < f64::INFINITY.to_bits() && usize::from(highest_joint) < joint_count
        || are_good(joints, weights, joint_count);
    if !good {
        return None;
    }
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
        return Some(sum);
    }
    weights[0] = 1.0;
    (usize::from(joints[0]) < joint_count).then_some(sum)
}

/// The problem of a vertex whose influences are not valid: that of the first slot that is wrong.
fn bad_slot(from: &Vertices, vertex: usize, joint_count: usize) -> Problem {
    let mut first_joint = None;
    for (set, (of_joints, of_weights)) in from.primitive.influences.iter().enumerate() {
        let joints = format!("JOINTS_{set}");
        let weights = format!("WEIGHTS_{set}");
        let of_joints = from.file.accessor(*of_joints);
        let of_weights = from.file.accessor(*of_weights);
        let (Some(of_joints), Some(of_weights)) = (of_joints, of_weights) else {
            continue;
        };
        for slot in 0..SLOTS {
            let weight = of_weights.real(vertex, slot);
            let weight = if is_rounded_zero(weight) { 0.0 } else { weight };
            let joint = of_joints.integer(vertex, slot).unwrap_or(u32::MAX);
            first_joint.get_or_insert(joint);
            if !(0.0..f64::INFINITY).contains(&weight) {
                return from.problem(
                    &weights,
                    format!("weight {weight} of vertex {vertex} is no weight"),
                );
            }
            if weight > 0.0 && joint as usize >= joint_count {
                return from.problem(
                    &joints,
                    format!("vertex {vertex} names joint {joint} of a skin with {joint_count}"),
                );
            }
        }
    }
    let joint = first_joint.unwrap_or(0);
    let message = format!(
        "vertex {vertex}, all of whose weights are zero, names joint {joint} of a skin with {joint_count}"
    );
    from.problem("JOINTS_0", message)
}
