//! Distances of vertices, positions and normals of each primitive of each node; and the differences of single numbers and of accessors.

use super::{Findings, matching};
use rigy_gltf::{Accessor, File};
use rigy_kernel::math::{Vec3, cross, dot, length};
use rigy_models::mesh::{Shown, Surface};
use serde::Serialize;

/// Differences of numbers of all vertices of a primitive.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Deviation {
    /// The largest.
    pub max: f64,
    /// The mean of all vertices.
    pub mean: f64,
    /// The first vertex with the largest.
    pub vertex: usize,
}

/// The differences of a primitive. Its JSON has the fields that are not marked otherwise.
#[derive(Debug, Serialize)]
pub struct MeshDifference {
    /// Name of the mesh in `a`, or `mesh N` if it has none.
    pub mesh: String,
    /// Index of the primitive in its mesh.
    pub primitive: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Distances between positions, in model units, after the transforms of nodes.
    pub position: Deviation,
    /// Angles between normals in degrees; 180 where only one of the two has a length. `None` if a side has no normals.
    pub normal_degrees: Option<Deviation>,
    /// The largest distance between components of positions as they are stored, in steps of f32; `None` if they are not
    /// stored as f32. It is not part of the JSON.
    #[serde(skip)]
    pub steps: Option<u32>,
    /// The largest distance between unit normals. It is not part of the JSON.
    #[serde(skip)]
    pub normal_distance: f64,
}

/// Compares the vertices of all primitives that have as many on both sides, in the order of `a`. Primitives without a
/// counterpart, and those whose vertices cannot be read, are added to the findings. Two surfaces are in memory at a time.
pub fn compare(
    (file_a, a): (&File, &Shown),
    (file_b, b): (&File, &Shown),
    findings: &mut Findings,
) -> Vec<MeshDifference> {
    let counts = [a, b].map(Shown::primitive_count);
    findings.compare("nodes show ".to_owned(), counts, " primitives");
    let mut differences = Vec::new();
    for (of_a, of_b) in matching::primitives((file_a, a), (file_b, b)) {
        let surfaces = (a.surface(of_a), b.surface(of_b));
        for (side, surface) in [("a", &surfaces.0), ("b", &surfaces.1)] {
            if let Err(problem) = surface {
                findings.add(format!("`{side}` has no vertices to compare: {problem}"));
            }
        }
        let (Ok(a), Ok(b)) = &surfaces else { continue };
        if is_comparable(a, b, findings) {
            let steps = match (stored(file_a, a), stored(file_b, b)) {
                (Some(a), Some(b)) => Some(largest_step(&a, &b)),
                _ => None,
            };
            differences.push(difference(a, b, steps));
        }
    }
    differences
}

/// True if two surfaces have equally many vertices; if they do not, or if only one has normals, that is a finding.
fn is_comparable(a: &Surface, b: &Surface, findings: &mut Findings) -> bool {
    let place = format!("mesh `{}`, primitive {}", a.name, a.primitive);
    let counts = [a.positions.len(), b.positions.len()];
    findings.compare(format!("{place} has "), counts, " vertices");
    let is_comparable = a.positions.len() == b.positions.len();
    if is_comparable && a.normals.is_some() != b.normals.is_some() {
        let side = if a.normals.is_some() { "a" } else { "b" };
        findings.add(format!("{place} has normals in `{side}` only"));
    }
    is_comparable
}

/// Positions as they are stored; `None` if they are not stored as f32.
fn stored(file: &File, surface: &Surface) -> Option<Vec<[f32; 3]>> {
    let primitive = &file.meshes[surface.mesh].primitives[surface.primitive];
    let accessor = file.accessor(primitive.attribute("POSITION")?)?;
    let mut positions = vec![[0.0; 3]; surface.positions.len()];
    accessor.copy_f32(0, &mut positions).then_some(positions)
}

fn largest_step(a: &[[f32; 3]], b: &[[f32; 3]]) -> u32 {
    a.as_flattened()
        .iter()
        .zip(b.as_flattened())
        .map(|(a, b)| f32_steps(*a, *b))
        .max()
        .unwrap_or(0)
}

/// Compares the vertices of two surfaces that have as many.
fn difference(a: &Surface, b: &Surface, steps: Option<u32>) -> MeshDifference {
    let mut normal_distance = 0.0;
    let normal_degrees = a.normals.iter().zip(&b.normals).next().map(|(a, b)| {
        let distances = a.iter().zip(b).map(|(a, b)| distance(*a, *b));
        normal_distance = distances.fold(0.0, f64::max);
        deviation(a.iter().zip(b).map(|(a, b)| degrees(*a, *b)))
    });
    let positions = a.positions.iter().zip(&b.positions);
    MeshDifference {
        mesh: a.name.clone(),
        primitive: a.primitive,
        vertices: a.positions.len(),
        position: deviation(positions.map(|(a, b)| distance(*a, *b))),
        normal_degrees,
        steps,
        normal_distance,
    }
}

