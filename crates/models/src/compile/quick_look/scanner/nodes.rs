//! Nodes: scalars, aliases and the opening brackets of flow collections, and the test that tells keys from values.

use super::cursor::{Scalar, is_blank};
use super::{Result, Scanner, Shape, Stop, Visitor, offset};
use rigy_language::base::diag::Span;

impl<'s, V: Visitor<'s>> Scanner<'s, '_, V> {
    /// Scans a node with its anchor and tag. In a block collection, where `column` is given, the node may be a key of a
    /// mapping at that column.
    pub(super) fn node(&mut self, column: Option<usize>) -> Result {
        let start = self.cursor.at;
        let (mut anchor, mut tagged) = (None, false);
        loop {
            match self.cursor.peek(0) {
                b'&' => anchor = Some(self.cursor.name()),
                b'!' if self.cursor.peek(1) == b'<' => {
                    if !self.cursor.verbatim() {
                        return Err(Stop::NotUnderstood);
                    }
                    tagged = true;
                }
                b'!' => {
                    self.cursor.name();
                    tagged = true;
                }
                _ => break,
            }
            self.cursor.spaces();
            if matches!(self.cursor.peek(0), b'\n' | b'\r' | b'#') {
                // The anchor belongs to a node in a later line, or to an empty node.
                self.held = anchor.or(self.held);
                return Ok(());
            }
        }
        let at = self.cursor.at;
        match self.cursor.peek(0) {
            bracket @ (b'[' | b'{') => {
                let shape = if bracket == b'[' {
                    Shape::FlowSeq
                } else {
                    Shape::FlowMap
                };
                let anchor = anchor.or_else(|| self.held.take());
                self.open(shape, anchor, 1)?;
                self.cursor.at += 1;
            }
            b'*' => {
                let name = self.cursor.name();
                let (size, has_summary) = self.anchored(name)?;
                self.grow(size, at)?;
                if self.is_key(column, start, false)? {
                    if self.held.is_some() {
                        return Err(Stop::NotUnderstood);
                    }
                    self.add_key(size, None);
                } else {
                    let summary = has_summary.then(|| self.summaries.get(name).copied());
                    self.add(size)?;
                    self.visitor.alias(summary.flatten().unwrap_or_default());
                }
            }
            b',' | b']' | b'}' if column.is_none() && anchor.is_some() => {
                self.set_awaits(true);
                self.held = anchor;
                self.empty();
            }
            first => {
                let scalar = self.text(first, column)?;
                let end = match scalar.plain {
                    true => at + scalar.len,
                    false => self.cursor.at,
                };
                let is_key = match scalar.block {
                    true => self.wants_key(),
                    false => self.is_key(column, start, scalar.broken)?,
                };
                if is_key {
                    let anchor = anchor.or_else(|| self.held.take());
                    match scalar.text {
                        // The merged mapping counts, its key does not.
                        Some("<<") if scalar.plain && !tagged => self.add_key(0, scalar.text),
                        text => {
                            self.grow(scalar.len + 1, at)?;
                            self.add_key(scalar.len + 1, text.filter(|text| *text != "<<"));
                            self.remember(
                                anchor,
                                offset(at),
                                scalar.len + 1,
                                V::Summary::default(),
                            );
                        }
                    }
                } else {
                    let anchor = anchor.or_else(|| self.held.take());
                    self.grow(scalar.len + 1, at)?;
                    self.add(scalar.len + 1)?;
                    if let Some(frame) = self.frames.last_mut() {
                        frame.item = Some(start);
                    }
                    self.visitor
                        .scalar(scalar.text, Span::new(offset(at), offset(end)));
                    self.remember(anchor, offset(at), scalar.len + 1, V::Summary::default());
                }
            }
        }
        Ok(())
    }

    /// Skips a scalar that begins with this byte.
    fn text(&mut self, first: u8, column: Option<usize>) -> Result<Scalar<'s>> {
        let outer = match self.top() {
            Some(Shape::BlockMap(indent) | Shape::BlockSeq(indent)) => indent,
            _ => 0,
        };
        match first {
            b'"' | b'\'' => {
                let scalar = self.cursor.quoted().ok_or(Stop::NotUnderstood)?;
                // White space, comments and line breaks may come before a `:`.
                let mut ahead = self.cursor.clone();
                ahead.blanks();
                self.adjacent = ahead.at;
                Ok(scalar)
            }
            b'|' | b'>' if column.is_some() => Ok(self.cursor.block(outer)),
            b'@' | b'`' | b'%' | b',' | b']' | b'}' => Err(Stop::NotUnderstood),
            _ => {
                let scalar = self.cursor.plain(column.is_none(), outer + 1);
                self.adjacent = usize::MAX;
                Ok(scalar)
            }
        }
    }

    /// Returns true if the scalar or alias that ends at the cursor is a key. In a block collection, a `:` must follow in
    /// its line, and its mapping is opened if it is the first key; in a flow mapping, every other node is a key.
    fn is_key(&mut self, column: Option<usize>, start: usize, broken: bool) -> Result<bool> {
        let Some(column) = column else {
            let maps = matches!(self.top(), Some(Shape::FlowMap | Shape::Pair));
            return Ok(maps && !self.awaits());
        };
        self.cursor.spaces();
        if self.cursor.peek(0) == b':' && is_blank(self.cursor.peek(1)) {
            if broken {
                return Err(Stop::NotUnderstood);
            }
            let end = std::mem::replace(&mut self.cursor.at, start);
            self.line_up(Shape::BlockMap(column))?;
            self.cursor.at = end + 1;
            return Ok(true);
        }
        Ok(self.wants_key())
    }

    /// Returns true if the next node is the key after a `?`.
    fn wants_key(&self) -> bool {
        matches!(self.top(), Some(Shape::BlockMap(_))) && !self.awaits()
    }
}
