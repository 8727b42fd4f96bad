//! The text of a file for diagnostics: its name, lines and columns.

use super::{Span, shortened};
use serde::{Deserialize, Serialize};

/// The text and the name of one file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name printed in diagnostics, usually the path as the user gave it.
    pub name: &'a str,
    /// The whole text. Spans are byte offsets into it.
    pub text: &'a str,
}

/// The place of a finding, which can be shown without access to the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Path inside the document, such as `bindings[0].weights[0].primitive_id`, or in the JSON of a glTF file, such as
    /// `accessors[3].count`; empty for the whole file.
    pub path: String,
    /// Line and column, both counted from 1, columns in characters; `None` for the whole file, and in glTF files.
    pub position: Option<(u32, u32)>,
    /// The line itself and the part of it to underline, as byte offsets into it.
    pub excerpt: Option<Excerpt>,
}

impl Place {
    /// Returns the path, unless the place is a file as a whole.
    pub fn known_path(&self) -> Option<&str> {
        (self.position.is_some() || !self.path.is_empty()).then_some(&*self.path)
    }
}

/// One line of a file, and the part of it that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The line, without its end.
    pub line: String,
    /// First byte to underline.
    pub start: usize,
    /// One past the last byte to underline; at least `start`.
    pub end: usize,
}

/// Longest part of a line that is quoted in a diagnostic, in bytes.
const EXCERPT_LEN: usize = 512;

impl Source<'_> {
    /// Returns the place of the file as a whole.
    pub fn whole(&self) -> Place {
        Place {
            file: self.name.to_owned(),
            path: String::new(),
            position: None,
            excerpt: None,
        }
    }
}

/// A file with the offsets of some of its lines, by which places are found quickly.
#[derive(Debug)]
pub struct Lines<'a> {
    source: Source<'a>,
    /// Byte offset of every [`STRIDE`]th line. A line ends with LF, CR LF, or CR alone.
    starts: Vec<u32>,
    /// Returns how many bytes of a part of a line to underline.
    content_len: fn(&str) -> usize,
}

/// Number of lines from one known offset to the next.
const STRIDE: usize = 16;

/// Number of bytes whose line feeds are counted together. Only a block with a known offset is read byte by byte.
const BLOCK: usize = 64;

impl<'a> Lines<'a> {
    /// Finds the lines of a file. `content_len` returns the number of bytes of a text before a comment in the file's
    /// language; it is called with the first line of a span.
    pub fn new(source: Source<'a>, content_len: fn(&str) -> usize) -> Self {
        let bytes = source.text.as_bytes();
        let (mut starts, mut line_count) = (vec![0], 0usize);
        for (index, block) in bytes.chunks(BLOCK).enumerate() {
            let feeds = block
                .iter()
                .map(|byte| u8::from(*byte == b'\n'))
                .sum::<u8>();
            let feeds = usize::from(feeds);
            if line_count % STRIDE + feeds < STRIDE && !block.contains(&b'\r') {
                line_count += feeds;
                continue;
            }
            for (at, byte) in (index * BLOCK..).zip(block) {
                let lone_return = *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
                if *byte == b'\n' || lone_return {
                    line_count += 1;
                    if line_count.is_multiple_of(STRIDE) {
                        starts.push(count(at + 1));
                    }
                }
            }
        }
        Self {
            source,
            starts,
            content_len,
        }
    }

    /// Returns the file.
    pub fn source(&self) -> &Source<'a> {
        &self.source
    }

    /// Returns the place of a span, whose document path is `path`.
    pub fn place(&self, span: Span, path: String) -> Place {
        let text = self.source.text;
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.floor_char_boundary(span.end as usize).max(start);
        let known = self
            .starts
            .partition_point(|begin| *begin as usize <= start);
        let (mut before, mut line_start) = ((known - 1) * STRIDE, self.starts[known - 1] as usize);
        // More of a line is never shown.
        let text = &text[..text.ceil_char_boundary(start.saturating_add(2 * EXCERPT_LEN))];
        let line_end = loop {
            match line_end(text, line_start) {
                Some(next) if next <= start => (before, line_start) = (before + 1, next),
                next => break next.unwrap_or(text.len()),
            }
        };
        let line = text[line_start..line_end].trim_end_matches(['\n', '\r']);
        let column = text[line_start..start].chars().count() + 1;
        let shown = line.get(start - line_start..).unwrap_or_default();
        let shown = &shown[..shown.len().min(end - start)];
        let end = start + (self.content_len)(shown).min(shown.len());
        Place {
            file: self.source.name.to_owned(),
            path: shortened(path),
            position: Some((count(before + 1), count(column))),
            excerpt: Some(excerpt(line, start - line_start, end - line_start)),
        }
    }
}

