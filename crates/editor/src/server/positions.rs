//! Positions of the protocol, which are lines and characters of a line, and offsets of bytes.

use std::ops::Range;

use ls_types::Position;

/// The unit in which characters of a line are counted.
#[derive(Clone, Copy, Debug, Default)]
pub enum Encoding {
    /// Code units of UTF-16, as every client knows them.
    #[default]
    Utf16,
    /// Bytes of UTF-8, where the client offers it.
    Utf8,
}

impl Encoding {
    /// Returns the number of units of a text.
    pub fn units(self, text: &str) -> u32 {
        number(match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        })
    }
}

/// The offsets at which the lines of a text begin. A line ends with LF, CR LF, or CR alone.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend((1..=text.len()).filter(|at| begins_line(text.as_bytes(), *at)));
        Self { starts }
    }

    /// Follows an edit: `text` has `len` new bytes where the bytes of `replaced` were.
    pub fn replace(&mut self, text: &str, replaced: Range<usize>, len: usize) {
        let new_end = replaced.start + len;
        let moved = |start: usize| start - replaced.end + new_end;
        let kept = self.starts.partition_point(|at| *at < replaced.start);
        let behind = self.starts.partition_point(|at| *at <= replaced.end);
        let bytes = text.as_bytes();
        let within = replaced.start..=new_end;
        let within = within.filter(|at| *at == 0 || begins_line(bytes, *at));
        let behind = self.starts[behind..].iter().map(|at| moved(*at));
        let tail: Vec<usize> = within.chain(behind).collect();
        self.starts.truncate(kept);
        self.starts.extend(tail);
    }

    /// Returns the bytes of a line, which is counted from 0, without its end; the end of the text for lines behind the last.
    pub fn line(&self, text: &str, line: usize) -> Range<usize> {
        let Some(start) = self.starts.get(line).copied() else {
            return text.len()..text.len();
        };
        let next = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[start..next].trim_end_matches(['\n', '\r']);
        start..start + content.len()
    }

    /// Returns the offset of a position. A position behind the end of its line is the end of the line, one behind the last
    /// line the end of the text, and one inside a character the beginning of the character.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = self.line(text, position.line as usize);
        let content = &text[line.clone()];
        let character = position.character as usize;
        let within = match encoding {
            Encoding::Utf8 => content.floor_char_boundary(character),
            Encoding::Utf16 => utf16_offset(content, character),
        };
        line.start + within
    }

    /// Returns the position of an offset; one inside a character counts as the beginning of the character.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.line_of(offset);
        let before = &text[self.starts[line as usize]..offset];
        Position::new(line, encoding.units(before))
    }

    /// Returns the line of an offset, counted from 0.
    fn line_of(&self, offset: usize) -> u32 {
        number(self.starts.partition_point(|at| *at <= offset) - 1)
    }
}

/// Positions of many offsets, each found from the one before, so that a long line is not read for each of them.
pub struct Cursor<'a> {
    text: &'a str,
    lines: &'a Lines,
    encoding: Encoding,
    offset: usize,
    position: Position,
}

impl<'a> Cursor<'a> {
    /// Begins at the beginning of a text.
    pub fn new(text: &'a str, lines: &'a Lines, encoding: Encoding) -> Self {
        Self {
            text,
            lines,
            encoding,
            offset: 0,
            position: Position::default(),
        }
    }

    /// Returns the position of an offset, as [`Lines::position`] does.
    pub fn position(&mut self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.lines.line_of(offset);
        let Position {
            line: last,
            character,
        } = self.position;
        let between = |from, to| self.encoding.units(&self.text[from..to]);
        self.position = match offset.checked_sub(self.offset) {
            _ if line != last => self.lines.position(self.text, offset, self.encoding),
            Some(_) => {
                let more = between(self.offset, offset);
                Position::new(line, character.saturating_add(more))
            }
            None => {
                let less = between(offset, self.offset);
                Position::new(line, character.saturating_sub(less))
            }
        };
        self.offset = offset;
        self.position
    }
}

/// Returns true if a line begins at an offset other than 0, which may be the end of the text.
fn begins_line(text: &[u8], at: usize) -> bool {
    match text[at - 1] {
        b'\n' => true,
        b'\r' => text.get(at) != Some(&b'\n'),
        _ => false,
    }
}

/// Returns the number of bytes of the characters before a number of code units.
fn utf16_offset(line: &str, units: usize) -> usize {
    let mut counted = 0;
    for (at, char) in line.char_indices() {
        counted += char.len_utf16();
        if counted > units {
            return at;
        }
    }
    line.len()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_kernel::random::Random;

    #[test]
    fn characters_are_counted_in_both_units() {
        let text = "aß\u{1f980}b\r\nx";
        let lines = Lines::new(text);
        for (encoding, line, character, offset) in [
            (Encoding::Utf16, 0, 0, 0),
            (Encoding::Utf16, 0, 2, 3),
            (Encoding::Utf16, 0, 3, 3), // inside the surrogate pair
            (Encoding::Utf16, 0, 4, 7),
            (Encoding::Utf16, 0, 99, 8),
            (Encoding::Utf8, 0, 2, 1), // inside the second character
            (Encoding::Utf8, 0, 7, 7),
            (Encoding::Utf8, 0, u32::MAX, 8),
            (Encoding::Utf16, 1, 0, 10),
            (Encoding::Utf16, 2, 0, 11),
            (Encoding::Utf16, u32::MAX, 5, 11),
        ] {
            let position = Position::new(line, character);
            let found = lines.offset(text, position, encoding);
            assert_eq!(found, offset, "{encoding:?} {line}:{character}");
        }
        for encoding in [Encoding::Utf16, Encoding::Utf8] {
            for (at, _) in text.char_indices().filter(|(at, _)| *at != 9) {
                let position = lines.position(text, at, encoding);
                assert_eq!(lines.offset(text, position, encoding), at, "{position:?}");
            }
        }
    }

    #[test]
    fn lines_follow_edits() {
        let mut random = Random::new(7);
        let pieces = ["", "a", "\n", "\r", "\r\n", "\n\r", "xy\nß"];
        for _ in 0..200 {
            let mut text = String::from("a\r\nb\n\rc");
            let mut lines = Lines::new(&text);
            for _ in 0..20 {
                let mut ends =
                    [0, 0].map(|_: usize| text.floor_char_boundary(random.below(text.len() + 1)));
                ends.sort_unstable();
                let piece = *random.pick(&pieces);
                text.replace_range(ends[0]..ends[1], piece);
                lines.replace(&text, ends[0]..ends[1], piece.len());
                assert_eq!(lines.starts, Lines::new(&text).starts, "{text:?}");
            }
        }
    }

    #[test]
    fn positions_of_a_cursor_are_those_of_single_offsets() {
        let text = "a\u{1f980}\u{df} b\r\n\rc\n\u{1f980}";
        let lines = Lines::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for step in 1..5 {
                let mut cursor = Cursor::new(text, &lines, encoding);
                // Some offsets lie behind the text, or inside a character; and some are before the last one.
                for offset in (0..text.len() + 4).step_by(step).chain((0..9).rev()) {
                    let expected = lines.position(text, offset, encoding);
                    assert_eq!(cursor.position(offset), expected, "{offset} {step}");
                }
            }
        }
    }
}
