//! A file's text as diagnostics see it: names, lines and columns.

use super::Span;

/// The text of one file and the name to call it by.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name printed in diagnostics, usually the path as the user gave it.
    pub name: &'a str,
    /// The whole text. Spans are byte offsets into it.
    pub text: &'a str,
}

/// Where a finding stands, in words that need no access to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Path inside the document, such as `bindings[0].weights[0].primitive_id`; empty for the whole file.
    pub path: String,
    /// Line and column, both counted from 1, columns in characters; `None` for the whole file.
    pub position: Option<(u32, u32)>,
    /// The line itself and the part of it to underline, as byte offsets into it.
    pub excerpt: Option<Excerpt>,
}

/// One line of source and the stretch of it that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, without its end.
    pub line: String,
    /// First byte to underline.
    pub start: usize,
    /// One past the last byte to underline; at least `start`.
    pub end: usize,
}

/// Longest stretch of a line quoted in a diagnostic, in bytes.
const EXCERPT_LEN: usize = 240;

impl Source<'_> {
    /// The place of a span.
    pub fn place(&self, span: Span, path: String) -> Place {
        let start = self.boundary(span.start as usize);
        let before = &self.text[..start];
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let rest = &self.text[line_start..];
        let line = rest.split(['\n', '\r']).next().unwrap_or("");
        // A line ends with LF, CR LF, or CR alone.
        let ends = |text: &str| text.matches('\n').count() + text.matches('\r').count();
        let line_number = ends(before) - before.matches("\r\n").count() + 1;
        let column = self.text[line_start..start].chars().count() + 1;
        let end = self.boundary(span.end as usize).max(start);
        Place {
            file: self.name.to_owned(),
            path,
            position: Some((count(line_number), count(column))),
            excerpt: Some(excerpt(line, start - line_start, end - line_start)),
        }
    }

    /// The place that stands for the file as a whole.
    pub fn whole(&self) -> Place {
        Place {
            file: self.name.to_owned(),
            path: String::new(),
            position: None,
            excerpt: None,
        }
    }

    /// The nearest character boundary at or before a byte offset.
    fn boundary(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }
}

/// Cuts a line that is too long to print down to the neighbourhood of the underlined part.
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
        let place = source.place(Span { start: 9, end: 12 }, "ß".into());
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
            let place = source.place(
                Span {
                    start,
                    end: start + 1,
                },
                String::new(),
            );
            assert_eq!(place.position, Some((line, 1)), "{needle}");
            assert_eq!(place.excerpt.unwrap().line, needle);
        }
    }

    #[test]
    fn a_span_past_the_end_and_inside_a_character_is_harmless() {
        let source = Source {
            name: "x",
            text: "ßß",
        };
        let place = source.place(Span { start: 1, end: 900 }, String::new());
        assert_eq!(place.position, Some((1, 1)));
        let place = source.place(
            Span {
                start: 900,
                end: 901,
            },
            String::new(),
        );
        assert_eq!(place.position, Some((1, 3)));
    }

    #[test]
    fn a_long_line_is_cut_around_the_underlined_part() {
        let text = "x".repeat(5000);
        let source = Source {
            name: "x",
            text: &text,
        };
        let span = Span {
            start: 3000,
            end: 4900,
        };
        let excerpt = source.place(span, String::new()).excerpt.unwrap();
        assert!(excerpt.line.len() <= EXCERPT_LEN);
        assert!(excerpt.start < excerpt.end && excerpt.end <= excerpt.line.len());
    }
}
