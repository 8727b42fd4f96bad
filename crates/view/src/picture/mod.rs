//! Pictures of models, drawn without a GPU: the same pixels on every machine.
//!
//! In: one [`Model`](rigy_models::mesh::Model) for each picture, and a [`View`]. Out: an [`Image`], and [`png()`] makes a file
//! of it. All arithmetic is f64 and integers in a fixed order, so neither machines nor threads change a pixel. The
//! projection is parallel: equal lengths are equal in all pictures of one [`Frame`].
//!
//! ```text
//! camera      the directions of a view
//! frame       the place from which all pictures of a file are taken; projection from the scene to pixels
//! drawing     a model into a picture, in the order of what hides and what shows through
//! coverage    how triangles cover pixels; raster their colours into samples, by depth
//! surface     the colour of a point of a triangle: material, textures and light
//! ground      the shadow below a model; grid lines there, and the axes
//! color       linear light to sRGB, and colours over others; heat the distances to another model, and their colours
//! textures    which image lies on which material; texture a value of one; images their sizes; decode pixels
//! sheet       several pictures with labels, in rows; font their letters
//! ```
//!
//! [`draw()`] takes a model through these to pixels.

mod camera;
mod color;
mod coverage;
mod decode;
mod drawing;
mod font;
mod frame;
mod grid;
mod ground;
mod heat;
mod images;
mod projection;
mod raster;
mod sheet;
mod surface;
mod texture;
mod textures;

use color::mixed;

pub use camera::{MAX_FOV, View};
pub use drawing::{draw, drawing_memory};
pub use frame::Frame;
pub use heat::{Distances, Heat, distances};
pub(crate) use images::smaller;
pub use sheet::{MAX_PIXELS, Panel, SheetTooLarge, check_sheet, sheet, sheet_png, write_note};
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
        Self {
            width,
            height,
            pixels: vec![color; width * height],
        }
    }

    /// Copies a picture into this one with its upper left corner at a place. What does not fit is left out.
    pub fn place(&mut self, image: &Self, left: usize, top: usize) {
        if left >= self.width || image.width == 0 {
            return;
        }
        let width = image.width.min(self.width - left);
        for (row, from) in self
            .pixels
            .chunks_exact_mut(self.width)
            .skip(top)
            .zip(image.pixels.chunks_exact(image.width))
        {
            row[left..left + width].copy_from_slice(&from[..width]);
        }
    }

    /// Mixes a colour into the edge of a rectangle, which may lie partly outside.
    fn outline(&mut self, least: [i32; 2], most: [i32; 2], color: [u8; 4]) {
        let [left, top] = least.map(|number| number.max(0) as usize);
        let [right, bottom] = most.map(|number| number.max(0) as usize);
        let width = right - left + 1;
        let height = bottom - top + 1;
        for row in [top, bottom] {
            self.fill(left, row, [width, 1], color);
        }
        for column in [left, right] {
            self.fill(column, top + 1, [1, height - 2], color);
        }
    }

    /// Mixes a colour into a rectangle by its opacity. What does not fit is left out.
    pub fn fill(&mut self, left: usize, top: usize, size: [usize; 2], color: [u8; 4]) {
        let from = left.min(self.width);
        let to = (left + size[0]).min(self.width);
        for row in self
            .pixels
            .chunks_exact_mut(self.width.max(1))
            .skip(top)
            .take(size[1])
        {
            for pixel in &mut row[from..to] {
                *pixel = mixed(*pixel, color);
            }
        }
    }
}

/// Returns a picture as a PNG file with eight bits for each of red, green and blue, marked as sRGB, and for opacity if a pixel
/// is not opaque. Equal pictures give equal bytes. They are packed fast: in a tenth of the time, to a third more bytes than with care.
pub fn png(image: &Image) -> Vec<u8> {
    packed(image, png::Compression::Fast)
}

fn packed(image: &Image, compression: png::Compression) -> Vec<u8> {
    encoded(image, std::iter::empty(), None, compression)
}

/// Packs the pictures of an animation, all of one size, each of which is shown for `delay`: a numerator and a denominator of seconds. One
/// picture without a delay is a still.
fn encoded(
    first: &Image,
    later: impl ExactSizeIterator<Item = Image>,
    delay: Option<[u16; 2]>,
    compression: png::Compression,
) -> Vec<u8> {
    // Below pictures of one background lie strips of it, so the first one speaks for all.
    let is_opaque = first.pixels.iter().all(|pixel| pixel[3] == 255);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, first.width as u32, first.height as u32);
    encoder.set_color(if is_opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(compression);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    if let Some([seconds, parts]) = delay {
        let count = 1 + later.len() as u32;
        encoder.set_animated(count, 0).expect("one at least");
        encoder
            .set_frame_delay(seconds, parts)
            .expect("it is animated");
    }
    let mut writer = encoder.write_header().expect("a picture has pixels");
    let mut write = |image: &Image| {
        let opaque = |[red, green, blue, _]: &[u8; 4]| [*red, *green, *blue];
        let written = if is_opaque {
            let pixels: Vec<[u8; 3]> = image.pixels.iter().map(opaque).collect();
            writer.write_image_data(pixels.as_flattened())
        } else {
            writer.write_image_data(image.pixels.as_flattened())
        };
        written.expect("memory takes every write");
    };
    write(first);
    later.for_each(|image| write(&image));
    writer.finish().expect("memory takes every write");
    bytes
}

/// Least and greatest number of pixels in a row of a picture.
pub const MIN_SIZE: usize = 16;
/// See [`MIN_SIZE`].
pub const MAX_SIZE: usize = 2048;

/// The colour behind models, if nothing else is asked for.
pub const BACKGROUND: [u8; 4] = [232, 235, 240, 255];

/// What surrounds a model in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Scenery {
    /// Red, green and blue in sRGB, and opacity.
    pub background: [u8; 4],
    /// True if the model casts a shadow on the ground below it.
    pub has_shadow: bool,
    /// True if there are lines on the ground with the step of [`Frame::grid_step`], and the axes: X red, Y green, Z blue.
    pub has_grid: bool,
}

impl Default for Scenery {
    fn default() -> Self {
        Self {
            background: BACKGROUND,
            has_shadow: true,
            has_grid: false,
        }
    }
}
