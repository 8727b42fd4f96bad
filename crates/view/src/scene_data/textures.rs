//! Images of textures, as the file holds them, which the browser decodes.
//!
//! The type of an image is told by its first bytes alone, and is one of three that browsers decode as pictures without a
//! script. What the file says about the type, and addresses of images, do not reach the page.

use std::collections::HashMap;

use super::surfaces::Block;
use super::{Image, MAX_BLOCK};
use crate::description::media_type;
use rigy_models::bake::Source;

/// The types that browsers decode as pictures without a script.
const SHOWN: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];

/// Most bytes of all images.
const MOST_BYTES: usize = (MAX_BLOCK / 4) as usize;
/// Most pixels along a side of an image.
const MOST_SIDE: usize = 8192;
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
        if width.max(height) > MOST_SIDE {
            return None;
        }
        let pixels = width as u64 * height as u64;
        let is_small =
            self.pixels + pixels <= MOST_PIXELS && bytes.len() <= MOST_BYTES - self.bytes;
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
fn picture(bytes: &[u8]) -> Option<(&'static str, [usize; 2])> {
    let media_type = media_type(bytes).filter(|media_type| SHOWN.contains(media_type))?;
    let size = imagesize::blob_size(bytes).ok()?;
    Some((media_type, [size.width, size.height]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_that_every_browser_decodes_are_taken() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\0\0\0\0\x10";
        let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xff\xc0\x03\0";
        for (bytes, media_type) in [(&png[..], "image/png"), (lossless, "image/webp")] {
            assert_eq!(picture(bytes), Some((media_type, [256, 16])));
            for len in 0..bytes.len() - 3 {
                assert_eq!(picture(&bytes[..len]), None, "{media_type} {len}");
            }
        }
        let dds = b"DDS \x7c\0\0\0\0\0\0\0\x10\0\0\0\0\x01\0\0";
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
        for other in [&dds[..], svg, b"GIF89a\x10\0\0\x01", b""] {
            assert_eq!(picture(other), None);
        }
    }
}
