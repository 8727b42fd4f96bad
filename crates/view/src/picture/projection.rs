//! From points of the scene to pixels.

use rigy_kernel::math::{Vec3, dot, length};

/// The factor of all places along axes: no sum of coordinates and no distance of an eye overflows.
pub const SHRINK: f64 = 1.0 / 1024.0;

/// The place of a point along each axis, times [`SHRINK`].
pub fn along(axes: &[Vec3; 3], position: &Vec3) -> Vec3 {
    let small = position.map(|number| number * SHRINK);
    axes.map(|axis| dot(axis, small))
}

/// Takes points of the scene to pixels of a picture.
#[derive(Clone, Copy)]
pub struct Projection {
    pub axes: [Vec3; 3],
    /// The eye, or the middle of the scene in a parallel projection, as [`along`] gives it.
    pub origin: Vec3,
    /// Half of the width or height of the scene as [`along`] gives it, whichever is greater.
    pub reach: f64,
    pub is_perspective: bool,
    /// Pixels for each `reach`, at the distance `reach` from the eye if there is one.
    pub scale: f64,
    /// The middle of the picture, in pixels.
    pub middle: f64,
    /// The height of the lowest vertex in the scene.
    pub ground: f64,
    /// Half of the width or height of the scene, in its own units.
    pub extent: f64,
}

/// A point in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Pixel {
    /// Pixels to the right.
    pub x: f64,
    /// Pixels down.
    pub y: f64,
    /// Greater towards the viewer, and linear on a plane in the picture; the reciprocal of the distance from the eye in a
    /// perspective. NaN behind the eye.
    pub depth: f64,
}

impl Projection {
    /// Returns a point in the space of the camera: x to the right, y up, z towards the viewer. The eye is the origin of a
    /// perspective.
    pub fn seen(&self, position: &Vec3) -> Vec3 {
        let place = along(&self.axes, position);
        std::array::from_fn(|axis| (place[axis] - self.origin[axis]) / self.reach)
    }

    /// Returns the place of a point in the picture.
    pub fn pixel(&self, position: &Vec3) -> Pixel {
        let [x, y, z] = self.seen(position);
        let (scale, depth) = if !self.is_perspective {
            (self.scale, z)
        } else if z < 0.0 {
            (self.scale / -z, -1.0 / z)
        } else {
            (0.0, f64::NAN)
        };
        Pixel {
            x: self.middle + x * scale,
            y: self.middle - y * scale,
            depth,
        }
    }

    /// Returns the place of a point in the picture, in pixels, times the third number, which is not positive behind the eye. All are linear
    /// in the position.
    pub fn multiple(&self, position: &Vec3) -> Vec3 {
        let [x, y, z] = self.seen(position);
        let factor = if self.is_perspective { -z } else { 1.0 };
        let middle = self.middle * factor;
        [middle + x * self.scale, middle - y * self.scale, factor]
    }

    /// Returns the weights of the corners of a triangle for a point of it, given those for its place in the picture.
    pub fn in_space(&self, weights: [f64; 3], depths: [f64; 3]) -> [f64; 3] {
        if !self.is_perspective {
            return weights;
        }
        let [a, b, c] = std::array::from_fn(|k| weights[k] * depths[k]);
        let scale = 1.0 / (a + b + c);
        [a * scale, b * scale, c * scale]
    }

    /// Returns the unit vector from a point in the space of the camera to the eye.
    pub fn eye_from(&self, seen: Vec3) -> Vec3 {
        if !self.is_perspective {
            return [0.0, 0.0, 1.0];
        }
        let scale = -1.0 / length(seen);
        seen.map(|number| number * scale)
    }

    /// Returns a direction in the space of the camera.
    pub fn direction(&self, direction: &Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, *direction))
    }

    /// True if the upper side of a plane at the height of the lowest vertex is seen.
    pub fn sees_ground(&self) -> bool {
        let up = self.axes.map(|axis| axis[1]);
        if self.is_perspective {
            dot(up, self.origin) > self.ground * SHRINK
        } else {
            up[2] > 0.0
        }
    }
}
