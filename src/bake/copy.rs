//! Bytes of the output that are bytes of the input.

use std::io;
use std::ops::Range;

use super::Baked;
use super::layout::{Content, Region};
use crate::base::output::WriteAt;

/// Bytes that are copied at a time.
pub(super) const COPY: u64 = 1 << 20;

impl Baked<'_> {
    /// Copies some of a region's bytes.
    pub(super) fn copy(&self, region: &Region, at: u64, out: &dyn WriteAt) -> io::Result<()> {
        let range = at as usize..region.len.min(at + COPY) as usize;
        let gathered;
        let bytes = match region.content {
            Content::View(view) => self.evaluator.file.view(view).unwrap_or(&[]),
            Content::Image(image) => self.images.data[image].bytes.as_ref(),
            Content::Elements(accessor, stride) => {
                gathered = self.elements(accessor, stride, range.clone());
                return out.write_at(&gathered, self.place(region) + at);
            }
            Content::Part(..) => &[],
        };
        out.write_at(bytes.get(range).unwrap_or(&[]), self.place(region) + at)
    }

    /// Some bytes of the elements of an accessor, `stride` apart.
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