fn deviation(numbers: impl ExactSizeIterator<Item = f64>) -> Deviation {
    let count = numbers.len().max(1) as f64;
    let mut largest = Deviation::default();
    let mut sum = 0.0;
    for (vertex, number) in numbers.enumerate() {
        sum += number / count;
        if number > largest.max {
            (largest.max, largest.vertex) = (number, vertex);
        }
    }
    Deviation {
        mean: sum,
        ..largest
    }
}

/// The distance of two points; the largest number of f64 where it would be infinite.
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    let between: Vec3 = std::array::from_fn(|axis| (b[axis] - a[axis]).abs());
    let largest = between.into_iter().fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    // Scaling keeps squares from overflowing and from becoming zero.
    let scaled = between.map(|number| number / largest);
    let length = largest * length(scaled);
    if length.is_finite() { length } else { f64::MAX }
}

/// The angle between two directions in degrees; 180 if only one of them has a length, 0 if neither has.
fn degrees(a: Vec3, b: Vec3) -> f64 {
    match (dot(a, a) > 0.0, dot(b, b) > 0.0) {
        (true, true) => libm::atan2(length(cross(a, b)), dot(a, b)).to_degrees(),
        (false, false) => 0.0,
        _ => 180.0,
    }
}

/// The number of steps between two numbers on the line of all f32, on which the two zeros are one point.
fn f32_steps(a: f32, b: f32) -> u32 {
    let point = |number: f32| {
        let bits = i64::from(number.to_bits() & 0x7fff_ffff);
        if number.is_sign_negative() {
            -bits
        } else {
            bits
        }
    };
    // The largest distance is that between two NaN, which is less than 2³².
    (point(a) - point(b)).unsigned_abs() as u32
}

/// The distance of two numbers; infinite if only one of them is a number.
pub fn apart(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let distance = (b - a).abs();
    if distance.is_nan() {
        f64::INFINITY
    } else {
        distance
    }
}

/// The largest difference of two accessors' components, and the first element with it; `None` if they differ in the number
/// of elements or of components.
pub fn largest(a: &Accessor, b: &Accessor) -> Option<(f64, usize)> {
    if a.count() != b.count() || a.element_type() != b.element_type() {
        return None;
    }
    let mut largest = (0.0, 0);
    for element in 0..a.count() {
        for component in 0..a.component_count() {
            let distance = apart(a.real(element, component), b.real(element, component));
            if distance > largest.0 {
                largest = (distance, element);
            }
        }
    }
    Some(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_extreme_points_are_finite() {
        let large = distance([0.0; 3], [3e200, 4e200, 0.0]);
        assert!((large / 5e200 - 1.0).abs() < 1e-15, "{large}");
        let small = distance([0.0; 3], [3e-200, 0.0, 4e-200]);
        assert!((small / 5e-200 - 1.0).abs() < 1e-15, "{small}");
        assert_eq!(distance([-1.7e308; 3], [1.7e308; 3]), f64::MAX);
        assert_eq!(distance([1.0; 3], [1.0; 3]), 0.0);
    }

    #[test]
    fn angles_of_directions_and_of_none() {
        assert_eq!(degrees([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), 90.0);
        assert_eq!(degrees([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), 180.0);
        assert_eq!(degrees([0.0; 3], [0.0; 3]), 0.0);
        assert_eq!(degrees([0.0; 3], [1.0, 0.0, 0.0]), 180.0);
    }

    #[test]
    fn steps_go_through_zero_and_to_the_ends() {
        assert_eq!(f32_steps(1.0, 1.0 + f32::EPSILON), 1);
        assert_eq!(f32_steps(-0.0, 0.0), 0);
        let smallest = f32::from_bits(1);
        assert_eq!(f32_steps(-smallest, smallest), 2);
        assert_eq!(f32_steps(f32::MIN, f32::MAX), 2 * 0x7f7f_ffff);
        let nan = f32::from_bits(0x7fff_ffff);
        assert_eq!(f32_steps(nan, -nan), 0xffff_fffe);
    }

    #[test]
    fn what_is_no_number_is_infinitely_far_from_numbers() {
        assert_eq!(apart(f64::NAN, f64::NAN), 0.0);
        assert_eq!(apart(f64::NAN, 1.0), f64::INFINITY);
        assert_eq!(apart(f64::INFINITY, f64::INFINITY), 0.0);
        assert_eq!(apart(1.0, -1.0), 2.0);
    }
}
