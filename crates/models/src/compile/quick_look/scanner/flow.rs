//! Flow collections: entries between brackets and commas.

use super::cursor::{is_blank, is_flow};
use super::{Result, Scanner, Shape, Stop, Visitor, offset};
use rigy_language::base::diag::Span;

impl<'s, V: Visitor<'s>> Scanner<'s, '_, V> {
    /// Scans a node or an indicator in a flow collection.
    pub(super) fn flow(&mut self) -> Result {
        if self.cursor.is_at_end() {
            return Err(Stop::NotUnderstood);
        }
        let next = self.cursor.peek(1);
        let indicator = is_blank(next) || is_flow(next) || self.cursor.at == self.adjacent;
        match self.cursor.peek(0) {
            b',' => {
                self.end_entry()?;
                self.cursor.at += 1;
            }
            b']' | b'}' => {
                self.end_entry()?;
                self.close()?;
                self.cursor.at += 1;
                self.cursor.spaces();
                self.adjacent = self.cursor.at;
            }
            b':' if indicator => {
                self.value()?;
                self.cursor.at += 1;
            }
            b'?' if is_blank(next) => {
                if self.top() == Some(Shape::FlowSeq) {
                    self.open(Shape::Pair, None, 0)?;
                }
                self.cursor.at += 1;
            }
            b'-' if is_blank(next) || is_flow(next) => return Err(Stop::NotUnderstood),
            _ => self.node(None)?,
        }
        Ok(())
    }

    /// Ends one entry of a flow collection.
    fn end_entry(&mut self) -> Result {
        self.empty();
        if self.held.is_some() {
            return Err(Stop::NotUnderstood);
        }
        if self.top() == Some(Shape::Pair) {
            self.close()?;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.item = None;
        }
        Ok(())
    }

    /// Takes a `:` in a flow collection; in a sequence, the item before it becomes a key.
    fn value(&mut self) -> Result {
        let frame = self.frames.last_mut().ok_or(Stop::NotUnderstood)?;
        match (frame.shape, frame.item.take()) {
            (Shape::FlowMap | Shape::Pair, _) if frame.awaits => Ok(()),
            // The key has been counted, but a merge key must not be.
            (Shape::FlowSeq, Some(start)) if self.cursor.since(start).contains("<<") => {
                Err(Stop::NotUnderstood)
            }
            (Shape::FlowSeq, Some(start)) => {
                self.visitor.pair();
                self.enter(Shape::Pair, None, Span::new(offset(start), offset(start)))?;
                self.set_awaits(true);
                Ok(())
            }
            _ => Err(Stop::NotUnderstood),
        }
    }
}
