//! The camera: directions of a view, and the part of the scene that pictures show.

use rigy_kernel::math::{Vec3, dot};
use rigy_models::mesh::Model;

/// The direction from which a scene is seen. The projection is parallel, and +Y is up except in [`View::Top`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// From +Z, with +X to the right: the front of an asset, by the glTF specification.
    Front,
    /// From +X, with −Z to the right.
    Side,
    /// From +Y, with +X to the right and −Z up.
    Top,
    /// From the direction (1, 1, 1): the three axes are equally long in the picture.
    #[default]
    Iso,
}

/// √½, √⅓ and √⅙ to the nearest double.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const THIRD: f64 = 0.577_350_269_189_625_8;
const SIXTH: f64 = 0.408_248_290_463_863;

impl View {
    /// The unit vectors that point to the right, up, and towards the viewer.
    pub(super) fn axes(self) -> [Vec3; 3] {
        match self {
            Self::Front => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Side => [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
            Self::Top => [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
            Self::Iso => [
                [HALF, 0.0, -HALF],
                [-SIXTH, 2.0 * SIXTH, -SIXTH],
                [THIRD, THIRD, THIRD],
            ],
        }
    }
}

/// The part of the scene that a picture shows. Pictures that share a frame show equal lengths equally long.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    axes: [Vec3; 3],
    /// Least and greatest places of all vertices along the axes, as [`along`] gives them; `None` before the first.
    bounds: Option<[Vec3; 2]>,
}

impl Frame {
    /// Returns the frame of a view, which shows nothing yet.
    pub fn new(view: View) -> Self {
        Self {
            axes: view.axes(),
            bounds: None,
        }
    }

    /// Extends the frame so that it contains a model. Coordinates that are not finite are left out.
    pub fn include(&mut self, model: &Model) {
        let positions = model.surfaces.iter().flat_map(|surface| &surface.positions);
        for position in positions.filter(|position| is_finite(position)) {
            let place = along(&self.axes, position);
            let [least, greatest] = self.bounds.get_or_insert([place; 2]);
            for axis in 0..3 {
                least[axis] = least[axis].min(place[axis]);
                greatest[axis] = greatest[axis].max(place[axis]);
            }
        }
    }

    /// The projection onto a picture of `size` × `size` samples.
    pub(super) fn projection(&self, size: usize) -> Projection {
        let [least, greatest] = self.bounds.unwrap_or_default();
        let of = |combine: fn(f64, f64) -> f64| -> Vec3 {
            std::array::from_fn(|axis| combine(greatest[axis] * 0.5, least[axis] * 0.5))
        };
        let (centre, half) = (of(|a, b| a + b), of(|a, b| a - b));
        // A scene that has depth only, such as a line towards the viewer, is measured by its depth.
        let across = half[0].max(half[1]);
        let reach = if across > half[2] * 1e-9 {
            across
        } else {
            half[2]
        };
        Projection {
            axes: self.axes,
            centre,
            reach: if reach > 0.0 { reach } else { 1.0 },
            scale: size as f64 * (0.5 - MARGIN),
            middle: size as f64 * 0.5,
        }
    }
}

/// A quarter of the place of a point along each axis: no sum of coordinates overflows then.
fn along(axes: &[Vec3; 3], position: &Vec3) -> Vec3 {
    let quarter = position.map(|number| number * 0.25);
    axes.map(|axis| dot(axis, quarter))
}

/// The part of a picture's width that stays empty on each side.
const MARGIN: f64 = 0.05;

fn is_finite(v: &Vec3) -> bool {
    v.iter().all(|number| number.is_finite())
}

/// Takes points of the scene to samples of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    axes: [Vec3; 3],
    /// The middle of the scene, as [`along`] gives it.
    centre: Vec3,
    /// Half of the width or height of the scene as [`along`] gives it, whichever is greater.
    reach: f64,
    /// Samples for each `reach`.
    scale: f64,
    /// The middle of the picture, in samples.
    middle: f64,
}

impl Projection {
    /// Returns the place of a point in samples: x to the right, y down, z towards the viewer.
    pub fn point(&self, position: &Vec3) -> Vec3 {
        let place = along(&self.axes, position);
        let [x, y, z]: Vec3 =
            std::array::from_fn(|axis| (place[axis] - self.centre[axis]) / self.reach);
        [
            self.middle + x * self.scale,
            self.middle - y * self.scale,
            z * self.scale,
        ]
    }

    /// Returns a direction in the space of the viewer: x to the right, y up, z towards the viewer.
    pub fn direction(&self, direction: &Vec3) -> Vec3 {
        self.axes.map(|axis| dot(axis, *direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_kernel::math::cross;

    #[test]
    fn the_axes_of_every_view_are_right_handed_and_of_unit_length() {
        for view in [View::Front, View::Side, View::Top, View::Iso] {
            let [right, up, toward] = view.axes();
            let found = cross(right, up);
            for axis in 0..3 {
                assert!((found[axis] - toward[axis]).abs() < 1e-15, "{view:?}");
            }
            assert!((dot(right, right) - 1.0).abs() < 1e-15, "{view:?}");
            assert!((dot(up, up) - 1.0).abs() < 1e-15, "{view:?}");
        }
    }
}
