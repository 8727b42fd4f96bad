//! Block collections: entries by their columns.

use super::cursor::is_blank;
use super::{Result, Scanner, Shape, Stop, Visitor};

impl<'s, V: Visitor<'s>> Scanner<'s, '_, V> {
    /// Scans a node, a key or an indicator in a block collection.
    pub(super) fn block(&mut self) -> Result {
        if self.ended {
            return Err(Stop::NotUnderstood);
        }
        if self.mark() {
            return Ok(());
        }
        self.started = true;
        let column = self.cursor.column();
        let indicator = is_blank(self.cursor.peek(1));
        let is_entry = self.cursor.peek(0) == b'-' && indicator;
        self.unroll(column, is_entry)?;
        match self.cursor.peek(0) {
            b'-' if indicator => self.line_up(Shape::BlockSeq(column))?,
            b'?' if indicator => {
                self.line_up(Shape::BlockMap(column))?;
                self.set_awaits(false);
            }
            b':' if indicator => {
                let awaits_value = self.top() == Some(Shape::BlockMap(column)) && self.awaits();
                if !awaits_value {
                    return Err(Stop::NotUnderstood);
                }
            }
            _ => return self.node(Some(column)),
        }
        self.cursor.at += 1;
        Ok(())
    }

    /// Skips a directive, or a line that begins or ends the document; returns false if there is none.
    fn mark(&mut self) -> bool {
        let directive = self.cursor.column() == 0 && self.cursor.peek(0) == b'%';
        if !self.started && directive {
            self.cursor.rest_of_line();
        } else if !self.started && self.cursor.is_mark("---") {
            self.cursor.at += 3;
            self.started = true;
        } else if self.cursor.is_mark("...") || self.cursor.is_mark("---") {
            self.cursor.at += 3;
            self.ended = true;
        } else {
            return false;
        }
        true
    }

    /// Ends block collections that are indented more than the next node.
    fn unroll(&mut self, column: usize, is_entry: bool) -> Result {
        while let Some(Shape::BlockMap(indent) | Shape::BlockSeq(indent)) = self.top() {
            let is_list = self.top() == Some(Shape::BlockSeq(indent));
            if indent > column || (indent == column && is_list && !is_entry) {
                self.close()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Ends the last entry of the block collection of this shape, or opens the collection if its first entry comes next.
    pub(super) fn line_up(&mut self, shape: Shape) -> Result {
        if self.top() == Some(shape) {
            self.empty();
            if self.held.is_some() {
                return Err(Stop::NotUnderstood);
            }
        } else {
            let anchor = self.held.take();
            self.open(shape, anchor, 0)?;
        }
        self.set_awaits(true);
        Ok(())
    }
}
