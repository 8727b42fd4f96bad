//! Pictures of models, drawn without a GPU: the same pixels on every machine.
//!
//! In: one [`Model`] for each picture, and a [`View`]. Out: an [`Image`], and [`png()`] makes a file
//! of it. All arithmetic is f64 and integers in a fixed order, so neither machines nor threads change a pixel. The
//! projection is parallel: equal lengths are equal in all pictures of one [`Frame`].
//!
//! ```text
//! camera    the directions of a view; the frame, which all pictures of a file share
//! raster    triangles to samples: fixed-point edges, a depth buffer, sixteen samples a pixel
//! surface   the colour of a point of a triangle: material, textures and light
//! ground    the shadow below a model
//! color     linear light to sRGB; heat the distances to another model, and their colours
//! textures  which image lies on which material; texture a value of one; decode PNG and JPEG to pixels
//! sheet     several pictures with labels, in rows
//! ```
//!
//! [`draw()`] takes a model through these to pixels.

mod camera;
mod color;
mod decode;
mod font;
mod ground;
mod heat;
mod raster;
mod sheet;
mod surface;
mod texture;
mod textures;

use camera::Projection;
use ground::Ground;
use raster::{Band, Corner, Covered, Write, mixed};
use rigy_models::mesh::Model;
use surface::Painted;

pub use camera::{Frame, MAX_FOV, View};
pub use heat::{Distances, Heat, TooFarApart, distances};
pub use sheet::{MAX_PIXELS, Panel, SheetTooLarge, check_sheet, sheet};
pub use surface::Paint;
pub use textures::Textures;

/// A picture: rows of pixels from the top, each red, green and blue in sRGB, and opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 4]>,
}

impl Image {
    /// Returns a picture of one colour.
    pub fn filled(width: usize, height: usize, color: [u8; 4]) -> Self {
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

    /// Mixes a colour into a rectangle by its opacity. What does not fit is left out.
    pub fn fill(&mut self, left: usize, top: usize, size: [usize; 2], color: [u8; 4]) {
        let (from, to) = (left.min(self.width), (left + size[0]).min(self.width));
        let rows = self.pixels.chunks_exact_mut(self.width.max(1));
        for row in rows.skip(top).take(size[1]) {
            for pixel in &mut row[from..to] {
                *pixel = mixed(*pixel, color);
            }
        }
    }
}

/// Returns a picture as a PNG file with eight bits for each of red, green and blue, marked as sRGB, and for opacity if a pixel
/// is not opaque. Equal pictures give equal bytes.
pub fn png(image: &Image) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width as u32, image.height as u32);
    let is_opaque = image.pixels.iter().all(|pixel| pixel[3] == 255);
    encoder.set_color(if is_opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().expect("a picture has pixels");
    let written = if is_opaque {
        let pixels = image.pixels.iter();
        let colors: Vec<[u8; 3]> = pixels
            .map(|[red, green, blue, _]| [*red, *green, *blue])
            .collect();
        writer.write_image_data(colors.as_flattened())
    } else {
        writer.write_image_data(image.pixels.as_flattened())
    };
    written.expect("memory takes every write");
    writer.finish().expect("memory takes every write");
    bytes
}

/// Least and greatest number of pixels in a row of a picture.
pub const MIN_SIZE: usize = 16;
/// See [`MIN_SIZE`].
pub const MAX_SIZE: usize = 2048;

/// Most pixels that are tested for one picture, those with textures counted more often: a few seconds of work. They are counted
/// before any is drawn.
const MAX_WORK: u64 = 1 << 28;

/// Pixels of the rows that are drawn together.
const BAND: usize = 1 << 15;

/// The colour behind models, if nothing else is asked for.
pub const BACKGROUND: [u8; 4] = [232, 235, 240, 255];

/// The triangles of a model cover each other so often that drawing it would take very long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the triangles lie over each other too often to be drawn")]
pub struct TooMuchToDraw;

/// What surrounds a model in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenery {
    /// Red, green and blue in sRGB, and opacity.
    pub background: [u8; 4],
    /// True if the model casts a shadow on the ground below it.
    pub has_shadow: bool,
}

impl Default for Scenery {
    fn default() -> Self {
        Self {
            background: BACKGROUND,
            has_shadow: true,
        }
    }
}

/// Returns how many bytes are taken while a picture of `size` × `size` pixels is drawn, beside a few for each vertex.
pub fn drawing_memory(size: usize) -> u64 {
    let samples = Band::memory(size.max(BAND));
    (size * size * size_of::<[u8; 4]>()) as u64 + samples
}

