//! The part of the scene that pictures show, and the place from which all of it is seen.

use super::camera::View;
use super::projection::{Projection, SHRINK, along};
use super::{MIN_SIZE, grid};
use crate::description::bounds_of;
use rigy_kernel::math::{Bounds, Vec3};
use rigy_models::mesh::Model;

/// The part of a picture's width that stays empty on each side.
const MARGIN: f64 = 0.05;

/// Least distance from the eye to a vertex, as a part of the scene's reach.
const NEAREST: f64 = 1e-3;

/// The part of the scene that a picture shows. Pictures that share a frame are taken from the same place.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    view: View,
    /// The place on a turntable, and how many places it has.
    turn: [u16; 2],
    /// `None` before the first model with a place.
    shown: Option<Shown>,
}

/// What a frame has to show, along its axes as [`along`] gives it.
#[derive(Clone, Copy, Debug)]
struct Shown {
    axes: [Vec3; 3],
    /// A point of the upright line around which cameras stand; 0 for a single one.
    pivot: Vec3,
    /// The tangent of half the angle that is filled; 0 for a parallel projection.
    tangent: f64,
    /// Least and greatest places of all vertices.
    bounds: [Vec3; 2],
    /// The least heights above the picture from which all vertices lie on the inner side of its left, right, lower and
    /// upper edge, for an eye above the origin.
    heights: [f64; 4],
    /// The height of the lowest vertex in the scene, times [`SHRINK`].
    ground: f64,
}

impl Shown {
    fn new(view: View, turns: u16, Bounds { min, max }: Bounds) -> Self {
        let middle = std::array::from_fn(|axis| max[axis] * 0.5 + min[axis] * 0.5);
        let size = std::array::from_fn(|axis| max[axis] * SHRINK - min[axis] * SHRINK);
        let (axes, tangent) = view.axes(size);
        Self {
            axes,
            pivot: if turns > 1 { middle } else { [0.0; 3] },
            tangent: tangent * (1.0 - 2.0 * MARGIN),
            bounds: [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
            heights: [f64::NEG_INFINITY; 4],
            ground: f64::INFINITY,
        }
    }

    /// The axes of a camera on the turntable, and the place of the pivot along them.
    fn camera(&self, [turn, turns]: [u16; 2]) -> ([Vec3; 3], Vec3) {
        let degrees = 360.0 * f64::from(turn) / f64::from(turns);
        let (sin, cos) = libm::sincos(degrees.to_radians());
        let turned = |[x, y, z]: Vec3| [x * cos + z * sin, y, z * cos - x * sin];
        let axes = self.axes.map(turned);
        (axes, along(&axes, &self.pivot))
    }

    fn include(&mut self, position: &Vec3, (axes, pivot): &([Vec3; 3], Vec3)) {
        let mut place = along(axes, position);
        (0..3).for_each(|axis| place[axis] -= pivot[axis]);
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
        Self::turntable(view, 1)
    }

    /// Returns the frame of so many cameras, at least one, around the first model with a place. They begin at a view, go from +Z towards +X, and
    /// have one distance, from which all of them see everything.
    pub fn turntable(view: View, cameras: u16) -> Self {
        Self {
            view,
            turn: [0, cameras.max(1)],
            shown: None,
        }
    }

    /// Returns the frame as the camera of a number sees it, from 0.
    #[must_use]
    pub fn turned(&self, camera: u16) -> Self {
        Self {
            turn: [camera, self.turn[1]],
            ..*self
        }
    }

    /// Extends the frame so that it contains a model. Coordinates that are not finite are left out. The first model with
    /// a place decides from where [`View::Natural`] looks.
    pub fn include(&mut self, model: &Model) {
        let positions = || {
            model
                .surfaces
                .iter()
                .flat_map(|surface| &surface.positions)
                .filter(|position| position.iter().all(|number| number.is_finite()))
        };
        let shown = match &mut self.shown {
            Some(shown) => shown,
            none => {
                let Some(bounds) = bounds_of(positions().copied()) else {
                    return;
                };
                none.insert(Shown::new(self.view, self.turn[1], bounds))
            }
        };
        let turns = self.turn[1];
        let cameras: Vec<_> = (0..turns).map(|turn| shown.camera([turn, turns])).collect();
        for position in positions() {
            for camera in &cameras {
                shown.include(position, camera);
            }
        }
    }

    /// Returns the step of the grid in pictures with one, in model units: 1, 2 or 5 times a power of ten.
    pub fn grid_step(&self) -> f64 {
        grid::step(self.projection(MIN_SIZE).extent)
    }

    /// The projection onto a picture of `size` × `size` pixels.
    pub(super) fn projection(&self, size: usize) -> Projection {
        let shown = self.shown.unwrap_or_else(|| {
            let min = [0.0; 3];
            let mut shown = Shown::new(self.view, 1, Bounds { min, max: [0.0; 3] });
            shown.include(&min, &shown.camera([0, 1]));
            shown
        });
        let [least, greatest] = shown.bounds;
        let half: Vec3 = std::array::from_fn(|axis| greatest[axis] * 0.5 - least[axis] * 0.5);
        let across = half[0].max(half[1]);
        let far = least
            .iter()
            .chain(&greatest)
            .fold(0.0_f64, |most, number| most.max(number.abs()));
        // A scene that has depth only, such as a line towards the viewer, is measured by its depth, and a point by its place.
        let reach = if across > half[2] * 1e-9 {
            across
        } else {
            half[2]
        };
        let reach = reach.max(far * 1e-12);
        let reach = if reach > 0.0 { reach } else { 1.0 };
        let is_perspective = shown.tangent > 0.0;
        let origin: Vec3 = if is_perspective {
            shown.eye(reach)
        } else {
            std::array::from_fn(|axis| greatest[axis] * 0.5 + least[axis] * 0.5)
        };
        let (axes, pivot) = shown.camera(self.turn);
        let filled = size as f64 * (0.5 - MARGIN);
        Projection {
            axes,
            origin: std::array::from_fn(|axis| origin[axis] + pivot[axis]),
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

#[cfg(test)]
mod tests {
    use super::super::camera::VIEWS;
    use super::super::projection::Pixel;
    use super::*;
    use rigy_models::mesh::Surface;

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
