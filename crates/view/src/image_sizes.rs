//! The images of textures by their bytes, each of which is decoded once, and their sizes, which pictures and pages make smaller until all fit
//! together.

use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use rigy_models::bake::Source;

/// Largest width and height of an image, in pixels.
pub const MAX_SIDE: usize = 16_384;

/// Most pixels of an image before it is reduced.
pub const MAX_PIXELS: usize = 1 << 26;

/// Most pixels that are decoded for a file. Images beyond are left out.
pub const MAX_DECODED: usize = 1 << 29;

/// Most pixels of the images of a file together, which are halved until they fit.
const MAX_KEPT: usize = 1 << 25;

/// Tells which images of a file are the same bytes of it.
#[derive(Default)]
pub struct SameImages(HashMap<Range<*const u8>, usize>);

impl SameImages {
    /// Returns the first image that was asked for with the bytes of this one: only that one is decoded.
    pub fn first(&mut self, source: &Source, image: usize) -> usize {
        source.image(image).map_or(image, |bytes| {
            *self.0.entry(bytes.as_ptr_range()).or_insert(image)
        })
    }
}

/// Width times height.
pub fn area([width, height]: [usize; 2]) -> usize {
    width * height
}

/// Returns the encoded bytes of images, or in words why there are none. Images may overlap, and each is read as a whole, so that all together
/// have at most twice the bytes of the file in which they lie.
pub fn encoded<'s>(source: &'s Source, images: &[usize]) -> Vec<Result<&'s [u8], String>> {
    let all = || images.iter().map(|image| source.image(*image));
    let mut room = 2 * covered(all().flatten());
    all()
        .map(|bytes| {
            let bytes = bytes.ok_or("there is no such image, or it has no bytes")?;
            let left = room.checked_sub(bytes.len());
            room = left.ok_or("its bytes are those of too many images before it")?;
            Ok(bytes)
        })
        .collect()
}

/// The number of bytes that lie in at least one of some images.
fn covered<'b>(images: impl Iterator<Item = &'b [u8]>) -> usize {
    let mut ranges: Vec<_> = images.map(<[u8]>::as_ptr_range).collect();
    ranges.sort_by_key(|range| range.start);
    let (mut end, mut sum) = (0, 0);
    for range in ranges {
        let start = range.start.addr().max(end);
        end = range.end.addr().max(end);
        sum += end - start;
    }
    sum
}

/// Returns the width and height in pixels that images say they have; `None` for those that are refused.
pub fn sizes(images: &[Result<&[u8], String>]) -> Vec<Option<[usize; 2]>> {
    let images = images.iter().map(|bytes| {
        let size = imagesize::blob_size(bytes.as_ref().ok()?).ok()?;
        let area = size.width.saturating_mul(size.height);
        let is_small = size.width.max(size.height) <= MAX_SIDE && (1..=MAX_PIXELS).contains(&area);
        is_small.then_some([size.width, size.height])
    });
    images.collect()
}

/// Returns for each image of these sizes the number of pixels that it may keep. One that is refused counts as one pixel.
pub fn kept(sizes: &[Option<[usize; 2]>]) -> Vec<usize> {
    let mut sizes: Vec<[usize; 2]> = sizes.iter().map(|size| size.unwrap_or([1; 2])).collect();
    let mut sum: usize = sizes.iter().map(|size| area(*size)).sum();
    let mut largest: BinaryHeap<_> = sizes
        .iter()
        .enumerate()
        .map(|(index, size)| (area(*size), index))
        .collect();
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
    fn bytes_of_images_that_overlap_count_once() {
        let bytes = [0; 100];
        let ranges = [40..60, 10..20, 41..50, 55..70, 20..20, 15..25];
        assert_eq!(covered(ranges.into_iter().map(|range| &bytes[range])), 45);
    }

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
