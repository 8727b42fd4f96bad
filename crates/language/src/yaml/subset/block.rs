//! Block collections: entries by their columns.

use super::super::event::{Event, Properties, Receiver, Style};
use super::{DEEPEST, LONGEST_KEY, Level, NotInSubset, Reader, Result, is_blank, is_break};

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a line of a block collection from its first byte that is no blank.
    pub(super) fn entry(&mut self) -> Result {
        let column = self.column();
        let is_item = self.peek(0) == b'-' && is_blank(self.peek(1));
        self.close_above(column, is_item)?;
        let level = self.levels.last().ok_or(NotInSubset)?;
        let awaits = level.awaits.is_some();
        match (level.is_map, column == level.column) {
            (_, false) if !awaits => Err(NotInSubset),
            (true, true) if !is_item => self.node(column, true),
            (true, true) if !awaits => Err(NotInSubset),
            (false, true) if awaits || !is_item => Err(NotInSubset),
            (false, true) => self.item(),
            (is_map, is_same) if is_item => {
                // The event parser says that a sequence in the column of its key begins after the dash.
                let start = match is_map && is_same {
                    true => self.end_of_blanks(self.at + 1),
                    false => self.at,
                };
                self.open(false, column, start)?;
                self.item()
            }
            _ => self.node(column, true),
        }
    }

    /// Ends the collections that have no entry at this column, and adds the missing value of the entry before.
    fn close_above(&mut self, column: usize, is_item: bool) -> Result {
        while let Some(level) = self.levels.last() {
            let ends_here = column == level.column && !level.is_map && !is_item;
            if level.column <= column && !ends_here {
                break;
            }
            if ends_here && self.peek(0) == b'?' {
                // The event parser says that the sequence ends after the `?`.
                return Err(NotInSubset);
            }
            self.close()?;
        }
        match self.levels.last() {
            Some(level) if level.is_map && level.column == column && !is_item => self.null(),
            _ => Ok(()),
        }
    }

    /// Ends the innermost collection.
    pub(super) fn close(&mut self) -> Result {
        self.null()?;
        self.levels.pop();
        self.send(Event::Close, self.at, self.at)
    }

    /// Adds an empty value, if a key of the innermost mapping has no value.
    fn null(&mut self) -> Result {
        let Some(level) = self.levels.last_mut() else {
            return Err(NotInSubset);
        };
        let Some(colon) = level.awaits.take() else {
            return Ok(());
        };
        if !level.is_map || self.held.is_some() {
            return Err(NotInSubset);
        }
        let empty = Event::Scalar {
            text: "".into(),
            style: Style::Plain,
            properties: Properties::default(),
        };
        self.send(empty, colon, colon)
    }

    /// Opens a collection at this column, as the value that the innermost one awaits.
    fn open(&mut self, is_map: bool, column: usize, start: usize) -> Result {
        if self.levels.len() == DEEPEST {
            return Err(NotInSubset);
        }
        if let Some(level) = self.levels.last_mut() {
            level.awaits.take().ok_or(NotInSubset)?;
        }
        let (properties, from) = self.held.take().unwrap_or((Properties::default(), start));
        self.send(Event::Open { is_map, properties }, from, start)?;
        self.levels.push(Level {
            is_map,
            column,
            awaits: None,
        });
        Ok(())
    }

    /// Reads an item from its dash, or the value of an explicit key from its colon.
    pub(super) fn item(&mut self) -> Result {
        self.await_value()?;
        self.spaces();
        match self.peek(0) {
            byte if is_break(byte) || byte == b'#' => self.skip_line(),
            b'-' if is_blank(self.peek(1)) => {
                self.open(false, self.column(), self.at)?;
                return self.item();
            }
            _ => return self.node(self.column(), true),
        }
        Ok(())
    }

    /// Skips a dash or a colon, whose value comes next.
    fn await_value(&mut self) -> Result {
        let level = self.levels.last_mut().ok_or(NotInSubset)?;
        level.awaits = Some(self.at);
        self.at += 1;
        Ok(())
    }

    /// Reads a node: a key with its value, where one `may_be_key`, or a value.
    pub(super) fn node(&mut self, column: usize, may_be_key: bool) -> Result {
        let start = self.at;
        let properties = self.properties()?;
        match self.peek(0) {
            byte if is_break(byte) || byte == b'#' => self.hold(properties, start),
            b'[' | b'{' => {
                let (properties, start) = self.with_held(properties, start)?;
                self.take_place()?;
                self.flow(properties, start, 0)?;
                self.end_of_line()
            }
            b'*' => {
                let (properties, _) = self.with_held(properties, start)?;
                self.take_place()?;
                self.alias(properties)?;
                self.end_of_line()
            }
            b'|' => {
                let (properties, start) = self.with_held(properties, start)?;
                self.take_place()?;
                self.literal(properties, start)
            }
            b'?' if may_be_key && is_blank(self.peek(1)) && !properties.is_any() => {
                self.key_place(column, start)?;
                self.explicit_key(column)
            }
            _ => {
                let scalar = self.scalar(false)?;
                let end = self.at;
                self.spaces();
                let is_key = self.peek(0) == b':' && is_blank(self.peek(1));
                let (properties, start) = match is_key {
                    true if !may_be_key || self.at - start > LONGEST_KEY => {
                        return Err(NotInSubset);
                    }
                    true => {
                        self.key_place(column, start)?;
                        (properties, start)
                    }
                    false => {
                        self.take_place()?;
                        self.with_held(properties, start)?
                    }
                };
                self.send_scalar(scalar, properties, start)?;
                match is_key {
                    true => self.value(),
                    false => {
                        self.at = end;
                        self.end_of_line()
                    }
                }
            }
        }
    }

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
            self.send_scalar(key, properties, start)?;
            self.end_of_line()?;
        }
        let is_colon = self.next_content() && self.peek(0) == b':' && is_blank(self.peek(1));
        match is_colon && self.column() == column {
            true => self.item(),
            false => Err(NotInSubset),
        }
    }

    /// Makes the next scalar a key of the innermost mapping, or of a mapping that begins there.
    fn key_place(&mut self, column: usize, start: usize) -> Result {
        match self.levels.last() {
            Some(level) if level.is_map && level.column == column => match level.awaits {
                None => Ok(()),
                Some(_) => Err(NotInSubset),
            },
            _ => self.open(true, column, start),
        }
    }

    /// Makes the next node the value that the innermost collection awaits.
    fn take_place(&mut self) -> Result {
        let level = self.levels.last_mut().ok_or(NotInSubset)?;
        level.awaits.take().map(|_| ()).ok_or(NotInSubset)
    }

    /// Reads the value of a key from its colon.
    fn value(&mut self) -> Result {
        self.await_value()?;
        self.spaces();
        match self.peek(0) {
            byte if is_break(byte) || byte == b'#' => self.skip_line(),
            _ => return self.node(self.column(), false),
        }
        Ok(())
    }

    /// Keeps properties at the end of a line for the node in the next.
    fn hold(&mut self, properties: Properties, start: usize) -> Result {
        let awaits = self.levels.last().and_then(|level| level.awaits);
        if self.held.is_some() || awaits.is_none() {
            return Err(NotInSubset);
        }
        self.held = Some((properties, start));
        self.skip_line();
        Ok(())
    }

    /// Returns the properties of a node that is no block collection, and where they begin; those of an earlier line must be
    /// the only ones.
    fn with_held(&mut self, properties: Properties, start: usize) -> Result<(Properties, usize)> {
        match self.held.take() {
            Some(held) if !properties.is_any() => Ok(held),
            Some(_) => Err(NotInSubset),
            None => Ok((properties, start)),
        }
    }
}
