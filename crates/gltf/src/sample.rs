//! Sampling animations (`bake.md` §2): the transforms, morph weights and visibility of all nodes at one time.
//!
//! In: checked nodes and the checked channels of an animation. Out: the transform, the weights and the visibility of each node. The value of each
//! rotation key is normalised before interpolation; tangents are used as the file has them.

use super::model::{Channel, Interpolation, Node, Property, Transform, Trs, node_label};
use rigy_base::diag::check_none;
use rigy_kernel::math::{Quat, Vec3, trig};

/// All nodes at one time.
#[derive(Debug)]
pub struct Pose {
    /// The posed nodes, in file order.
    pub nodes: Vec<PosedNode>,
    /// Indices, ascending, of nodes whose `matrix` was replaced by animated properties. The glTF specification forbids
    /// to animate such nodes, so the caller should warn.
    pub replaced_matrices: Vec<usize>,
}

/// A node at one time.
#[derive(Debug)]
pub struct PosedNode {
    /// Local transform, from the node to its parent.
    pub transform: Transform,
    /// True if the animation sets any part of `transform`.
    pub animated: bool,
    /// Weights of morph targets: the animated ones, else the node's own; `None` if the mesh's own apply.
    pub weights: Option<Vec<f64>>,
    /// False if the node and all below it are hidden: as it is animated, else as it is stored.
    pub visible: bool,
}

/// The error that a sampled property of a node is infinite or NaN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {property} of {node} is not finite at this time")]
pub struct NotFinite {
    /// The node's number and name.
    pub node: String,
    /// The property that is not finite.
    pub property: Property,
}

/// Poses every node at `time` seconds of an animation with these channels; without channels, as the file has them.
///
/// # Errors
/// Each property whose value is not finite, in node order.
pub fn pose(nodes: &[Node], channels: &[Channel], time: f64) -> Result<Pose, Vec<NotFinite>> {
    let mut posed: Vec<PosedNode> = nodes
        .iter()
        .map(|node| PosedNode {
            transform: node.transform,
            animated: false,
            weights: node.weights.clone(),
            visible: node.visible.unwrap_or(true),
        })
        .collect();
    for channel in channels {
        posed[channel.node].set(channel.property, sample(channel, time));
    }
    let errors: Vec<NotFinite> = (posed.iter().enumerate())
        .flat_map(|(index, node)| node.not_finite().map(move |property| (index, property)))
        .map(|(index, property)| NotFinite {
            node: node_label(nodes, index),
            property,
        })
        .collect();
    check_none(errors)?;
    let had_matrix = |index: &usize| matches!(nodes[*index].transform, Transform::Matrix(_));
    Ok(Pose {
        replaced_matrices: (0..nodes.len())
            .filter(|index| posed[*index].animated && had_matrix(index))
            .collect(),
        nodes: posed,
    })
}

impl PosedNode {
    /// Sets a property to a sampled value. If it is a translation, rotation or scale, a matrix is first replaced by the
    /// identity (§1).
    fn set(&mut self, property: Property, value: Vec<f64>) {
        if property == Property::Weights {
            self.weights = Some(value);
            return;
        }
        if property == Property::Visibility {
            self.visible = value[0] != 0.0;
            return;
        }
        self.animated = true;
        let mut trs = match self.transform {
            Transform::Trs(trs) => trs,
            Transform::Matrix(_) => Trs::IDENTITY,
        };
        match property {
            Property::Translation => trs.translation = vector(&value),
            Property::Rotation => trs.rotation = quaternion(&value),
            Property::Scale => trs.scale = vector(&value),
            Property::Weights | Property::Visibility => {}
        }
        self.transform = Transform::Trs(trs);
    }

    /// The properties that are not finite.
    fn not_finite(&self) -> impl Iterator<Item = Property> + use<> {
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let weights = self.weights.as_deref().is_none_or(finite);
        let [t, r, s] = match &self.transform {
            Transform::Trs(trs) => [
                finite(&trs.translation),
                finite(&trs.rotation.wxyz()),
                finite(&trs.scale),
            ],
            Transform::Matrix(matrix) => [finite(matrix.as_flattened()), true, true],
        };
        [
            (t, Property::Translation),
            (r, Property::Rotation),
            (s, Property::Scale),
            (weights, Property::Weights),
        ]
        .into_iter()
        .filter_map(|(finite, property)| (!finite).then_some(property))
    }
}

/// Returns a channel's value at `time` seconds: [`Channel::width`] numbers. Before the first key it is the first key's
/// value, at the time of a key and after the last key that key's. Rotations have unit length.
pub fn sample(channel: &Channel, time: f64) -> Vec<f64> {
    let later = channel.times.partition_point(|key| *key <= time);
    match later.checked_sub(1) {
        None => key(channel, 0),
        Some(k) if later == channel.times.len() || channel.times[k] == time => key(channel, k),
        Some(k) => between(channel, k, time),
    }
}

