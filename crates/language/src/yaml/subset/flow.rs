//! Flow collections, which may go on over several lines.

use super::super::event::{Event, Properties, Receiver, Style};
use super::{DEEPEST, LONGEST_KEY, NotInSubset, Reader, Result, is_blank, is_break};

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a flow collection, whose bracket is at the cursor, and whose properties begin at `start`. `levels` collections
    /// enclose it in the flow.
    pub(super) fn flow(&mut self, properties: Properties, start: usize, levels: usize) -> Result {
        if levels == DEEPEST {
            return Err(NotInSubset);
        }
        let is_map = self.peek(0) == b'{';
        let closing = if is_map { b'}' } else { b']' };
        let open = Event::Open { is_map, properties };
        self.send(open, start, self.at + 1)?;
        self.at += 1;
        self.flow_blanks()?;
        while self.peek(0) != closing {
            if is_map {
                self.flow_key()?;
            }
            self.flow_value(levels)?;
            self.flow_blanks()?;
            match self.peek(0) {
                b',' => {
                    self.at += 1;
                    let after_comma = self.at;
                    self.flow_blanks()?;
                    if is_map && self.peek(0) == closing {
                        // As the event parser has it, the mapping ends after this comma and its blanks.
                        self.send(
                            Event::Close,
                            after_comma - 1,
                            self.end_of_blanks(after_comma),
                        )?;
                        self.at += 1;
                        return Ok(());
                    }
                }
                byte if byte == closing => {}
                _ => return Err(NotInSubset),
            }
        }
        // The blanks after the bracket belong to the collection, as the event parser has it.
        self.send(Event::Close, self.at, self.end_of_blanks(self.at + 1))?;
        self.at += 1;
        Ok(())
    }

    /// Reads a key, its colon and the blanks after that.
    fn flow_key(&mut self) -> Result {
        let start = self.at;
        let properties = self.properties()?;
        let key = self.scalar(true)?;
        self.spaces();
        let is_colon =
            self.peek(0) == b':' && (is_blank(self.peek(1)) || key.style == Style::Quoted);
        if !is_colon || self.at - start > LONGEST_KEY {
            return Err(NotInSubset);
        }
        self.send_scalar(key, properties, start)?;
        self.at += 1;
        self.flow_blanks()
    }

    fn flow_value(&mut self, levels: usize) -> Result {
        let start = self.at;
        let properties = self.properties()?;
        match self.peek(0) {
            b'[' | b'{' => self.flow(properties, start, levels + 1),
            b'*' => self.alias(properties),
            _ => {
                let value = self.scalar(true)?;
                self.send_scalar(value, properties, start)
            }
        }
    }

    /// Skips blanks, comments and line breaks. The next line must be indented more than the block around the flow.
    fn flow_blanks(&mut self) -> Result {
        let content = self.at;
        self.spaces();
        if !is_break(self.peek(0)) && self.peek(0) != b'#' {
            return Ok(());
        }
        self.at = content;
        self.end_of_line()?;
        if !self.next_content() {
            return Err(NotInSubset);
        }
        let is_indented = match self.levels.last() {
            Some(level) => self.column() > level.column,
            None => self.column() > 0 || matches!(self.peek(0), b'"' | b'\'' | b'}'),
        };
        match is_indented {
            true => Ok(()),
            false => Err(NotInSubset),
        }
    }
}
