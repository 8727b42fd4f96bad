//! The images of a file, decoded one after the other to sizes that fit into memory together.

use std::collections::{BTreeMap, BinaryHeap};

use super::decode::{MAX_PIXELS, decode};
use super::texture::Levels;
use rigy_models::bake::Source;

/// Most pixels of the images of a file together, which are halved until they fit.
const MAX_KEPT: usize = 1 << 25;

/// Most pixels that are decoded for a file. Images beyond are left out.
const MAX_DECODED: usize = 1 << 29;

/// Decodes some images, in their order. They are returned by their index, or the error, in words, if one cannot be shown.
pub fn decoded(source: &Source, images: &[usize]) -> BTreeMap<usize, Result<Levels, String>> {
    let mut room = MAX_DECODED;
    let sized = images.iter().zip(kept(sizes(source, images)));
    let one = |(image, most): (&usize, usize)| {
        let bytes = source.image(*image);
        let bytes = bytes.ok_or("there is no such image, or it has no bytes".to_owned());
        let pixels = bytes.and_then(|bytes| decode(bytes, most, &mut room));
        (*image, pixels.map(Levels::new))
    };
    sized.map(one).collect()
}

/// Returns about how many bytes the decoding of some images takes.
pub fn memory(source: &Source, images: &[usize]) -> u64 {
    let sizes = sizes(source, images);
    let largest = sizes.iter().map(|size| area(*size)).max().unwrap_or(0);
    let kept: usize = kept(sizes).into_iter().sum();
    // Smaller levels have a third of the pixels together. A decoder takes nine bytes for a pixel, with those that it returns.
    (kept * 4 * 4 / 3 + largest * 9) as u64
}

fn area([width, height]: [usize; 2]) -> usize {
    width * height
}

/// The sizes that images say they have; one pixel for those that are refused.
fn sizes(source: &Source, images: &[usize]) -> Vec<[usize; 2]> {
    let size = |image: &usize| {
        let size = imagesize::blob_size(source.image(*image)?).ok()?;
        let is_small = size.width.saturating_mul(size.height) <= MAX_PIXELS;
        is_small.then_some([size.width, size.height])
    };
    let sizes = images.iter().map(size);
    sizes.map(|size| size.unwrap_or([1; 2])).collect()
}

/// Returns for each image of these sizes the number of pixels that it may keep.
fn kept(mut sizes: Vec<[usize; 2]>) -> Vec<usize> {
    let mut sum: usize = sizes.iter().map(|size| area(*size)).sum();
    let by_area = |(index, size): (usize, &[usize; 2])| (area(*size), index);
    let mut largest: BinaryHeap<_> = sizes.iter().enumerate().map(by_area).collect();
    while sum > MAX_KEPT
        && let Some((before, index)) = largest.pop()
        && before > 1
    {
        sizes[index] = sizes[index].map(|side| side.div_ceil(2));
        let after = area(sizes[index]);
        sum -= before - after;
        largest.push((after, index));
    }
    sizes.into_iter().map(area).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_images_are_halved_until_all_fit() {
        let side = 4096;
        assert_eq!(kept(vec![[side; 2], [side, side / 2]]), [1 << 24, 1 << 23]);
        let three = kept(vec![[side; 2], [3, 5], [side, side], [side; 2]]);
        assert_eq!(three, [1 << 24, 15, 1 << 22, 1 << 22]);
        assert_eq!(kept(vec![[1 << 26, 1]]), [1 << 25]);
        assert_eq!(kept(vec![[0, 9], [1, 1]]), [0, 1]);
    }
}