/// Draws a model into a picture of `size` × `size` pixels; `size` is brought between [`MIN_SIZE`] and [`MAX_SIZE`]. Vertices
/// of surfaces without triangles are drawn as points. Triangles with a corner that is not finite or not in the frame are left
/// out, and so are the backs of triangles whose material has one side. A model whose surfaces have no materials is seen from
/// both sides.
///
/// # Errors
/// [`TooMuchToDraw`], which depends only on the model, the frame, the paint and the size.
pub fn draw(
    model: &Model,
    frame: &Frame,
    size: usize,
    paint: Paint<'_>,
    scenery: &Scenery,
) -> Result<Image, TooMuchToDraw> {
    let size = size.clamp(MIN_SIZE, MAX_SIZE);
    let projection = frame.projection(size);
    let surfaces = 0..model.surfaces.len();
    let mut drawing = Drawing {
        size,
        projection,
        surfaces: surfaces
            .map(|index| Painted::new(model, index, paint))
            .collect(),
        corners: Vec::new(),
        mixed: Vec::new(),
        ground: None,
    };
    drawing.place();
    drawing.check_work()?;
    drawing.sort_mixed();
    if scenery.has_shadow {
        drawing.ground = Ground::below(model, &drawing.projection, size);
    }
    let mut image = Image::filled(size, size, scenery.background);
    let rows = (BAND / size).max(1);
    for top in (0..size).step_by(rows) {
        let mut band = Band::new(size, top..(top + rows).min(size), scenery.background);
        drawing.draw(&mut band);
        band.finish(&mut image);
    }
    Ok(image)
}

/// A model on its way into a picture.
struct Drawing<'a> {
    /// Pixels of the picture's side.
    size: usize,
    projection: Projection,
    surfaces: Vec<Painted<'a>>,
    /// For each surface the places of its vertices in the picture; `None` for those outside.
    corners: Vec<Vec<Option<Corner>>>,
    /// The triangles through which others show, as surface and triangle, from the farthest to the nearest.
    mixed: Vec<(u32, u32)>,
    ground: Option<Ground>,
}

impl Drawing<'_> {
    /// Finds the places of all vertices.
    fn place(&mut self) {
        let places = self.surfaces.iter().map(|painted| {
            let positions = painted.surface.positions.iter();
            let corner = |position| Corner::new(self.projection.pixel(position), self.size);
            positions.map(corner).collect()
        });
        self.corners = places.collect();
    }

    /// The corners of a triangle; `None` if one is outside.
    fn corners(&self, surface: usize, triangle: &[u32; 3]) -> Option<[Corner; 3]> {
        let places = &self.corners[surface];
        let [a, b, c] = triangle.map(|vertex| places[vertex as usize]);
        Some([a?, b?, c?])
    }

    /// How a triangle covers pixels; `None` if it is not seen.
    fn covered(&self, surface: usize, corners: &[Corner; 3]) -> Option<Covered> {
        let covered = Covered::of(corners, self.size)?;
        let is_hidden = self.surfaces[surface].is_hidden(covered.is_clockwise);
        (!is_hidden).then_some(covered)
    }

    /// Counts the pixels that would be tested.
    ///
    /// # Errors
    /// If there are more than [`MAX_WORK`].
    fn check_work(&self) -> Result<(), TooMuchToDraw> {
        let mut work = 0;
        for (index, painted) in self.surfaces.iter().enumerate() {
            let of_pixel = painted.work();
            for triangle in &painted.surface.triangles {
                let corners = self.corners(index, triangle);
                let covered = corners.and_then(|corners| self.covered(index, &corners));
                let pixels = covered.map_or(0, |covered| covered.pixel_count());
                work += of_pixel * pixels + 1;
                if work > MAX_WORK {
                    return Err(TooMuchToDraw);
                }
            }
        }
        Ok(())
    }

    /// Finds the triangles through which others show, and sorts them.
    fn sort_mixed(&mut self) {
        let mut found = Vec::new();
        for (surface, painted) in self.surfaces.iter().enumerate() {
            let triangles = painted.surface.triangles.iter().enumerate();
            for (index, triangle) in triangles.filter(|_| painted.is_mixed()) {
                if let Some([a, b, c]) = self.corners(surface, triangle) {
                    let depth = a.depth + b.depth + c.depth;
                    found.push((depth, (surface as u32, index as u32)));
                }
            }
        }
        found.sort_by(|(a, first), (b, second)| a.total_cmp(b).then(first.cmp(second)));
        self.mixed = found.into_iter().map(|(_, place)| place).collect();
    }

    /// Draws everything into some rows.
    fn draw(&self, band: &mut Band) {
        for (index, painted) in self.surfaces.iter().enumerate() {
            let surface = painted.surface;
            if surface.triangles.is_empty() {
                for (vertex, corner) in self.corners[index].iter().enumerate() {
                    if let Some(corner) = corner {
                        band.point(*corner, painted.point(vertex as u32));
                    }
                }
            }
            for triangle in surface.triangles.iter().filter(|_| !painted.is_mixed()) {
                self.triangle(band, index, triangle, Write::Replace);
            }
        }
        if let Some(ground) = &self.ground {
            ground.draw(band, &self.projection);
        }
        for (surface, index) in &self.mixed {
            let surface = *surface as usize;
            let triangle = &self.surfaces[surface].surface.triangles[*index as usize];
            self.triangle(band, surface, triangle, Write::Mix);
        }
    }

    fn triangle(&self, band: &mut Band, surface: usize, triangle: &[u32; 3], write: Write) {
        let corners = self.corners(surface, triangle);
        let Some(corners) = corners.filter(|corners| !band.is_beside(corners)) else {
            return;
        };
        if let Some(covered) = self.covered(surface, &corners) {
            let is_clockwise = covered.is_clockwise;
            let colors =
                self.surfaces[surface].colors(*triangle, &corners, is_clockwise, &self.projection);
            band.triangle(&covered, &corners, write, colors);
        }
    }
}
