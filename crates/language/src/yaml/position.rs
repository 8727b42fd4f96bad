//! Converts the parser's offsets, which count characters, into offsets in bytes.

use saphyr_parser::{Marker, Span as CharSpan};

use crate::base::diag::Span;

/// Converts offsets by steps from the last converted one.
pub(super) struct Positions<'s> {
    text: &'s str,
    ascii: bool,
    chars: usize,
    bytes: usize,
}

impl<'s> Positions<'s> {
    pub fn new(text: &'s str) -> Self {
        Self {
            text,
            ascii: text.is_ascii(),
            chars: 0,
            bytes: 0,
        }
    }

    /// Returns the byte span of a character span.
    pub fn span(&mut self, span: CharSpan) -> Span {
        let start = self.byte(span.start);
        let end = self.byte(span.end);
        Span::new(start, end)
    }

    /// Returns the byte offset of a marker. Consecutive markers are close together, so few characters are passed.
    pub fn byte(&mut self, marker: Marker) -> u32 {
        let index = marker.index();
        if self.ascii {
            return offset(index.min(self.text.len()));
        }
        if index >= self.chars {
            let mut ahead = self.text[self.bytes..].char_indices();
            let step = ahead.nth(index - self.chars);
            self.bytes = step.map_or(self.text.len(), |(at, _)| self.bytes + at);
        } else {
            let mut behind = self.text[..self.bytes].char_indices().rev();
            let step = behind.nth(self.chars - index - 1);
            self.bytes = step.map_or(0, |(at, _)| at);
        }
        self.chars = index;
        offset(self.bytes)
    }
}

/// Converts an offset; documents are far smaller than 4 GiB.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_right_going_forward_and_back() {
        let mut positions = Positions::new("aßb\u{1f600}c");
        let at = |n| Marker::new(n, 1, n);
        let forward: Vec<u32> = (0..6).map(|n| positions.byte(at(n))).collect();
        assert_eq!(forward, [0, 1, 3, 4, 8, 9]);
        let back: Vec<u32> = [3, 1, 4, 0].map(|n| positions.byte(at(n))).to_vec();
        assert_eq!(back, [4, 1, 8, 0]);
    }
}
