//! Nodes as they come: scalars, aliases, the beginnings of collections in brackets; and whether they are keys.

use super::cursor::{Scalar, is_blank};
use super::{Seen, Shape, Skimmer, Stop, Watch, offset};
use crate::base::diag::Span;

impl<'s, W: Watch<'s>> Skimmer<'s, '_, W> {
    /// A node with its anchor and tag; in a block it may turn out to be a key of a mapping at this column.
    pub(super) fn node(&mut self, column: Option<usize>) -> Seen {
        let start = self.cursor.at;
        let (mut anchor, mut tagged) = (None, false);
        loop {
            match self.cursor.peek(0) {
                b'&' => anchor = Some(self.cursor.name()),
                b'!' if self.cursor.peek(1) == b'<' => {
                    if !self.cursor.verbatim() {
                        return Err(Stop::Lost);
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
                // It belongs to what comes in another line, or to nothing.
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
                let (size, noted) = self.anchored(name)?;
                self.grow(size, at)?;
                if self.is_key(column, start, false)? {
                    if self.held.is_some() {
                        return Err(Stop::Lost);
                    }
                    self.add_key(size, None);
                } else {
                    let note = noted.then(|| self.notes.get(name).copied()).flatten();
                    self.add(size)?;
                    self.watch.alias(note.unwrap_or_default());
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
                        // What is merged counts, and nothing but that.
                        Some("<<") if scalar.plain && !tagged => self.add_key(0, scalar.text),
                        text => {
                            self.grow(scalar.len + 1, at)?;
                            self.add_key(scalar.len + 1, text.filter(|text| *text != "<<"));
                            self.remember(anchor, offset(at), scalar.len + 1, W::Note::default());
                        }
                    }
                } else {
                    let anchor = anchor.or_else(|| self.held.take());
                    self.grow(scalar.len + 1, at)?;
                    self.add(scalar.len + 1)?;
                    if let Some(frame) = self.frames.last_mut() {
                        frame.item = Some(start);
                    }
                    self.watch
                        .scalar(scalar.text, Span::new(offset(at), offset(end)));
                    self.remember(anchor, offset(at), scalar.len + 1, W::Note::default());
                }
            }
        }
        Ok(())
    }

    /// Passes over a scalar.
    fn text(&mut self, first: u8, column: Option<usize>) -> Seen<Scalar<'s>> {
        let outer = match self.top() {
            Some(Shape::BlockMap(indent) | Shape::BlockSeq(indent)) => indent,
            _ => 0,
        };
        match first {
            b'"' | b'\'' => {
                let scalar = self.cursor.quoted().ok_or(Stop::Lost)?;
                // In between there may be white space, comments and lines.
                let mut ahead = self.cursor.clone();
                ahead.blanks();
                self.adjacent = ahead.at;
                Ok(scalar)
            }
            b'|' | b'>' if column.is_some() => Ok(self.cursor.block(outer)),
            b'@' | b'`' | b'%' | b',' | b']' | b'}' => Err(Stop::Lost),
            _ => {
                let scalar = self.cursor.plain(column.is_none(), outer + 1);
                self.adjacent = usize::MAX;
                Ok(scalar)
            }
        }
    }

    /// Whether what has just been passed over is a key. In a block, a `:` must follow in its line, and its mapping
    /// begins here unless it is there; in a flow mapping every other node is one.
    fn is_key(&mut self, column: Option<usize>, start: usize, broken: bool) -> Seen<bool> {
        let Some(column) = column else {
            let maps = matches!(self.top(), Some(Shape::FlowMap | Shape::Pair));
            return Ok(maps && !self.awaits());
        };
        self.cursor.spaces();
        if self.cursor.peek(0) == b':' && is_blank(self.cursor.peek(1)) {
            if broken {
                return Err(Stop::Lost);
            }
            let end = std::mem::replace(&mut self.cursor.at, start);
            self.line_up(Shape::BlockMap(column))?;
            self.cursor.at = end + 1;
            return Ok(true);
        }
        Ok(self.wants_key())
    }

    /// Whether the next node is the key after a `?`.
    fn wants_key(&self) -> bool {
        matches!(self.top(), Some(Shape::BlockMap(_))) && !self.awaits()
    }
}
