//! The vertices of a skin. Those of equal weights share a row.

use rigy_base::maps::HashMap;
use rigy_kernel::ReferenceRule;
use rigy_kernel::math::Vec3;

use super::moment::Moment;

/// Vertices in bind space with their influences, however many those are.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// Where vertices are.
    pub positions: Vec<Vec3>,
    /// Their normals, of any length; zero, or left out at the end, where there is none.
    pub normals: Vec<Vec3>,
    /// The number of the row of each vertex.
    pub(crate) row_of: Vec<usize>,
    pub(crate) rows: Vec<Row>,
    known: HashMap<(u16, Vec<(u16, u64)>), usize>,
}

/// The influences of vertices.
#[derive(Clone, Debug)]
pub struct Row {
    /// The joint into whose hemisphere the dual quaternions of the others are brought.
    pub reference: u16,
    /// Joints and positive weights, the heaviest first. They sum to 1.
    pub weights: Vec<(u16, f64)>,
}

impl Skin {
    /// Adds a vertex with all its slots, in the order of the file. Weights are divided by their sum; those that are not positive count as
    /// zero, and if all do, the first slot has all the weight (`bake.md` §3).
    pub fn push(&mut self, position: Vec3, slots: impl Iterator<Item = (u16, f64)> + Clone) {
        let reference = ReferenceRule::LargestWeight.joint(slots.clone());
        let mut weights: Vec<(u16, f64)> = Vec::new();
        for (joint, weight) in slots.filter(|(_, weight)| *weight > 0.0) {
            match weights.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, sum)) => *sum += weight,
                None => weights.push((joint, weight)),
            }
        }
        if weights.is_empty() {
            weights.push((reference, 1.0));
        }
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
        weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let bits = weights
            .iter()
            .map(|(joint, weight)| (*joint, weight.to_bits()));
        let number = self.rows.len();
        let row = *self
            .known
            .entry((reference, bits.collect()))
            .or_insert(number);
        if row == number {
            self.rows.push(Row { reference, weights });
        }
        self.positions.push(position);
        self.row_of.push(row);
    }

    /// The joint of most weight of each vertex.
    pub fn heaviest(&self) -> impl Iterator<Item = usize> {
        let rows = self.row_of.iter().map(|row| &self.rows[*row]);
        rows.map(|row| row.weights[0].0.into())
    }

    /// Whether the target of a vertex jumps between two moments that are near each other: a joint has come to the other half of the turns
    /// from the reference joint of its vertex.
    pub fn jumps(&self, from: &Moment, to: &Moment) -> bool {
        let [Some(from), Some(to)] = [from, to].map(Moment::rotations) else {
            return false;
        };
        let crosses = |a: usize, b: usize| {
            let pairs = [
                [&from[a], &to[a]],
                [&from[b], &to[b]],
                [&from[a], &from[b]],
                [&to[a], &to[b]],
            ];
            let turned = pairs.iter().filter(|[a, b]| a.0.dot(b.0) < 0.0);
            turned.count() % 2 > 0
        };
        let mut rows = self.rows.iter();
        rows.any(|row| {
            let mut joints = row.weights.iter();
            joints.any(|(joint, _)| crosses(row.reference.into(), usize::from(*joint)))
        })
    }

    /// The influences of a vertex.
    pub fn row(&self, vertex: usize) -> &Row {
        &self.rows[self.row_of[vertex]]
    }
}

impl Row {
    pub(crate) fn squared_distance(&self, other: &Self) -> f64 {
        self.product(self) - 2.0 * self.product(other) + other.product(other)
    }

    fn product(&self, other: &Self) -> f64 {
        let weight = |joint| {
            other
                .weights
                .iter()
                .find(|(own, _)| *own == joint)
                .map_or(0.0, |(_, weight)| *weight)
        };
        self.weights
            .iter()
            .map(|(joint, own)| own * weight(*joint))
            .sum()
    }
}
