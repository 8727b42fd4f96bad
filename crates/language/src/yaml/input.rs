//! The input of the parser: a text that it reads character by character, which for ASCII means byte by byte.
//!
//! The parser has an input of its own, but that decodes a character each time it is read, and makes the parser reserve 128
//! bytes for each plain scalar.

use std::cell::Cell;
use std::rc::Rc;

use rigy_base::diag::Span;
use saphyr_parser::{Input, Marker, Span as CharSpan};

/// Most characters that the parser may take between two events. It keeps the tokens of a list that could be a key, which take
/// up to 150 bytes for each of them.
pub(super) const MOST_AT_ONCE: usize = 1 << 20;

/// The rest of a text.
pub(super) struct Text<'s> {
    rest: &'s str,
    /// The number of characters that the parser has taken since its reader has set it to 0. Beyond [`MOST_AT_ONCE`] the text ends.
    pub taken: Rc<Cell<usize>>,
    /// Number of characters that the parser has asked for; past the end they are NUL.
    ahead: usize,
}

/// Bytes that the parser reserves for a plain scalar, and characters that it looks ahead at a time.
const AT_A_TIME: usize = 16;

impl<'s> Text<'s> {
    pub fn new(text: &'s str) -> Self {
        Self {
            rest: text,
            taken: Rc::default(),
            ahead: 0,
        }
    }
}

impl Input for Text<'_> {
    #[inline(always)]
    fn lookahead(&mut self, count: usize) {
        self.ahead = self.ahead.max(count);
    }

    #[inline(always)]
    fn buflen(&self) -> usize {
        self.ahead
    }

    #[inline(always)]
    fn bufmaxlen(&self) -> usize {
        AT_A_TIME
    }

    fn raw_read_ch(&mut self) -> char {
        let c = self.peek();
        self.skip();
        c
    }

    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        let text = |c: &char| !matches!(c, '\n' | '\r' | '\0' | '\u{feff}');
        let c = self.peek_opt().filter(text)?;
        self.skip();
        Some(c)
    }

    #[inline(always)]
    fn skip(&mut self) {
        if let Some(c) = self.peek_opt() {
            let taken = self.taken.get() + 1;
            self.taken.set(taken);
            let is_within = taken <= MOST_AT_ONCE;
            self.rest = if is_within {
                &self.rest[c.len_utf8()..]
            } else {
                ""
            };
        }
    }

    #[inline]
    fn skip_n(&mut self, count: usize) {
        (0..count).for_each(|_| self.skip());
    }

    #[inline(always)]
    fn peek(&self) -> char {
        self.peek_opt().unwrap_or('\0')
    }

    #[inline(always)]
    fn peek_opt(&self) -> Option<char> {
        match self.rest.as_bytes().first() {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest.chars().next(),
        }
    }

    #[inline(always)]
    fn peek_nth(&self, n: usize) -> char {
        match self.rest.as_bytes().get(..=n) {
            Some(bytes) if bytes.is_ascii() => char::from(bytes[n]),
            _ => self.rest.chars().nth(n).unwrap_or('\0'),
        }
    }

    #[inline(always)]
    fn next_is_blank_or_breakz(&self) -> bool {
        let next = self.rest.as_bytes().first();
        matches!(next, None | Some(b' ' | b'\t' | b'\n' | b'\r' | 0))
    }
}

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
    use saphyr_parser::Parser;

    /// Events and places up to the end or the first error.
    fn events<I: Input>(mut parser: Parser<'_, I>) -> Vec<String> {
        let mut events = Vec::new();
        while let Some(event) = parser.next_event() {
            events.push(format!("{event:?}"));
            if event.is_err() || events.last().is_some_and(|e| e.contains("StreamEnd")) {
                break;
            }
        }
        events
    }

    #[test]
    fn the_parser_sees_what_its_own_input_shows_it() {
        let document = "# ß\r\nü: &a [1, 'x\n  y', \"\\u00e9\t\"]\r\nb: *a\nc: |2-\n    é\n\n   long long long text\n\
                        d: >\n                    q\n  ? e : !!str {f: g#h, 😀: ~} # end\n...\n";
        let cut = document.char_indices().map(|(at, _)| &document[..at]);
        let inserted = document.char_indices().flat_map(|(at, _)| {
            let (before, after) = document.split_at(at);
            ["\t", "#", ": ", "\n", "ä", "]", "'", "- "].map(|s| format!("{before}{s}{after}"))
        });
        for text in cut.map(str::to_owned).chain(inserted) {
            let own = events(Parser::new_from_str(&text));
            assert_eq!(events(Parser::new(Text::new(&text))), own, "{text:?}");
        }
    }

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
