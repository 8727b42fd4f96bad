//! PNG, JPEG and WebP files to pixels, whose number is checked before memory is taken.

use std::io::Cursor;

use super::Image;
use crate::description::media_type;
use crate::image_sizes::{MAX_PIXELS, MAX_SIDE};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Largest width and height that a JPEG can have.
const MAX_JPEG_SIDE: usize = 65_535;

/// Most bytes that the PNG decoder takes beside the pixels.
const PNG_MEMORY: usize = 16 << 20;

/// Most scans of a progressive JPEG: each is a pass over all pixels.
const JPEG_SCANS: usize = 32;

impl Image {
    /// Half the size, rounded up, each pixel the mean of four. The image has pixels.
    pub(super) fn half(&self) -> Self {
        halved(self.width, self.height, |index| self.pixels[index])
    }
}

/// Half the size of an image of `width` × `height` pixels, which have numbers row by row.
fn halved(width: usize, height: usize, pixel: impl Fn(usize) -> [u8; 4]) -> Image {
    let columns = width.div_ceil(2);
    let rows = height.div_ceil(2);
    let mut pixels = Vec::with_capacity(columns * rows);
    for y in 0..rows {
        let [above, below] = [2 * y, 2 * y + 1].map(|y| y.min(height - 1) * width);
        for x in 0..columns {
            let left = 2 * x;
            let right = (2 * x + 1).min(width - 1);
            let four = [above + left, above + right, below + left, below + right].map(&pixel);
            pixels.push(std::array::from_fn(|k| {
                let sum: u16 = four.iter().map(|pixel| u16::from(pixel[k])).sum();
                ((sum + 2) / 4) as u8
            }));
        }
    }
    Image {
        width: columns,
        height: rows,
        pixels,
    }
}

/// Decodes an image of at most [`MAX_PIXELS`], and halves it until it has at most `most`. `room` is the number of pixels that may still
/// be decoded.
///
/// # Errors
/// In words, if it has another format, is too large or broken.
pub fn decode(bytes: &[u8], most: usize, room: &mut usize) -> Result<Image, String> {
    match media_type(bytes) {
        Some("image/png") => png(bytes, most, room),
        Some("image/jpeg") => jpeg(bytes, most, room),
        Some("image/webp") => webp(bytes, most, room),
        _ => Err("it is neither PNG, JPEG nor WebP".into()),
    }
}

/// Checks the size of an image before its pixels are decoded.
fn check(width: usize, height: usize, room: &mut usize) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err("it has no pixels".into());
    }
    if width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS {
        return Err(format!("{width} × {height} pixels are too many"));
    }
    *room = room.checked_sub(width * height).ok_or_else(|| {
        format!(
            "its {width} × {height} pixels are too many together with those of the images before it"
        )
    })?;
    Ok(())
}

fn png(bytes: &[u8], most: usize, room: &mut usize) -> Result<Image, String> {
    let broken = |error: png::DecodingError| format!("its PNG is broken: {error}");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    // Colours in palettes and few bits become bytes, and 16 bits their upper ones.
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let width = header.width as usize;
    let height = header.height as usize;
    check(width, height, room)?;
    // A pixel has at most eight bytes before the transformation.
    decoder.set_limits(png::Limits {
        bytes: width * height * 8 + PNG_MEMORY,
    });
    let mut reader = decoder.read_info().map_err(broken)?;
    let length = reader.output_buffer_size().ok_or("it is too large")?;
    let mut samples = vec![0; length];
    let info = reader.next_frame(&mut samples).map_err(broken)?;
    samples.truncate(info.buffer_size());
    pixels(width, height, info.color_type.samples(), &samples, most)
}

fn jpeg(bytes: &[u8], most: usize, room: &mut usize) -> Result<Image, String> {
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
    check(width, height, room)?;
    let samples = decoder.decode().map_err(|_| broken())?;
    let space = decoder.output_colorspace();
    let count = space.map_or(3, |space| space.num_components());
    pixels(width, height, count, &samples, most)
}

