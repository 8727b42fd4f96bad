//! A model to a picture: its triangles with their normals, colours and light.

use super::camera::{Frame, Projection};
use super::distance::{Heat, heat_color};
use super::image::Image;
use super::light::{BACKGROUND, brightness, pixel, shown};
use super::raster::{Canvas, SAMPLES};
use super::textures::{SurfaceTexture, Textures};
use crate::inspect::{Model, Surface};
use crate::kernel::math::{Vec3, cross, dot};

/// Least and greatest number of pixels in a row of a picture.
pub const MIN_SIZE: usize = 16;
/// See [`MIN_SIZE`].
pub const MAX_SIZE: usize = 2048;

/// Most samples that are tested for one picture: about ten seconds of work.
const MAX_WORK: u64 = 1 << 32;

/// The triangles of a model cover each other so often that drawing it would take very long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the triangles lie over each other too often to be drawn")]
pub struct TooMuchToDraw;

/// The samples of a surface with a texture count this many times: finding their colours takes longer.
const TEXTURE_WORK: u64 = 8;

/// The colours of surfaces.
#[derive(Clone, Copy)]
pub enum Paint<'a> {
    /// Those of their materials, with these textures.
    Materials(&'a Textures),
    /// Those of distances.
    Heat(&'a Heat<'a>),
}

/// Draws a model into a picture of `size` × `size` pixels; `size` is brought between [`MIN_SIZE`] and [`MAX_SIZE`]. Vertices
/// of surfaces without triangles are drawn as points. Triangles with a corner that is not finite or not in the frame are left
/// out.
///
/// # Errors
/// [`TooMuchToDraw`], which depends only on the model, the frame, the paint and the size.
pub fn draw(
    model: &Model,
    frame: &Frame,
    size: usize,
    paint: Paint<'_>,
) -> Result<Image, TooMuchToDraw> {
    let samples = size.clamp(MIN_SIZE, MAX_SIZE) * SAMPLES;
    let mut drawing = Drawing {
        canvas: Canvas::new(samples, BACKGROUND),
        projection: frame.projection(samples),
        work: 0,
    };
    for (index, surface) in model.surfaces.iter().enumerate() {
        let color = match paint {
            Paint::Heat(heat) => heat.of_surface(index).map(SurfaceColor::Heat),
            Paint::Materials(textures) => {
                let texture = textures.of(surface.material);
                let coordinates = surface.texture_coordinates.as_deref();
                let textured = texture.zip(coordinates);
                textured.map(|(texture, coordinates)| SurfaceColor::Texture(texture, coordinates))
            }
        };
        let material = surface
            .material
            .and_then(|index| model.materials.get(index));
        let base = material.map_or([1.0; 4], |material| material.base_color);
        drawing.surface(surface, base, &color.unwrap_or(SurfaceColor::Plain))?;
    }
    Ok(drawing.canvas.into_image())
}

struct Drawing {
    canvas: Canvas,
    projection: Projection,
    /// The number of samples that have been tested.
    work: u64,
}

/// The distances of one surface's vertices, as parts of the greatest one.
type HeatOfSurface<'a> = Box<dyn Fn(u32) -> f64 + 'a>;

/// Where the colour of a surface comes from.
enum SurfaceColor<'a> {
    /// The base colour.
    Plain,
    /// The base colour times that of a texture, at these coordinates of the vertices.
    Texture(SurfaceTexture<'a>, &'a [[f64; 2]]),
    /// Distances.
    Heat(HeatOfSurface<'a>),
}

