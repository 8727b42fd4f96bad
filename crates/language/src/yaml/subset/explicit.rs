//! Keys after a `?`, which may be longer than others.

use super::super::event::{Event, Receiver};
use super::{NotInSubset, Reader, Result, is_blank};

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a key from the `?` before it, and its value. The key is a scalar in the line of the `?`, and the next line with
    /// content begins with the colon, in the same column.
    pub(super) fn explicit_key(&mut self, column: usize) -> Result {
        self.at += 1;
        self.spaces();
        let start = self.at;
        let properties = self.properties()?;
        if self.peek(0) == b'|' {
            self.literal(properties, start)?;
        } else {
            let key = self.scalar(false)?;
            let event = Event::Scalar {
                text: key.text,
                is_plain: key.is_plain,
                properties,
            };
            self.send(event, start, key.end)?;
            self.end_of_line()?;
        }
        let is_colon = self.next_content() && self.peek(0) == b':' && is_blank(self.peek(1));
        match is_colon && self.column() == column {
            true => self.item(),
            false => Err(NotInSubset),
        }
    }
}
