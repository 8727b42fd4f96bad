//! The camera: directions of a view, and the part of the scene that pictures show.

use crate::light::LIGHT;
use rigy_kernel::math::{Vec3, dot};
use rigy_models::mesh::Model;

/// The place from which a scene is seen. +Y is up except in [`View::Top`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    fn axes(self, size: Vec3) -> ([Vec3; 3], f64) {
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

/// The part of the scene that a picture shows. Pictures that share a frame are taken from the same place.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    view: View,
    /// `None` before the first model with a place.
    shown: Option<Shown>,
}

/// What a frame has to show, along its axes as [`along`] gives it.
#[derive(Clone, Copy, Debug)]
struct Shown {
    axes: [Vec3; 3],
    /// The tangent of half the angle that is filled; 0 for a parallel projection.
    tangent: f64,
    /// Least and greatest places of all vertices.
    bounds: [Vec3; 2],
    /// The least heights above the picture from which all vertices lie on the inner side of its left, right, lower and
    /// upper edge, for an eye above the origin.
    heights: [f64; 4],
    /// The height of the lowest vertex in the scene, divided by [`SHRINK`].
    ground: f64,
}

impl Shown {
    fn new(view: View, [least, greatest]: [Vec3; 2]) -> Self {
        let size = std::array::from_fn(|axis| greatest[axis] * SHRINK - least[axis] * SHRINK);
        let (axes, tangent) = view.axes(size);
        Self {
            axes,
            tangent: tangent * (1.0 - 2.0 * MARGIN),
            bounds: [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
            heights: [f64::NEG_INFINITY; 4],
            ground: f64::INFINITY,
        }
    }

    fn include(&mut self, position: &Vec3) {
        let place = along(&self.axes, position);
        let [least, greatest] = &mut self.bounds;
        for axis in 0..3 {
            least[axis] = least[axis].min(place[axis]);
            greatest[axis] = greatest[axis].max(place[axis]);
        }
        self.ground = self.ground.min(position[1] * SHRINK);
        if self.tangent > 0.0 {
            let [x, y, z] = place;
            let edges = [-x, x, -y, y].map(|offset| z + offset / self.tangent);
            for (height, edge) in self.heights.iter_mut().zip(edges) {
                *height = height.max(edge);
            }
        }
    }

    /// The eye from which all vertices just fit between the edges, along the axes.
    fn eye(&self, reach: f64) -> Vec3 {
        let [left, right, low, high] = self.heights;
        let nearest = self.bounds[1][2] + reach * NEAREST;
        let height = ((left + right) * 0.5).max((low + high) * 0.5).max(nearest);
        [
            (right - left) * 0.5 * self.tangent,
            (high - low) * 0.5 * self.tangent,
            height,
        ]
    }
}

impl Frame {
    /// Returns the frame of a view, which shows nothing yet.
    pub fn new(view: View) -> Self {
        Self { view, shown: None }
    }

    /// Extends the frame so that it contains a model. Coordinates that are not finite are left out. The first model with
    /// a place decides from where [`View::Natural`] looks.
    pub fn include(&mut self, model: &Model) {
        let positions = || {
            let positions = model.surfaces.iter().flat_map(|surface| &surface.positions);
            positions.filter(|position| position.iter().all(|number| number.is_finite()))
        };
        let shown = match &mut self.shown {
            Some(shown) => shown,
            none => {
                let Some(bounds) = bounds(positions()) else {
                    return;
                };
                none.insert(Shown::new(self.view, bounds))
            }
        };
        positions().for_each(|position| shown.include(position));
    }

    /// The projection onto a picture of `size` × `size` pixels.
    pub(super) fn projection(&self, size: usize) -> Projection {
        let shown = self.shown.unwrap_or_else(|| {
            let mut shown = Shown::new(self.view, [[0.0; 3]; 2]);
            shown.include(&[0.0; 3]);
            shown
        });
        let [least, greatest] = shown.bounds;
        let half: Vec3 = std::array::from_fn(|axis| greatest[axis] * 0.5 - least[axis] * 0.5);
        let across = half[0].max(half[1]);
        let far = least.iter().chain(&greatest);
        let far = far.fold(0.0_f64, |most, number| most.max(number.abs()));
        // A scene that has depth only, such as a line towards the viewer, is measured by its depth, and a point by its place.
        let reach = if across > half[2] * 1e-9 {
            across
        } else {
            half[2]
        };
        let reach = reach.max(far * 1e-12);
        let reach = if reach > 0.0 { reach } else { 1.0 };
        let is_perspective = shown.tangent > 0.0;
        let origin = if is_perspective {
            shown.eye(reach)
        } else {
            std::array::from_fn(|axis| greatest[axis] * 0.5 + least[axis] * 0.5)
        };
        let filled = size as f64 * (0.5 - MARGIN);
        Projection {
            axes: shown.axes,
            origin,
            reach,
            is_perspective,
            scale: if is_perspective {
                filled / shown.tangent
            } else {
                filled
            },
            middle: size as f64 * 0.5,
            ground: shown.ground / SHRINK,
            extent: reach / SHRINK,
        }
    }
}

/// Least and greatest coordinates, divided as [`along`] does.
fn bounds<'a>(mut positions: impl Iterator<Item = &'a Vec3>) -> Option<[Vec3; 2]> {
    let first = *positions.next()?;
    Some(positions.fold([first; 2], |[least, greatest], position| {
        [
            std::array::from_fn(|axis| least[axis].min(position[axis])),
            std::array::from_fn(|axis| greatest[axis].max(position[axis])),
        ]
    }))
}

