//! PNG, JPEG and WebP files to pixels, whose number is checked before memory is taken.

use std::io::Cursor;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Most pixels of the images of a file together.
pub(super) const MAX_PIXELS: usize = 1 << 25;

/// Largest width and height of an image, in pixels.
const MAX_SIDE: usize = 16_384;

/// Largest width and height that a JPEG can have.
const MAX_JPEG_SIDE: usize = 65_535;

/// Most bytes that the PNG decoder takes beside the pixels.
const PNG_MEMORY: usize = 16 << 20;

/// Most scans of a progressive JPEG: each is a pass over all pixels.
const JPEG_SCANS: usize = 32;

/// An image: rows of pixels from the top, each red, green and blue in sRGB, and opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pixels {
    /// Pixels in a row; not 0.
    pub width: usize,
    /// Rows; not 0.
    pub height: usize,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 4]>,
}

/// Decodes an image with at most `most` pixels: what the images before it have left of [`MAX_PIXELS`].
///
/// # Errors
/// In words, if it has another format, is too large or broken.
pub(super) fn decode(bytes: &[u8], most: usize) -> Result<Pixels, String> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes, most),
        [0xff, 0xd8, 0xff, ..] => jpeg(bytes, most),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => webp(bytes, most),
        _ => Err("it is neither PNG, JPEG nor WebP".into()),
    }
}

/// Checks the size of an image before its pixels are decoded.
fn check(width: usize, height: usize, most: usize) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err("it has no pixels".into());
    }
    if width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS {
        return Err(format!("{width} × {height} pixels are too many"));
    }
    if width * height > most {
        return Err(format!(
            "its {width} × {height} pixels are too many together with those of the images before it"
        ));
    }
    Ok(())
}

fn png(bytes: &[u8], most: usize) -> Result<Pixels, String> {
    let broken = |error: png::DecodingError| format!("its PNG is broken: {error}");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    // Colours in palettes and few bits become bytes, and 16 bits their upper ones.
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width as usize, header.height as usize);
    check(width, height, most)?;
    // A pixel has at most eight bytes before the transformation.
    decoder.set_limits(png::Limits {
        bytes: width * height * 8 + PNG_MEMORY,
    });
    let mut reader = decoder.read_info().map_err(broken)?;
    let length = reader.output_buffer_size().ok_or("it is too large")?;
    let mut samples = vec![0; length];
    let info = reader.next_frame(&mut samples).map_err(broken)?;
    samples.truncate(info.buffer_size());
    pixels(width, height, info.color_type.samples(), &samples)
}

fn jpeg(bytes: &[u8], most: usize) -> Result<Pixels, String> {
    // The decoder's own words are about its functions.
    let broken = || format!("its JPEG is broken, or has more than {JPEG_SCANS} scans");
    let options = DecoderOptions::new_safe()
        .set_max_width(MAX_JPEG_SIDE)
        .set_max_height(MAX_JPEG_SIDE)
        .jpeg_set_max_scans(JPEG_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| broken())?;
    let (width, height) = decoder.dimensions().ok_or("its JPEG has no size")?;
    check(width, height, most)?;
    let samples = decoder.decode().map_err(|_| broken())?;
    let space = decoder.output_colorspace();
    let count = space.map_or(3, |space| space.num_components());
    pixels(width, height, count, &samples)
}

#[cfg(feature = "webp")]
fn webp(bytes: &[u8], most: usize) -> Result<Pixels, String> {
    let broken = |error: image_webp::DecodingError| format!("its WebP is broken: {error}");
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    check(width, height, most)?;
    let length = decoder.output_buffer_size().ok_or("it is too large")?;
    let mut samples = vec![0; length];
    decoder.read_image(&mut samples).map_err(broken)?;
    let count = if decoder.has_alpha() { 4 } else { 3 };
    pixels(width, height, count, &samples)
}

/// Without the feature `webp` these images are not read.
#[cfg(not(feature = "webp"))]
fn webp(_: &[u8], _: usize) -> Result<Pixels, String> {
    Err("it is WebP, which this build does not read".into())
}

/// Pixels of samples in bytes: grey, grey and opacity, red, green and blue, or these and opacity.
fn pixels(width: usize, height: usize, count: usize, samples: &[u8]) -> Result<Pixels, String> {
    if samples.len() != width * height * count {
        return Err("it has another number of pixels than it says".into());
    }
    let pixels: Vec<[u8; 4]> = match count {
        1 => samples
            .iter()
            .map(|grey| [*grey, *grey, *grey, 255])
            .collect(),
        2 => {
            let pairs = samples.as_chunks().0.iter();
            pairs
                .map(|[grey, alpha]| [*grey, *grey, *grey, *alpha])
                .collect()
        }
        3 => {
            let colors = samples.as_chunks().0.iter();
            colors
                .map(|[red, green, blue]| [*red, *green, *blue, 255])
                .collect()
        }
        4 => samples.as_chunks().0.to_vec(),
        _ => return Err(format!("{count} numbers a pixel are not supported")),
    };
    Ok(Pixels {
        width,
        height,
        pixels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_tell_one_large_image_from_many() {
        assert_eq!(check(100, 100, 10_000), Ok(()));
        let alone = check(100_000, 1, MAX_PIXELS).unwrap_err();
        assert_eq!(alone, "100000 × 1 pixels are too many");
        let together = check(100, 100, 9_999).unwrap_err();
        assert!(together.ends_with("together with those of the images before it"));
    }

    /// 5 × 3 pixels whose red and green grow with the column and the row, and whose opacity grows with the column.
    #[cfg(feature = "webp")]
    const WEBP: &str = "5249464642000000574542505650384c360000002f048000107740906d33ac03d51fe30cc333800ad2366071f70cad073900d65f0006012011a85852\
        4821b814561835a2ffe121c7be00";

    #[cfg(feature = "webp")]
    #[test]
    fn webp_is_decoded_with_its_opacity_and_its_size_is_checked() {
        let digits = WEBP.as_bytes().chunks_exact(2);
        let byte = |pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = digits.map(byte).collect();
        let image = decode(&bytes, 15).unwrap();
        assert_eq!((image.width, image.height), (5, 3));
        let [first, last] = [image.pixels[0], image.pixels[14]];
        assert!((0..2).all(|k| first[k] < last[k]) && first[3] < last[3]);
        assert!(decode(&bytes, 14).unwrap_err().contains("are too many"));
        assert!(
            decode(&bytes[..40], 15)
                .unwrap_err()
                .contains("its WebP is broken")
        );
    }
}
