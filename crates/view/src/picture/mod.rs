//! Pictures of models, drawn without a GPU: the same pixels on every machine.
//!
//! In: one [`Model`](rigy_models::mesh::Model) for each picture, and a [`View`]. Out: an [`Image`], and [`png()`] makes a file
//! of it. All arithmetic is f64 and integers in a fixed order, so neither machines nor threads change a pixel. The
//! projection is parallel: equal lengths are equal in all pictures of one [`Frame`].
//!
//! ```text
//! camera    the directions of a view; the frame, which all pictures of a file share
//! raster    triangles to samples: fixed-point edges, a depth buffer, four samples a pixel
//! draw      a model to samples: normals, colours, light
//! shading   the normals of triangles, on the side that is seen
//! textures  which image lies on which material; texture the colour at a place of one; decode PNG and JPEG to pixels
//! distance  how far each vertex is from another model, and the colours of distances
//! sheet     several pictures with labels, in rows
//! png       the file
//! ```

mod camera;
mod color;
mod decode;
mod draw;
mod font;
mod raster;
mod shading;
mod sheet;
mod texture;
mod textures;

pub use camera::{Frame, View};
pub use color::{Distances, Heat, TooFarApart, distances};
pub use draw::{MAX_SIZE, MIN_SIZE, Paint, TooMuchToDraw, draw};
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
