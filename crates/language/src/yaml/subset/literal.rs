//! Literal block scalars.

use super::super::event::{Event, Properties, Receiver};
use super::{NotInSubset, Reader, Result, is_break};

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a block scalar from its `|`, after which there may be a `-`. Its properties, if there are any, begin at
    /// `start`. Its first line has text, and its last line ends with a line feed. It goes up to the text of the next line
    /// that is indented less.
    pub(super) fn literal(&mut self, properties: Properties, start: usize) -> Result {
        let column = self.levels.last().ok_or(NotInSubset)?.column;
        self.at += 1;
        let is_stripped = self.peek(0) == b'-';
        self.at += usize::from(is_stripped);
        self.end_of_line()?;
        self.spaces();
        let (first, indent) = (self.at, self.column());
        if indent <= column || is_break(self.peek(0)) {
            return Err(NotInSubset);
        }
        let mut text = String::new();
        loop {
            text.push_str(self.rest_of_line()?);
            let empty_lines = self.indentation(indent)?;
            if self.column() < indent || self.is_at_end() {
                break;
            }
            (0..=empty_lines).for_each(|_| text.push('\n'));
        }
        if !is_stripped {
            text.push('\n');
        }
        let event = Event::Scalar {
            text: text.into(),
            is_plain: false,
            properties,
        };
        let start = match properties.is_any() {
            true => start,
            false => first,
        };
        self.send(event, start, self.at)
    }

    /// Reads the rest of a line, which has an end, and moves to the next line.
    fn rest_of_line(&mut self) -> Result<&'s str> {
        let start = self.at;
        self.skip_line();
        let line = self.text[start..self.at]
            .strip_suffix('\n')
            .ok_or(NotInSubset)?;
        Ok(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Skips empty lines and then at most `indent` blanks. Returns the number of empty lines.
    fn indentation(&mut self, indent: usize) -> Result<usize> {
        let mut empty_lines = 0;
        loop {
            while self.column() < indent && self.peek(0) == b' ' {
                self.at += 1;
            }
            match self.is_at_end() {
                true if self.column() > 0 => return Err(NotInSubset),
                false if is_break(self.peek(0)) => self.skip_line(),
                _ => return Ok(empty_lines),
            }
            empty_lines += 1;
        }
    }
}
