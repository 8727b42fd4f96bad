//! Pictures of models, drawn without a GPU: the same pixels on every machine.
//!
//! In: one [`Model`] for each picture, and a [`View`]. Out: an [`Image`], and [`png()`] makes a file
//! of it. All arithmetic is f64 and integers in a fixed order, so neither machines nor threads change a pixel. The
//! projection is parallel: equal lengths are equal in all pictures of one [`Frame`].
//!
//! ```text
//! camera    the directions of a view; the frame, which all pictures of a file share
//! raster    triangles to samples: fixed-point edges, a depth buffer, four samples a pixel
//! color     light and colours; how far each vertex is from another model, and the colours of distances
//! shading   the normals of triangles, on the side that is seen
//! textures  which image lies on which material; texture the colour at a place of one; decode PNG and JPEG to pixels
//! sheet     several pictures with labels, in rows
//! ```
//!
//! [`draw()`] takes a model through these to samples.

mod camera;
mod color;
mod decode;
mod font;
mod raster;
mod shading;
mod sheet;
mod texture;
mod textures;

use camera::Projection;
use color::{BACKGROUND, brightness, heat_color, pixel, shown};
use raster::{Canvas, SAMPLES, tested_samples};
use rigy_kernel::math::{Vec3, dot};
use rigy_models::mesh::{Model, Surface};
use shading::{Shading, blended};
use textures::SurfaceTexture;

pub use camera::{Frame, View};
pub use color::{Distances, Heat, TooFarApart, distances};
pub use sheet::{MAX_PIXELS, Panel, SheetTooLarge, check_sheet, sheet};
pub use textures::Textures;

/// A picture: rows of pixels from the top, each red, green and blue in sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Returns a picture of one colour.
    pub fn filled(width: usize, height: usize, color: [u8; 3]) -> Self {
        let pixels = vec![color; width * height];
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Copies a picture into this one with its upper left corner at a place. What does not fit is left out.
    pub fn place(&mut self, image: &Self, left: usize, top: usize) {
        if left >= self.width || image.width == 0 {
            return;
        }
        let width = image.width.min(self.width - left);
        let rows = self.pixels.chunks_exact_mut(self.width).skip(top);
        for (row, from) in rows.zip(image.pixels.chunks_exact(image.width)) {
            row[left..left + width].copy_from_slice(&from[..width]);
        }
    }

    /// Fills a rectangle with a colour. What does not fit is left out.
    pub fn fill(&mut self, left: usize, top: usize, size: [usize; 2], color: [u8; 3]) {
        let (from, to) = (left.min(self.width), (left + size[0]).min(self.width));
        let rows = self.pixels.chunks_exact_mut(self.width.max(1));
        for row in rows.skip(top).take(size[1]) {
            row[from..to].fill(color);
        }
    }
}

/// Returns a picture as a PNG file with eight bits for each of red, green and blue, marked as sRGB. Equal pictures give
/// equal bytes.
pub fn png(image: &Image) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width as u32, image.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().expect("a picture has pixels");
    let pixels = image.pixels.as_flattened();
    writer
        .write_image_data(pixels)
        .expect("memory takes every write");
    writer.finish().expect("memory takes every write");
    bytes
}

/// Least and greatest number of pixels in a row of a picture.
pub const MIN_SIZE: usize = 16;
/// See [`MIN_SIZE`].
pub const MAX_SIZE: usize = 2048;

/// Most samples that are tested for one picture: a few seconds of work. They are counted before any is drawn.
const MAX_WORK: u64 = 1 << 30;

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
    let projection = frame.projection(samples);
    check_work(model, &projection, samples, paint)?;
    let mut drawing = Drawing {
        canvas: Canvas::new(samples, BACKGROUND),
        projection,
    };
    for (index, surface) in model.surfaces.iter().enumerate() {
        let color = match paint {
            Paint::Heat(heat) => heat.of_surface(index).map(SurfaceColor::Heat),
            Paint::Materials(textures) => {
                let textured = texture_of(surface, textures);
                textured.map(|(texture, coordinates)| SurfaceColor::Texture(texture, coordinates))
            }
        };
        let material = surface
            .material
            .and_then(|index| model.materials.get(index));
        let base = material.map_or([1.0; 4], |material| material.base_color);
        drawing.surface(surface, base, &color.unwrap_or(SurfaceColor::Plain));
    }
    Ok(drawing.canvas.into_image())
}

/// The texture of a surface and the coordinates of its vertices, if it has both.
fn texture_of<'a>(
    surface: &'a Surface,
    textures: &'a Textures,
) -> Option<(SurfaceTexture<'a>, &'a [[f64; 2]])> {
    let coordinates = surface.texture_coordinates.as_deref();
    textures.of(surface.material).zip(coordinates)
}

/// Counts the samples that drawing a model on a canvas of `size` × `size` samples would test.
///
/// # Errors
/// If there are more than [`MAX_WORK`].
fn check_work(
    model: &Model,
    projection: &Projection,
    size: usize,
    paint: Paint<'_>,
) -> Result<(), TooMuchToDraw> {
    let mut work = 0;
    for surface in &model.surfaces {
        let of_sample = match paint {
            Paint::Materials(textures) if texture_of(surface, textures).is_some() => TEXTURE_WORK,
            _ => 1,
        };
        let places = surface.positions.iter();
        let places: Vec<Vec3> = places.map(|position| projection.point(position)).collect();
        for triangle in &surface.triangles {
            let corners = triangle.map(|vertex| places[vertex as usize]);
            work += of_sample * tested_samples(&corners, size);
            if work > MAX_WORK {
                return Err(TooMuchToDraw);
            }
        }
    }
    Ok(())
}

struct Drawing {
    canvas: Canvas,
    projection: Projection,
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
    fn surface(&mut self, surface: &Surface, base: [f64; 4], color: &SurfaceColor<'_>) {
        let places: Vec<Vec3> = surface
            .positions
            .iter()
            .map(|position| self.projection.point(position))
            .collect();
        if surface.triangles.is_empty() {
            return self.points(&places, base, color);
        }
        let to_viewer = |normal: &Vec3| self.projection.direction(normal);
        let normals = surface.normals.as_deref().unwrap_or_default();
        let normals = normals.iter().map(to_viewer).collect();
        let shading = Shading::new(&surface.triangles, normals, &places);
        for triangle in &surface.triangles {
            let corners = triangle.map(|vertex| places[vertex as usize]);
            let normals = shading.corners(triangle, &corners);
            let brightness = |weights| brightness(blended(&normals, weights));
            match color {
                SurfaceColor::Plain => {
                    let base = shown(base);
                    let color = |weights| Some(pixel(base, brightness(weights)));
                    self.canvas.triangle(corners, color);
                }
                SurfaceColor::Heat(heat) => {
                    let values = triangle.map(heat);
                    let color =
                        |weights| Some(heat_color(dot(values, weights), brightness(weights)));
                    self.canvas.triangle(corners, color);
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
                    self.canvas.triangle(corners, color);
                }
            }
        }
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
