//! WebP images as PNG files.

use std::fmt::Display;
use std::io::Cursor;

use image_webp::WebPDecoder;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

/// Most pixels of an image: 8192 × 8192.
const MOST_PIXELS: u64 = 1 << 26;

/// Returns the number of pixels of a WebP file; 0 if it is broken.
pub fn pixel_count(bytes: &[u8]) -> u64 {
    WebPDecoder::new(Cursor::new(bytes)).map_or(0, |decoder| pixels_of(&decoder))
}

fn pixels_of(decoder: &WebPDecoder<Cursor<&[u8]>>) -> u64 {
    let (width, height) = decoder.dimensions();
    u64::from(width) * u64::from(height)
}

/// Returns a PNG file with the pixels of a WebP file, the same on every machine.
///
/// # Errors
/// In words, if it is broken, too large, or has several frames.
pub fn to_png(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let broken = |reason: &dyn Display| format!("it is broken: {reason}");
    let decoder = WebPDecoder::new(Cursor::new(bytes));
    let mut decoder = decoder.map_err(|error| broken(&error))?;
    let (width, height) = decoder.dimensions();
    if pixels_of(&decoder) > MOST_PIXELS {
        return Err(format!("{width} × {height} pixels are too many"));
    }
    if decoder.is_animated() {
        return Err("it has several frames".into());
    }
    let size = decoder.output_buffer_size();
    let mut pixels = vec![0; size.ok_or_else(|| broken(&"it has no size"))?];
    decoder
        .read_image(&mut pixels)
        .map_err(|error| broken(&error))?;
    let color = if decoder.has_alpha() {
        ColorType::Rgba
    } else {
        ColorType::Rgb
    };
    let png = png(width, height, color, &pixels);
    png.map_err(|error| format!("no PNG can be made of it: {error}"))
}

/// A PNG file of these pixels.
fn png(width: u32, height: u32, color: ColorType, pixels: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 × 3 pixels whose red and green grow with the column and the row, made by libwebp: without losses, with an opacity that
    /// grows with the column; with losses; and two frames.
    const EXACT: &str = "5249464642000000574542505650384c360000002f048000107740906d33ac03d51fe30cc333800ad2366071f70cad073900d65f0006012011a85852\
        4821b814561835a2ffe121c7be00";
    const LOSSY: &str = "524946466e000000574542505650382062000000b003009d012a0500030000c01225b00274ba01f2014a02d403f807a805e007e80030359b854000fe\
        de3e9fff483f27cd9bdeb11a372b3ff2285ea12a873ef497b57d55df442ad7fbe749f319f69d4e7e7f77e9f5fc689996f4af97afa7e5cc000000";
    const MOVING: &str = "52494646b400000057454250565038580a00000012000000040000020000414e494d06000000000000000000414e4d464e0000000000000000000400\
        00020000000000025650384c360000002f048000107740906d33ac03d51fe30cc333800ad2366071f70cad073900d65f0006012011a858524821b814561835a2ffe121c7\
        be00414e4d4632000000000000000000040000020000000000025650384c190000002f04800010075081540820000a1a02495bbced8f8f88e87f0000";

    fn bytes(digits: &str) -> Vec<u8> {
        let pairs = digits.as_bytes().chunks_exact(2);
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        pairs.map(byte).collect()
    }

    /// The pixels of a PNG file and how many bytes each has.
    fn pixels(file: &[u8]) -> (Vec<u8>, usize) {
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let info = reader.info();
        assert_eq!((info.width, info.height), (5, 3));
        (pixels, info.color_type.samples())
    }

    #[test]
    fn pixels_are_those_of_the_image() {
        let (exact, size) = pixels(&to_png(&bytes(EXACT)).unwrap());
        let places = || (0..3u8).flat_map(|row| (0..5u8).map(move |column| (column, row)));
        let wanted = places().map(|(column, row)| [column * 60, row * 100, 128, column * 50 + 5]);
        assert_eq!((exact, size), (wanted.flatten().collect(), 4));
        let (lossy, size) = pixels(&to_png(&bytes(LOSSY)).unwrap());
        assert_eq!(
            (&lossy[..6], &lossy[42..], size),
            (&[0, 13, 95, 33, 22, 106][..], &[250, 192, 154][..], 3)
        );
    }

    #[test]
    fn broken_images_and_those_that_are_no_texture_are_refused() {
        let refused = |file: &[u8]| to_png(file).unwrap_err();
        assert_eq!(refused(&bytes(MOVING)), "it has several frames");
        let mut large = bytes(EXACT);
        large[21..25].copy_from_slice(&[0xfe, 0xbf, 0xff, 0x1f]);
        assert_eq!(refused(&large), "16383 × 16383 pixels are too many");
        for file in [EXACT, LOSSY, MOVING].map(bytes) {
            for length in 0..file.len() - 8 {
                let reason = refused(&file[..length]);
                let is_expected =
                    reason.starts_with("it is broken: ") || reason == "it has several frames";
                assert!(is_expected, "{length}: {reason}");
            }
            // No byte leads to a panic.
            for place in 0..file.len() {
                let mut file = file.clone();
                for change in [0x01, 0x10, 0x80, 0xff] {
                    file[place] ^= change;
                    let _ = to_png(&file);
                }
            }
        }
    }
}
