//! The camera: the directions of a view.

use crate::light::LIGHT;
use rigy_kernel::math::Vec3;

/// The place from which a scene is seen. +Y is up except in [`View::Top`].
#[derive(Clone, Copy, Debug, Default)]
pub enum View {
    /// In perspective, from the left of the front and from above: flat scenes from higher up than tall ones, which are seen
    /// from just below the eyes of a character.
    #[default]
    Natural,
    /// From +Z, with +X to the right: the front of an asset, by the glTF specification. This view and the next three have
    /// a parallel projection.
    Front,
    /// From +X, with −Z to the right.
    Side,
    /// From +Y, with +X to the right and −Z up.
    Top,
    /// From the direction (1, 1, 1): the three axes are equally long in the picture.
    Iso,
    /// From directions in degrees.
    Camera {
        /// From +Z towards +X.
        azimuth: f64,
        /// Above the horizon; −90 to 90.
        elevation: f64,
        /// The angle between the upper and the lower edge of the picture, at most [`MAX_FOV`]; 0 is a parallel projection.
        fov: f64,
    },
}

/// Greatest field of view, in degrees.
pub const MAX_FOV: f64 = 120.0;

/// √½, √⅓ and √⅙ to the nearest double.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const THIRD: f64 = 0.577_350_269_189_625_8;
const SIXTH: f64 = 0.408_248_290_463_863;

impl View {
    /// The unit vectors that point to the right, up, and towards the viewer, and the tangent of half the field of view.
    /// `size` is the extent of the scene along the axes.
    pub(super) fn axes(self, size: Vec3) -> ([Vec3; 3], f64) {
        let (azimuth, elevation, fov) = match self {
            Self::Front => (0.0, 0.0, 0.0),
            Self::Side => return ([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], 0.0),
            Self::Top => return ([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]], 0.0),
            Self::Iso => {
                let up = [-SIXTH, 2.0 * SIXTH, -SIXTH];
                return ([[HALF, 0.0, -HALF], up, [THIRD; 3]], 0.0);
            }
            Self::Natural => {
                let camera = &LIGHT.camera;
                let elevation = &camera.elevation;
                let breadth = size[0].max(size[2]);
                let tallness = if size[1] < breadth {
                    size[1] / breadth
                } else {
                    1.0
                };
                let elevation = elevation.flat + (elevation.tall - elevation.flat) * tallness;
                (camera.azimuth, elevation, camera.fov)
            }
            Self::Camera {
                azimuth,
                elevation,
                fov,
            } => (azimuth, elevation, fov),
        };
        let (sin_a, cos_a) = libm::sincos(azimuth.to_radians());
        let (sin_e, cos_e) = libm::sincos(elevation.to_radians());
        let axes = [
            [cos_a, 0.0, -sin_a],
            [-sin_e * sin_a, cos_e, -sin_e * cos_a],
            [cos_e * sin_a, sin_e, cos_e * cos_a],
        ];
        (axes, libm::tan(fov.to_radians() * 0.5))
    }
}

/// Views for tests, one of each kind and more.
#[cfg(test)]
pub const VIEWS: [View; 7] = [
    View::Natural,
    View::Front,
    View::Side,
    View::Top,
    View::Iso,
    View::Camera {
        azimuth: 200.0,
        elevation: -40.0,
        fov: 90.0,
    },
    View::Camera {
        azimuth: -70.0,
        elevation: 90.0,
        fov: 5.0,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_kernel::math::{cross, dot};

    #[test]
    fn the_axes_of_every_view_are_right_handed_and_of_unit_length() {
        for view in VIEWS {
            let ([right, up, toward], _) = view.axes([1.0, 2.0, 1.0]);
            let found = cross(right, up);
            for axis in 0..3 {
                assert!((found[axis] - toward[axis]).abs() < 1e-15, "{view:?}");
            }
            assert!((dot(right, right) - 1.0).abs() < 1e-15, "{view:?}");
            assert!((dot(up, up) - 1.0).abs() < 1e-15, "{view:?}");
        }
    }
}
