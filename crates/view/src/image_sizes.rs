//! The images of textures by their bytes, each of which is decoded once, and their sizes, which pictures and pages make smaller until all fit
//! together.

use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use rigy_models::bake::Source;

/// Largest width and height of an image, in pixels.
pub(crate) const MAX_SIDE: usize = 16_384;

/// Most pixels of an image before it is reduced.
pub(crate) const MAX_PIXELS: usize = 1 << 26;

/// Most pixels that are decoded for a file. Images beyond are left out.
pub(crate) const MAX_DECODED: usize = 1 << 29;

/// Most pixels of the images of a file together, which are halved until they fit.
const MAX_KEPT: usize = 1 << 25;

/// Tells which images of a file are the same bytes of it.
#[derive(Default)]
pub(crate) struct SameImages(HashMap<Range<*const u8>, usize>);

impl SameImages {
    /// Returns the first image that was asked for with the bytes of this one: only that one is decoded.
    pub fn first(&mut self, source: &Source, image: usize) -> usize {
        source.image(image).map_or(image, |bytes| {
            *self.0.entry(bytes.as_ptr_range()).or_insert(image)
        })
    }
}

/// Width times height.
pub(crate) fn area([width, height]: [usize; 2]) -> usize {
    width * height
}

/// Returns the width and height in pixels that images say they have; `None` for those that are refused.
pub(crate) fn sizes(source: &Source, images: &[usize]) -> Vec<Option<[usize; 2]>> {
    let size = |image: &usize| {
        let size = imagesize::blob_size(source.image(*image)?).ok()?;
        let area = size.width.saturating_mul(size.height);
        let is_small = size.width.max(size.height) <= MAX_SIDE && (1..=MAX_PIXELS).contains(&area);
        is_small.then_some([size.width, size.height])
    };
    images.iter().map(size).collect()
}

/// Returns for each image of these sizes the number of pixels that it may keep. One that is refused counts as one pixel.
pub(crate) fn kept(sizes: &[Option<[usize; 2]>]) -> Vec<usize> {
    let mut sizes: Vec<[usize; 2]> = sizes.iter().map(|size| size.unwrap_or([1; 2])).collect();
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
        let kept = |sizes: Vec<[usize; 2]>| kept(&sizes.into_iter().map(Some).collect::<Vec<_>>());
        let side = 4096;
        assert_eq!(kept(vec![[side; 2], [side, side / 2]]), [1 << 24, 1 << 23]);
        let three = kept(vec![[side; 2], [3, 5], [side, side], [side; 2]]);
        assert_eq!(three, [1 << 24, 15, 1 << 22, 1 << 22]);
        assert_eq!(kept(vec![[1 << 26, 1]]), [1 << 25]);
        assert_eq!(kept(vec![[0, 9], [1, 1]]), [0, 1]);
        assert_eq!(super::kept(&[None, Some([3, 5])]), [1, 15]);
    }
}
