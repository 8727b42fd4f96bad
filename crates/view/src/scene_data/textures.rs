//! Images of textures, as the file holds them, which the browser decodes.
//!
//! The type of an image is told by its first bytes alone, and is one of three that browsers decode as pictures without a
//! script. What the file says about the type, and addresses of images, do not reach the page.

use std::collections::HashMap;

use super::surfaces::Block;
use super::{Image, MAX_BLOCK};
use rigy_models::bake::Source;

/// Most bytes of all images.
const MOST_BYTES: usize = (MAX_BLOCK / 4) as usize;
/// Most pixels along a side of an image.
const MOST_SIDE: u32 = 8192;
/// Most pixels of all images. A browser takes about five bytes for each.
const MOST_PIXELS: u64 = 1 << 26;

/// The images of a scene.
#[derive(Default)]
pub(super) struct Images {
    /// Those that the scene has.
    pub list: Vec<Image>,
    /// For each image of the file that a texture uses, its index in `list`; `None` if it is left out.
    places: HashMap<usize, Option<usize>>,
    bytes: usize,
    pixels: u64,
}

impl Images {
    /// Returns the number of images that are left out, because they are of another type or too large.
    pub fn left_out(&self) -> usize {
        self.places.values().filter(|place| place.is_none()).count()
    }

    /// Returns the index of an image of the file in `list`, after appending it if it is new; `None` if it is left out.
    pub fn place(&mut self, block: &mut Block, source: &Source<'_>, image: usize) -> Option<usize> {
        if let Some(place) = self.places.get(&image) {
            return *place;
        }
        let bytes = source.image(image);
        let place = bytes.and_then(|bytes| self.added(block, bytes));
        self.places.insert(image, place);
        place
    }

    fn added(&mut self, block: &mut Block, bytes: &[u8]) -> Option<usize> {
        let (media_type, [width, height]) = picture(bytes)?;
        let pixels = u64::from(width) * u64::from(height);
        let is_small = width.max(height) <= MOST_SIDE
            && self.pixels + pixels <= MOST_PIXELS
            && bytes.len() <= MOST_BYTES - self.bytes;
        if !is_small || pixels == 0 {
            return None;
        }
        self.pixels += pixels;
        self.bytes += bytes.len();
        self.list.push(Image {
            media_type,
            offset: block.push_bytes(bytes),
            length: bytes.len(),
        });
        Some(self.list.len() - 1)
    }
}

/// The media type of an image and its width and height in pixels; `None` if it is no PNG, JPEG or WebP.
fn picture(bytes: &[u8]) -> Option<(&'static str, [u32; 2])> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.get(12..16)? == b"IHDR" {
        let side = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        return Some(("image/png", [side(16)?, side(20)?]));
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some(("image/jpeg", jpeg_size(bytes)?));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12)? == b"WEBP" {
        return Some(("image/webp", webp_size(bytes)?));
    }
    None
}

/// Width and height of a JPEG: they are in its frame header, after segments of which each says how long it is.
fn jpeg_size(bytes: &[u8]) -> Option<[u32; 2]> {
    let word = |at: usize| Some(u32::from(*bytes.get(at)?) << 8 | u32::from(*bytes.get(at + 1)?));
    let mut at = 2;
    loop {
        match bytes.get(at..at + 2)? {
            [0xff, 0xff] => at += 1, // A marker may have any number of these before it.
            // Frame headers: all of 0xC0 to 0xCF but tables (C4, CC) and the one that is reserved (C8).
            [0xff, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf] => {
                return Some([word(at + 7)?, word(at + 5)?]);
            }
            [0xff, _] => at += 2 + word(at + 2)? as usize,
            _ => return None,
        }
    }
}

/// Width and height of a WebP, from the header of its first chunk.
fn webp_size(bytes: &[u8]) -> Option<[u32; 2]> {
    let number = |at: usize, len: usize| -> Option<u32> {
        let little = bytes.get(at..at + len)?.iter().rev();
        Some(little.fold(0, |number, byte| number << 8 | u32::from(*byte)))
    };
    match bytes.get(12..16)? {
        b"VP8 " => Some([number(26, 2)? & 0x3fff, number(28, 2)? & 0x3fff]),
        b"VP8L" => {
            let bits = number(21, 4)?;
            Some([1 + (bits & 0x3fff), 1 + (bits >> 14 & 0x3fff)])
        }
        b"VP8X" => Some([1 + number(24, 3)?, 1 + number(27, 3)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_headers_and_cut_files_have_none() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\0\0\0\0\x10";
        // A comment of five bytes before the frame header.
        let jpeg = b"\xff\xd8\xff\xfe\0\x05abc\xff\xff\xc2\0\x0b\x08\0\x10\x01\0";
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\0\x01\x10\0";
        let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xff\xc0\x03\0";
        let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\xff\0\0\x0f\0\0";
        let kinds: [(&[u8], &str); 5] = [
            (png, "image/png"),
            (jpeg, "image/jpeg"),
            (lossy, "image/webp"),
            (lossless, "image/webp"),
            (extended, "image/webp"),
        ];
        for (bytes, media_type) in kinds {
            assert_eq!(picture(bytes), Some((media_type, [256, 16])));
            for len in 0..bytes.len() {
                assert_eq!(picture(&bytes[..len]), None, "{media_type} {len}");
            }
        }
        for other in [
            &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
            b"GIF89a",
            b"",
        ] {
            assert_eq!(picture(other), None);
        }
    }
}
