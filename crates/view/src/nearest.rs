//! The distances from the vertices of a model to the nearest ones of another, by a tree of boxes.

use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_kernel::math::{Vec3, squared_distance};
use rigy_models::mesh::Model;

/// Most points of a leaf.
const LEAF: usize = 8;

/// For each vertex of each surface of `model` the distance to the nearest vertex of `other`, in model units and at
/// most [`f64::MAX`]. Distances from a model without vertices are 0.
///
/// # Errors
/// If it takes too much work.
pub fn nearest_distances(
    model: &Model,
    other: &Model,
    meter: &mut Meter,
) -> Result<Vec<Vec<f64>>, Overspent> {
    let positions = |model: &'_ Model| -> Vec<Vec3> {
        model
            .surfaces
            .iter()
            .flat_map(|surface| surface.positions.iter().copied())
            .collect()
    };
    let own = positions(model);
    let others = positions(other);
    // Coordinates are divided by the greatest of all, so that no square overflows.
    let scale = own
        .iter()
        .chain(&others)
        .flatten()
        .fold(f64::MIN_POSITIVE, |most, number| most.max(number.abs()));
    let scaled = |point: &Vec3| point.map(|number| number / scale);
    let points = Points::new(others.iter().map(scaled).collect());
    let mut distance = |point: &Vec3| {
        let (number, visits) = points.distance(scaled(point));
        meter.spend(Cost::Visits, visits)?;
        Ok((number * scale).min(f64::MAX))
    };
    model
        .surfaces
        .iter()
        .map(|surface| surface.positions.iter().map(&mut distance).collect())
        .collect()
}

/// Points in a tree of boxes. Half of the points of a range, to its middle, are in the first child, the others in the second.
struct Points {
    points: Vec<Vec3>,
    /// The box around each node's points: node 0 is the root, and node `n` has the children `2n + 1` and `2n + 2`.
    boxes: Vec<[Vec3; 2]>,
}

impl Points {
    /// A tree of points.
    fn new(mut points: Vec<Vec3>) -> Self {
        let mut boxes = Vec::new();
        if !points.is_empty() {
            build(&mut points, 0, &mut boxes);
        }
        Self { points, boxes }
    }

    /// The distance from a place to the nearest point, 0 without points; and the number of boxes that have been looked at.
    fn distance(&self, place: Vec3) -> (f64, u64) {
        if self.points.is_empty() {
            return (0.0, 0);
        }
        let (mut best, mut visits) = (f64::INFINITY, 0);
        // Nodes that are to be visited, with their points. The tree is at most 64 levels deep.
        let mut pending = vec![(0, 0..self.points.len())];
        while let Some((node, range)) = pending.pop() {
            visits += 1;
            if to_box(&place, &self.boxes[node]) >= best {
                continue;
            }
            if range.len() <= LEAF {
                for point in &self.points[range] {
                    best = best.min(squared_distance(place, *point));
                }
                continue;
            }
            let middle = range.start + range.len() / 2;
            let children = [
                (2 * node + 1, range.start..middle),
                (2 * node + 2, middle..range.end),
            ];
            let [first, second] = children;
            let is_first_nearer =
                to_box(&place, &self.boxes[first.0]) <= to_box(&place, &self.boxes[second.0]);
            if is_first_nearer {
                pending.extend([second, first])
            } else {
                pending.extend([first, second])
            }
        }
        (best.sqrt(), visits)
    }
}

/// Sorts points into the tree below a node.
fn build(points: &mut [Vec3], node: usize, boxes: &mut Vec<[Vec3; 2]>) {
    let mut bounds = [points[0]; 2];
    for point in &*points {
        for axis in 0..3 {
            bounds[0][axis] = bounds[0][axis].min(point[axis]);
            bounds[1][axis] = bounds[1][axis].max(point[axis]);
        }
    }
    if boxes.len() <= node {
        boxes.resize(node + 1, [[0.0; 3]; 2]);
    }
    boxes[node] = bounds;
    if points.len() <= LEAF {
        return;
    }
    let extent = |axis: &usize| bounds[1][*axis] - bounds[0][*axis];
    let axis = (0..3)
        .max_by(|a, b| extent(a).total_cmp(&extent(b)))
        .unwrap_or(0);
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
    let (first, second) = points.split_at_mut(middle);
    build(first, 2 * node + 1, boxes);
    build(second, 2 * node + 2, boxes);
}

/// The squared distance from a place to a box; 0 inside.
fn to_box(place: &Vec3, [least, greatest]: &[Vec3; 2]) -> f64 {
    let nearest = std::array::from_fn(|axis| place[axis].max(least[axis]).min(greatest[axis]));
    squared_distance(*place, nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_kernel::random::Random;

    #[test]
    fn the_tree_finds_what_a_plain_search_finds() {
        let mut random = Random::new(3);
        for count in [1, 8, 9, 100, 1000] {
            let mut point = || std::array::from_fn(|_| (random.unit() * 20.0).floor() / 20.0);
            let points: Vec<Vec3> = (0..count).map(|_| point()).collect();
            let tree = Points::new(points.clone());
            for _ in 0..100 {
                let place = point().map(|number| number * 1.5 - 0.2);
                let plain = points.iter().map(|point| squared_distance(place, *point));
                let plain = plain.fold(f64::INFINITY, f64::min).sqrt();
                assert_eq!(tree.distance(place).0, plain);
            }
        }
    }

    #[test]
    fn many_equal_points_are_found_as_one() {
        let tree = Points::new(vec![[1.0; 3]; 100_000]);
        let (distance, visits) = tree.distance([1.0, 1.0, 3.0]);
        assert_eq!(distance, 2.0);
        assert!(visits < 40, "{visits}");
    }
}