/// The value between key `k` and the next.
fn between(channel: &Channel, k: usize, time: f64) -> Vec<f64> {
    let span = channel.times[k + 1] - channel.times[k];
    let u = (time - channel.times[k]) / span;
    let is_rotation = channel.property == Property::Rotation;
    match channel.interpolation {
        Interpolation::Step => key(channel, k),
        Interpolation::Linear if is_rotation => {
            let a = key(channel, k);
            let b = key(channel, k + 1);
            numbers(slerp(quaternion(&a), quaternion(&b), u))
        }
        Interpolation::Linear => lerp(&key(channel, k), &key(channel, k + 1), u),
        Interpolation::CubicSpline => {
            let value = hermite(channel, k, u, span);
            if is_rotation { unit(&value) } else { value }
        }
    }
}

/// The value of key `k`; a rotation has unit length.
fn key(channel: &Channel, k: usize) -> Vec<f64> {
    let value = match channel.interpolation {
        Interpolation::CubicSpline => part(channel, k, VALUE),
        Interpolation::Step | Interpolation::Linear => {
            &channel.values[k * channel.width..][..channel.width]
        }
    };
    if channel.property == Property::Rotation {
        unit(value)
    } else {
        value.to_vec()
    }
}

/// Position of the in-tangent in a key of a cubic spline.
const IN_TANGENT: usize = 0;

/// Position of the value in a key of a cubic spline.
const VALUE: usize = 1;

/// Position of the out-tangent in a key of a cubic spline.
const OUT_TANGENT: usize = 2;

/// One of the three parts of key `k` of a cubic spline.
fn part(channel: &Channel, k: usize, part: usize) -> &[f64] {
    &channel.values[(3 * k + part) * channel.width..][..channel.width]
}

/// Interpolates linearly: each component is `a + u*(b − a)`.
fn lerp(a: &[f64], b: &[f64], u: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + u * (b - a)).collect()
}

/// Interpolates along the shorter arc between two unit quaternions, `u` from 0 to 1 (§2). If they are so near that
/// rounding of their dot product hides the angle between them, the result is that of linear interpolation, normalised.
pub fn slerp(a: Quat, b: Quat, u: f64) -> Quat {
    let cosine = a.dot(b);
    let (b, cosine) = if cosine < 0.0 {
        (Quat::from_wxyz(b.wxyz().map(|part| -part)), -cosine)
    } else {
        (b, cosine)
    };
    let from = a.wxyz();
    let to = b.wxyz();
    if cosine > 1.0 - 1e-12 {
        let line = [0, 1, 2, 3].map(|i| from[i] + u * (to[i] - from[i]));
        return Quat::from_wxyz(line).normalised();
    }
    let angle = trig::acos(cosine.min(1.0));
    let first = trig::sin((1.0 - u) * angle);
    let second = trig::sin(u * angle);
    let divisor = trig::sin(angle);
    Quat::from_wxyz([0, 1, 2, 3].map(|i| (first * from[i] + second * to[i]) / divisor))
}

/// Evaluates the cubic spline of the glTF specification between key `k` and the next, its terms added in the order of
/// the specification; tangents are multiplied by `span`, in seconds, first.
fn hermite(channel: &Channel, k: usize, u: f64, span: f64) -> Vec<f64> {
    let u2 = u * u;
    let u3 = u * u * u;
    let from_value = 2.0 * u3 - 3.0 * u2 + 1.0;
    let from_tangent = u3 - 2.0 * u2 + u;
    let to_value = -2.0 * u3 + 3.0 * u2;
    let to_tangent = u3 - u2;
    let from = key(channel, k);
    let to = key(channel, k + 1);
    let out_of = part(channel, k, OUT_TANGENT);
    let into = part(channel, k + 1, IN_TANGENT);
    (0..channel.width)
        .map(|i: usize| {
            from_value * from[i]
                + from_tangent * (span * out_of[i])
                + to_value * to[i]
                + to_tangent * (span * into[i])
        })
        .collect()
}

/// Normalises a quaternion in the component order of the file.
fn unit(xyzw: &[f64]) -> Vec<f64> {
    numbers(quaternion(xyzw).normalised())
}

/// The quaternion with these components in the order of the file.
fn quaternion(xyzw: &[f64]) -> Quat {
    Quat {
        w: xyzw[3],
        x: xyzw[0],
        y: xyzw[1],
        z: xyzw[2],
    }
}

/// The components of a quaternion in the order of the file.
fn numbers(q: Quat) -> Vec<f64> {
    vec![q.x, q.y, q.z, q.w]
}

/// The first three numbers as a vector.
fn vector(xyz: &[f64]) -> Vec3 {
    [xyz[0], xyz[1], xyz[2]]
}

#[cfg(test)]
mod tests;