/// Returns the offset of the line after the one that begins at `start`; `None` for the last line.
fn line_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text.as_bytes()[start..];
    let at = memchr::memchr2(b'\n', b'\r', rest)?;
    let is_pair = rest[at..].starts_with(b"\r\n");
    Some(start + at + 1 + usize::from(is_pair))
}

/// Returns an excerpt of a line; a long line is cut around the underlined part.
fn excerpt(line: &str, start: usize, end: usize) -> Excerpt {
    let (start, end) = (start.min(line.len()), end.min(line.len()));
    if line.len() <= EXCERPT_LEN {
        let line = line.to_owned();
        return Excerpt { line, start, end };
    }
    let from = line.floor_char_boundary(start.saturating_sub(EXCERPT_LEN / 3));
    let to = line.floor_char_boundary(from + EXCERPT_LEN);
    let end = end.min(to).max(start);
    Excerpt {
        line: line[from..to.max(end)].to_owned(),
        start: start - from,
        end: end - from,
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let source = Source {
            name: "a.rigy.yaml",
            text: "a: 1\nß: two\n",
        };
        let place = Lines::new(source, str::len).place(Span::new(9, 12), "ß".into());
        assert_eq!(place.position, Some((2, 4)));
        let excerpt = place.excerpt.unwrap();
        assert_eq!(&excerpt.line[excerpt.start..excerpt.end], "two");
    }

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\nb\r\nc\rd\r\n\r\ne";
        let source = Source { name: "x", text };
        for (needle, line) in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 6)] {
            let start = text.find(needle).unwrap() as u32;
            let place =
                Lines::new(source, str::len).place(Span::new(start, start + 1), String::new());
            assert_eq!(place.position, Some((line, 1)), "{needle}");
            assert_eq!(place.excerpt.unwrap().line, needle);
        }
    }

    #[test]
    fn lines_of_any_length_and_end_are_counted() {
        let ends = ["\n", "\r\n", "\r", "\n\r\n", "\n\r"];
        let ends = (0..1000).map(|index| ends[index % 7 % 5]);
        let lines = ends
            .enumerate()
            .map(|(index, end)| "x".repeat(index * 31 % 150) + end);
        let text: String = lines.collect();
        let source = Source {
            name: "x",
            text: &text,
        };
        let lines = Lines::new(source, str::len);
        let (mut line, mut column) = (1, 1);
        for (at, byte) in text.bytes().enumerate() {
            let at = at as u32;
            let place = lines.place(Span::new(at, at + 1), String::new());
            assert_eq!(place.position, Some((line, column)), "{at}");
            let is_lone_return =
                byte == b'\r' && text.as_bytes().get(at as usize + 1) != Some(&b'\n');
            column += 1;
            if byte == b'\n' || is_lone_return {
                (line, column) = (line + 1, 1);
            }
        }
    }

    #[test]
    fn a_span_past_the_end_and_inside_a_character_is_harmless() {
        let source = Source {
            name: "x",
            text: "ßß",
        };
        let place = Lines::new(source, str::len).place(Span::new(1, 900), String::new());
        assert_eq!(place.position, Some((1, 1)));
        let place = Lines::new(source, str::len).place(Span::new(900, 901), String::new());
        assert_eq!(place.position, Some((1, 3)));
    }

    #[test]
    fn a_long_line_is_cut_around_the_underlined_part() {
        let text = "x".repeat(50_000);
        let source = Source {
            name: "x",
            text: &text,
        };
        let span = Span::new(30_000, 49_000);
        let excerpt = Lines::new(source, str::len)
            .place(span, String::new())
            .excerpt
            .unwrap();
        assert!(excerpt.line.len() <= EXCERPT_LEN);
        assert!(excerpt.start < excerpt.end && excerpt.end <= excerpt.line.len());
    }
}