fn webp(bytes: &[u8], most: usize, room: &mut usize) -> Result<Image, String> {
    let broken = |error: image_webp::DecodingError| format!("its WebP is broken: {error}");
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let width = width as usize;
    let height = height as usize;
    check(width, height, room)?;
    let length = decoder.output_buffer_size().ok_or("it is too large")?;
    let mut samples = vec![0; length];
    decoder.read_image(&mut samples).map_err(broken)?;
    let count = if decoder.has_alpha() { 4 } else { 3 };
    pixels(width, height, count, &samples, most)
}

/// At most `most` pixels of samples in bytes: grey, grey and opacity, red, green and blue, or these and opacity.
fn pixels(
    width: usize,
    height: usize,
    count: usize,
    samples: &[u8],
    most: usize,
) -> Result<Image, String> {
    if samples.len() != width * height * count {
        return Err("it has another number of pixels than it says".into());
    }
    let pixel: fn(&[u8]) -> [u8; 4] = match count {
        1 => |samples| [samples[0], samples[0], samples[0], 255],
        2 => |samples| [samples[0], samples[0], samples[0], samples[1]],
        3 => |samples| [samples[0], samples[1], samples[2], 255],
        4 => |samples| [samples[0], samples[1], samples[2], samples[3]],
        _ => return Err(format!("{count} numbers a pixel are not supported")),
    };
    if width * height <= most {
        return Ok(Image {
            width,
            height,
            pixels: samples.chunks_exact(count).map(pixel).collect(),
        });
    }
    // Never all pixels of a large image beside its samples.
    let mut image = halved(width, height, |index| {
        pixel(&samples[index * count..][..count])
    });
    while image.pixels.len() > most.max(1) {
        image = image.half();
    }
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_images_are_halved_until_they_fit() {
        let samples: Vec<u8> = (0..48).collect();
        let of = |most: usize| pixels(4, 4, 3, &samples, most).unwrap();
        let sizes = [16, 15, 4, 3, 1, 0].map(|most| of(most).pixels.len());
        assert_eq!(sizes, [16, 4, 4, 1, 1, 1]);
        assert_eq!((of(15), of(3)), (of(16).half(), of(16).half().half()));
        assert_eq!(of(15).pixels[0], [8, 9, 10, 255]);
        let flat = pixels(5, 1, 1, &[0, 4, 8, 9, 3], 3).unwrap();
        assert_eq!(
            flat.pixels.iter().map(|pixel| pixel[0]).collect::<Vec<_>>(),
            [2, 9, 3]
        );
    }

    #[test]
    fn messages_tell_one_large_image_from_many() {
        let mut room = 10_000;
        assert_eq!(check(100, 99, &mut room), Ok(()));
        let alone = check(100_000, 1, &mut room).unwrap_err();
        assert_eq!((&*alone, room), ("100000 × 1 pixels are too many", 100));
        let together = check(101, 1, &mut room).unwrap_err();
        assert!(together.ends_with("together with those of the images before it"));
    }

    /// 5 × 3 pixels whose red and green grow with the column and the row, and whose opacity grows with the column.
    const WEBP: &str = "5249464642000000574542505650384c360000002f048000107740906d33ac03d51fe30cc333800ad2366071f70cad073900d65f0006012011a85852\
        4821b814561835a2ffe121c7be00";

    #[test]
    fn webp_is_decoded_with_its_opacity_and_halved() {
        let digits = WEBP.as_bytes().chunks_exact(2);
        let byte = |pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = digits.map(byte).collect();
        let image = decode(&bytes, 15, &mut 99).unwrap();
        assert_eq!((image.width, image.height), (5, 3));
        let [first, last] = [image.pixels[0], image.pixels[14]];
        assert!((0..2).all(|k| first[k] < last[k]) && first[3] < last[3]);
        let small = decode(&bytes, 14, &mut 99).unwrap();
        assert_eq!(small, image.half());
        assert!(
            decode(&bytes[..40], 15, &mut 99)
                .unwrap_err()
                .contains("its WebP is broken")
        );
    }
}