impl Drawing {
    /// Draws a surface whose base colour is `base`: linear, with opacity.
    fn surface(
        &mut self,
        surface: &Surface,
        base: [f64; 4],
        color: &SurfaceColor<'_>,
    ) -> Result<(), TooMuchToDraw> {
        let places: Vec<Vec3> = surface
            .positions
            .iter()
            .map(|position| self.projection.point(position))
            .collect();
        if surface.triangles.is_empty() {
            self.points(&places, base, color);
            return Ok(());
        }
        let normals: Option<Vec<Vec3>> = surface.normals.as_ref().map(|normals| {
            let normals = normals.iter();
            normals
                .map(|normal| self.projection.direction(normal))
                .collect()
        });
        for triangle in &surface.triangles {
            let corners = triangle.map(|vertex| places[vertex as usize]);
            let normals = corner_normals(&corners, triangle, normals.as_deref());
            let brightness = |weights| brightness(blended(&normals, weights));
            self.work += match color {
                SurfaceColor::Plain => {
                    let base = shown(base);
                    let color = |weights| Some(pixel(base, brightness(weights)));
                    self.canvas.triangle(corners, color)
                }
                SurfaceColor::Heat(heat) => {
                    let values = triangle.map(heat);
                    let color =
                        |weights| Some(heat_color(dot(values, weights), brightness(weights)));
                    self.canvas.triangle(corners, color)
                }
                SurfaceColor::Texture(texture, coordinates) => {
                    let at = triangle.map(|vertex| {
                        let own = coordinates.get(vertex as usize);
                        texture.place(own.copied().unwrap_or_default())
                    });
                    let level = texture.level(&at, &corners);
                    let color = |weights| {
                        let color = texture.color(level, &at, weights, base)?;
                        Some(pixel(color, brightness(weights)))
                    };
                    TEXTURE_WORK * self.canvas.triangle(corners, color)
                }
            };
            if self.work > MAX_WORK {
                return Err(TooMuchToDraw);
            }
        }
        Ok(())
    }

    /// Draws vertices as points.
    fn points(&mut self, places: &[Vec3], base: [f64; 4], color: &SurfaceColor<'_>) {
        for (vertex, place) in places.iter().enumerate() {
            let color = match color {
                SurfaceColor::Heat(heat) => heat_color(heat(vertex as u32), 1.0),
                _ => pixel(shown(base), 0.7),
            };
            self.canvas.point(*place, color);
        }
    }
}

/// Returns unit normals of the corners, each on the side of the triangle that is seen: a triangle is seen from both sides,
/// however its corners turn. A corner without a normal gets that of the triangle.
fn corner_normals(corners: &[Vec3; 3], triangle: &[u32; 3], normals: Option<&[Vec3]>) -> [Vec3; 3] {
    let face = face_normal(corners);
    triangle.map(|vertex| {
        let own = normals.and_then(|normals| normals.get(vertex as usize));
        match own.and_then(|normal| unit(*normal)) {
            Some(normal) if dot(normal, face) < 0.0 => normal.map(|number| -number),
            Some(normal) => normal,
            None => face,
        }
    })
}

/// Returns the unit normal of a triangle in samples, with y up and on the side of the viewer.
fn face_normal(corners: &[Vec3; 3]) -> Vec3 {
    let side = |to: usize| -> Vec3 {
        let [x, y, z]: Vec3 = std::array::from_fn(|axis| corners[to][axis] - corners[0][axis]);
        [x, -y, z]
    };
    let normal = unit(cross(side(1), side(2))).unwrap_or([0.0, 0.0, 1.0]);
    match normal[2] < 0.0 {
        true => normal.map(|number| -number),
        false => normal,
    }
}

/// Returns the unit vector in a direction; `None` if the length is zero or not finite.
fn unit(v: Vec3) -> Option<Vec3> {
    let length = dot(v, v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|number| number / length))
}

/// Returns the unit normal between those of the corners.
fn blended(normals: &[Vec3; 3], weights: [f64; 3]) -> Vec3 {
    let [a, b, c] = normals;
    let sum = std::array::from_fn(|axis| dot([a[axis], b[axis], c[axis]], weights));
    unit(sum).unwrap_or([0.0, 0.0, 1.0])
}
