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
pub(super) fn decoded(
    source: &Source<'_>,
    images: &[usize],
) -> BTreeMap<usize, Result<Levels, String>> {
    let mut room = MAX_DECODED;
    let sized = images.iter().zip(kept(source, images));
    let one = |(image, most): (&usize, usize)| {
        let bytes = source.image(*image);
        let bytes = bytes.ok_or("there is no such image, or it has no bytes".to_owned());
        let pixels = bytes.and_then(|bytes| decode(bytes, most, &mut room));
        (*image, pixels.map(Levels::new))
    };
    sized.map(one).collect()
}

/// Returns for each of some images the number of pixels that it may keep.
fn kept(source: &Source<'_>, images: &[usize]) -> Vec<usize> {
    let size = |image: &usize| {
        let size = imagesize::blob_size(source.image(*image)?).ok()?;
        // Larger images are refused.
        let [width, height] = [size.width, size.height];
        (width.saturating_mul(height) <= MAX_PIXELS).then_some([width, height])
    };
    let mut sizes: Vec<[usize; 2]> = images
        .iter()
        .map(|image| size(image).unwrap_or([1; 2]))
        .collect();
    let area = |[width, height]: [usize; 2]| width * height;
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
