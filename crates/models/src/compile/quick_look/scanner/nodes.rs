//! Nodes, the test that tells keys from values, and the entries of block collections (by their columns) and of flow collections (between
//! brackets and commas).

use super::cursor::{Scalar, is_blank, is_flow};
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
                let end = if scalar.plain {
                    at + scalar.len
                } else {
                    self.cursor.at
                };
                let is_key = if scalar.block {
                    self.wants_key()
                } else {
                    self.is_key(column, start, scalar.broken)?
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

    /// True if the scalar or alias that ends at the cursor is a key. In a block collection, a `:` must follow in
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

    /// True if the next node is the key after a `?`.
    fn wants_key(&self) -> bool {
        matches!(self.top(), Some(Shape::BlockMap(_))) && !self.awaits()
    }
}

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
