//! PNG files.

use super::image::Image;

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
