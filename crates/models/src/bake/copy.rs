//! Copying the regions of the output whose bytes come from the input or from an image.

use std::io;
use std::ops::Range;

use super::Baked;
use super::layout::{Content, Region};
use rigy_language::base::output::WriteAt;

/// Most bytes of a region that one task copies.
pub(super) const COPY_LEN: u64 = 1 << 20;

impl Baked<'_> {
    /// Copies up to [`COPY_LEN`] bytes of a region, from the byte `start` of the region on.
    pub(super) fn copy(&self, region: &Region, start: u64, out: &dyn WriteAt) -> io::Result<()> {
        let range = start as usize..region.len.min(start + COPY_LEN) as usize;
        let offset = self.file_offset(region) + start;
        let file = self.evaluator.file;
        let whole = match region.content {
            Content::View(view) => file.view(view).unwrap_or(&[]),
            Content::Image(image) => self.images.data[image].bytes.as_ref(),
            Content::Elements(accessor, stride) => {
                return out.write_at(&self.elements(accessor, stride, range), offset);
            }
            Content::Triangles(index) => {
                let triangles = &self.prepared.triangles[index];
                return out.write_at(&triangles.bytes(file, range), offset);
            }
            Content::Made(index) => {
                return out.write_at(&self.prepared.made[index].bytes(range), offset);
            }
            Content::Part(..) => &[],
        };
        out.write_at(whole.get(range).unwrap_or(&[]), offset)
    }

    /// Returns the bytes in `range` of a region that holds the elements of an accessor, `stride` bytes apart; bytes
    /// between elements are zero.
    fn elements(&self, accessor: usize, stride: usize, range: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; range.len()];
        let Some(accessor) = self.evaluator.file.accessor(accessor) else {
            return bytes;
        };
        for element in range.start / stride..range.end.div_ceil(stride) {
            let from = accessor.bytes(element).unwrap_or(&[]);
            for (at, byte) in (element * stride..).zip(from) {
                if range.contains(&at) {
                    bytes[at - range.start] = *byte;
                }
            }
        }
        bytes
    }
}