/// The factor of all places along axes: no sum of coordinates and no distance of an eye overflows.
const SHRINK: f64 = 1.0 / 1024.0;

/// The place of a point along each axis, times [`SHRINK`].
fn along(axes: &[Vec3; 3], position: &Vec3) -> Vec3 {
    let small = position.map(|number| number * SHRINK);
    axes.map(|axis| dot(axis, small))
}

/// The part of a picture's width that stays empty on each side.
const MARGIN: f64 = 0.05;

/// Least distance from the eye to a vertex, as a part of the scene's reach.
const NEAREST: f64 = 1e-3;

/// Takes points of the scene to pixels of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    axes: [Vec3; 3],
    /// The eye, or the middle of the scene in a parallel projection, as [`along`] gives it.
    origin: Vec3,
    /// Half of the width or height of the scene as [`along`] gives it, whichever is greater.
    reach: f64,
    is_perspective: bool,
    /// Pixels for each `reach`, at the distance `reach` from the eye if there is one.
    scale: f64,
    /// The middle of the picture, in pixels.
    middle: f64,
    /// The height of the lowest vertex in the scene.
    pub ground: f64,
    /// Half of the width or height of the scene, in its own units.
    pub extent: f64,
}

/// A point in a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixel {
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

    /// Returns the weights of the corners of a triangle for a point of it, given those for its place in the picture.
    pub fn in_space(&self, weights: [f64; 3], depths: [f64; 3]) -> [f64; 3] {
        if !self.is_perspective {
            return weights;
        }
        let [a, b, c] = std::array::from_fn(|k| weights[k] * depths[k]);
        let sum = a + b + c;
        [a / sum, b / sum, c / sum]
    }

    /// Returns the unit vector from a point in the space of the camera to the eye.
    pub fn eye_from(&self, seen: Vec3) -> Vec3 {
        if !self.is_perspective {
            return [0.0, 0.0, 1.0];
        }
        let length = dot(seen, seen).sqrt();
        seen.map(|number| -number / length)
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

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_kernel::math::cross;
    use rigy_models::mesh::Surface;

    const VIEWS: [View; 7] = [
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

    #[test]
    fn every_view_fits_the_scene_tightly_into_the_picture() {
        for unit in [1.0, 1e300, 1e-300] {
            for corners in [
                vec![[-1.0, 0.0, 2.0], [5.0, 3.0, -2.0], [0.5, 9.0, 0.0]],
                vec![[0.0, 0.0, -3.0], [0.0, 0.0, 3.0]],
                vec![[1.0, 2.0, 3.0]],
            ] {
                let positions = corners.iter().map(|corner| corner.map(|n| n * unit));
                let surface = Surface {
                    positions: positions.collect(),
                    ..Surface::default()
                };
                let model = Model {
                    surfaces: vec![surface],
                    ..Model::default()
                };
                for view in VIEWS {
                    let mut frame = Frame::new(view);
                    frame.include(&model);
                    let projection = frame.projection(100);
                    let positions = &model.surfaces[0].positions;
                    let pixels: Vec<Pixel> =
                        positions.iter().map(|p| projection.pixel(p)).collect();
                    let is_inside = |n: f64| (4.99..95.01).contains(&n);
                    for pixel in &pixels {
                        let fits = is_inside(pixel.x) && is_inside(pixel.y);
                        assert!(fits && pixel.depth.is_finite(), "{view:?} {pixel:?}");
                    }
                    let span = |of: fn(&Pixel) -> f64| {
                        let numbers = pixels.iter().map(of);
                        let (least, most) =
                            numbers.fold((f64::MAX, f64::MIN), |(a, b), n| (a.min(n), b.max(n)));
                        most - least
                    };
                    if corners.len() == 3 {
                        let most = span(|p| p.x).max(span(|p| p.y));
                        assert!(most > 89.9, "{view:?} {most}");
                    }
                }
            }
        }
    }
}
