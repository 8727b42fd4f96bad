//! The images of a file, decoded one after the other to sizes that fit into memory together.

use std::collections::BTreeMap;

use super::decode::decode;
use super::texture::Levels;
use crate::image_sizes::{MAX_DECODED, area, encoded, kept, sizes};
use rigy_models::bake::Source;

/// Decodes some images, in their order. They are returned by their index, or the error, in words, if one cannot be shown.
pub fn decoded(source: &Source, images: &[usize]) -> BTreeMap<usize, Result<Levels, String>> {
    let mut room = MAX_DECODED;
    let encoded = encoded(source, images);
    let kept = kept(&sizes(&encoded));
    images
        .iter()
        .zip(encoded.into_iter().zip(kept))
        .map(|(image, (bytes, most))| {
            let pixels = bytes.and_then(|bytes| decode(bytes, most, &mut room));
            (*image, pixels.map(Levels::new))
        })
        .collect()
}

/// Returns about how many bytes the decoding of some images takes.
pub fn memory(source: &Source, images: &[usize]) -> u64 {
    let sizes = sizes(&encoded(source, images));
    let largest = sizes.iter().flatten().map(|size| area(*size)).max();
    let kept: usize = kept(&sizes).into_iter().sum();
    // Smaller levels have a third of the pixels together. A decoder takes nine bytes for a pixel, with those that it returns.
    (kept * 4 * 4 / 3 + largest.unwrap_or(0) * 9) as u64
}

/// Returns an image as a PNG file of at most `most` pixels and `len` bytes; `None` if it cannot be decoded, or not with the pixels that
/// `room` leaves, or if one pixel is too long.
pub fn smaller(bytes: &[u8], most: usize, len: usize, room: &mut usize) -> Option<Vec<u8>> {
    let mut image = decode(bytes, most, room).ok()?;
    loop {
        let file = super::packed(&image, png::Compression::Balanced);
        if file.len() <= len {
            return Some(file);
        }
        if image.pixels.len() == 1 {
            return None;
        }
        image = image.half();
    }
}
