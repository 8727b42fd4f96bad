//! The normals with which triangles are shaded, on the side that is seen.

use rigy_kernel::math::{Vec3, cross, dot};

/// Least mean cosine between the normals of corners and that of the triangle at which they say on which side it lies.
const CLEAR: f64 = 0.5;

/// The normals of a surface.
///
/// A triangle is seen from both sides, and files differ in the way in which they wind triangles; so a triangle's normals
/// are turned to the side that is seen. Where they stand nearly at right angles to the triangle, as those of some files do,
/// each triangle by itself would give patches: there the winding decides, as it goes in most triangles of the surface.
pub(super) struct Shading {
    /// Normals of the vertices in the space of the viewer; empty if there are none.
    normals: Vec<Vec3>,
    /// True if most triangles that are wound counter-clockwise, as they are seen, have normals towards the viewer.
    is_counter_clockwise: bool,
}

impl Shading {
    /// Returns the shading of a surface with these normals in the space of the viewer, one for each of the places in samples
    /// or none at all.
    pub fn new(triangles: &[[u32; 3]], normals: Vec<Vec3>, places: &[Vec3]) -> Self {
        let mut shading = Self {
            normals,
            is_counter_clockwise: true,
        };
        let mut agreement = 0_i64;
        for triangle in triangles.iter().filter(|_| !shading.normals.is_empty()) {
            let (face, _) = face_normal(&triangle.map(|vertex| places[vertex as usize]));
            let sum = shading.towards(triangle, face).iter().sum::<f64>();
            agreement += i64::from(sum > 0.0) - i64::from(sum < 0.0);
        }
        shading.is_counter_clockwise = agreement >= 0;
        shading
    }

    /// Returns unit normals of the corners of a triangle, whose places in samples are given. A corner without a normal gets
    /// that of the triangle.
    pub fn corners(&self, triangle: &[u32; 3], places: &[Vec3; 3]) -> [Vec3; 3] {
        let (normal, is_front) = face_normal(places);
        let face = if is_front { normal } else { negative(normal) };
        let sum: f64 = self.towards(triangle, face).iter().sum();
        let is_turned = if sum.abs() >= 3.0 * CLEAR {
            sum < 0.0
        } else {
            is_front != self.is_counter_clockwise
        };
        triangle.map(|vertex| match self.normal(vertex) {
            Some(normal) if is_turned => negative(normal),
            Some(normal) => normal,
            None => face,
        })
    }

    /// The cosines between the normals of a triangle's corners and a direction; 0 for a corner without a normal.
    fn towards(&self, triangle: &[u32; 3], direction: Vec3) -> [f64; 3] {
        triangle.map(|vertex| {
            let normal = self.normal(vertex);
            normal.map_or(0.0, |normal| dot(normal, direction))
        })
    }

    fn normal(&self, vertex: u32) -> Option<Vec3> {
        unit(*self.normals.get(vertex as usize)?)
    }
}

/// The unit normal of a triangle in samples, with y up, and true if its corners turn counter-clockwise as they are
/// seen.
fn face_normal(corners: &[Vec3; 3]) -> (Vec3, bool) {
    let side = |to: usize| -> Vec3 {
        let [x, y, z]: Vec3 = std::array::from_fn(|axis| corners[to][axis] - corners[0][axis]);
        [x, -y, z]
    };
    let normal = unit(cross(side(1), side(2))).unwrap_or([0.0, 0.0, 1.0]);
    (normal, normal[2] >= 0.0)
}

fn negative(v: Vec3) -> Vec3 {
    v.map(|number| -number)
}

/// The unit vector in a direction; `None` if the length is zero or not finite.
fn unit(v: Vec3) -> Option<Vec3> {
    let length = dot(v, v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|number| number / length))
}

/// The unit normal between those of the corners.
pub(super) fn blended(normals: &[Vec3; 3], weights: [f64; 3]) -> Vec3 {
    let [a, b, c] = normals;
    let sum = std::array::from_fn(|axis| dot([a[axis], b[axis], c[axis]], weights));
    unit(sum).unwrap_or([0.0, 0.0, 1.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles of a square that faces the viewer, in samples: y down.
    const PLACES: [Vec3; 4] = [
        [0.0, 9.0, 0.0],
        [9.0, 9.0, 0.0],
        [9.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
    ];

    fn corners(normal: Vec3, triangles: &[[u32; 3]], index: usize) -> [Vec3; 3] {
        let shading = Shading::new(triangles, vec![normal; 4], &PLACES);
        let triangle = triangles[index];
        shading.corners(&triangle, &triangle.map(|vertex| PLACES[vertex as usize]))
    }

    #[test]
    fn normals_are_turned_to_the_viewer_whichever_way_triangles_are_wound() {
        let front = [0.0, 0.0, 1.0];
        for triangles in [
            [[0, 1, 2], [0, 2, 3]],
            [[0, 2, 1], [0, 3, 2]],
            [[0, 1, 2], [0, 3, 2]],
        ] {
            for normal in [front, negative(front)] {
                for index in 0..2 {
                    assert_eq!(corners(normal, &triangles, index), [front; 3]);
                }
            }
        }
        let shading = Shading::new(&[[0, 2, 1]], Vec::new(), &PLACES);
        assert_eq!(
            shading.corners(&[0, 2, 1], &[PLACES[0], PLACES[2], PLACES[1]]),
            [front; 3]
        );
    }

    #[test]
    fn normals_along_a_triangle_follow_the_winding_of_the_surface() {
        let oblique = [0.6, 0.0, 0.8];
        let along = [0.995, 0.0, -0.0998];
        for (triangles, is_clockwise) in [
            ([[0, 1, 2], [0, 2, 3]], false),
            ([[0, 2, 1], [0, 3, 2]], true),
        ] {
            let mut shading = Shading::new(&triangles, vec![oblique; 4], &PLACES);
            assert_eq!(shading.is_counter_clockwise, !is_clockwise);
            shading.normals = vec![along; 4];
            for triangle in triangles {
                let found =
                    shading.corners(&triangle, &triangle.map(|vertex| PLACES[vertex as usize]));
                assert!(found.iter().all(|normal| normal[0] > 0.99), "{found:?}");
            }
        }
    }
}
