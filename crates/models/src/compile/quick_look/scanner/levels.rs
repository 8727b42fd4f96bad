//! The collections that are open, their lengths, and the nodes of anchors.

use super::{Anchor, Frame, MOST_ANCHORS, Result, Scanner, Shape, Stop, Visitor, offset};
use rigy_language::base::diag::Span;
use rigy_language::yaml::{too_deep, too_large};

impl<'s, V: Visitor<'s>> Scanner<'s, '_, V> {
    /// Counts a key towards the innermost mapping.
    pub(super) fn add_key(&mut self, size: usize, text: Option<&'s str>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.size = frame.size.saturating_add(size);
            frame.awaits = true;
        }
        self.visitor.key(text);
    }

    /// Counts a value or an item towards its collection.
    #[inline]
    pub(super) fn add(&mut self, size: usize) -> Result {
        let frame = self.frames.last_mut().ok_or(Stop::NotUnderstood)?;
        if !frame.awaits && frame.shape != Shape::FlowSeq {
            return Err(Stop::NotUnderstood);
        }
        frame.awaits = false;
        frame.size = frame.size.saturating_add(size);
        Ok(())
    }

    /// Adds an empty value if a value was awaited.
    #[inline]
    pub(super) fn empty(&mut self) {
        if !self.awaits() {
            return;
        }
        self.expanded += 1;
        let _ = self.add(1);
        let anchor = self.held.take();
        self.remember(anchor, offset(self.cursor.at), 1, V::Summary::default());
        self.visitor.scalar(None, Span::default());
    }

    /// Opens a collection at the cursor, whose indicator has `len` bytes.
    pub(super) fn open(&mut self, shape: Shape, anchor: Option<&'s str>, len: usize) -> Result {
        let start = self.cursor.at;
        let can_be = match self.frames.last_mut() {
            None => matches!(shape, Shape::BlockMap(_) | Shape::FlowMap) && self.expanded == 0,
            Some(frame) => {
                frame.item = None;
                std::mem::replace(&mut frame.awaits, false) || frame.shape == Shape::FlowSeq
            }
        };
        if !can_be {
            return Err(Stop::NotUnderstood);
        }
        self.enter(shape, anchor, Span::new(offset(start), offset(start + len)))?;
        self.visitor
            .open(!matches!(shape, Shape::BlockSeq(_) | Shape::FlowSeq));
        Ok(())
    }

    /// Adds a level.
    ///
    /// # Errors
    /// Nesting, or the length, beyond its limit.
    pub(super) fn enter(&mut self, shape: Shape, anchor: Option<&'s str>, span: Span) -> Result {
        if self.frames.len() >= self.depth {
            return Err(Stop::Limit(Box::new(too_deep(self.depth, span))));
        }
        self.grow(2, span.start as usize)?;
        self.frames.push(Frame {
            shape,
            anchor,
            start: span.start,
            awaits: false,
            item: None,
            size: 2,
        });
        Ok(())
    }

    /// Ends the innermost collection.
    pub(super) fn close(&mut self) -> Result {
        self.empty();
        let frame = self.frames.pop().ok_or(Stop::NotUnderstood)?;
        let summary = self.visitor.close();
        self.remember(frame.anchor, frame.start, frame.size, summary);
        if let Some(outer) = self.frames.last_mut() {
            outer.size = outer.size.saturating_add(frame.size);
        }
        Ok(())
    }

    /// Counts bytes towards the size of the document with its aliases written out.
    #[inline]
    pub(super) fn grow(&mut self, bytes: usize, at: usize) -> Result {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > self.allowance {
            let span = Span::new(offset(at), offset(self.cursor.at.max(at)));
            let error = too_large(self.allowance, span);
            return Err(Stop::Limit(Box::new(error)));
        }
        Ok(())
    }

    /// Returns the length of an anchor's node, and true if there is a summary of it.
    pub(super) fn anchored(&self, name: &str) -> Result<(usize, bool)> {
        match self.anchors.get(name) {
            Some(anchor) => Ok((anchor.size as usize, anchor.has_summary)),
            None if self.anchors.len() >= MOST_ANCHORS => Ok((0, false)),
            None => Err(Stop::NotUnderstood),
        }
    }

    /// Keeps the node of an anchor, unless a node that began later has the same anchor.
    pub(super) fn remember(
        &mut self,
        anchor: Option<&'s str>,
        start: u32,
        size: usize,
        summary: V::Summary,
    ) {
        let Some(name) = anchor else {
            return;
        };
        let known = self.anchors.get(name);
        let has_space = self.anchors.len() < MOST_ANCHORS;
        if known.is_some_and(|known| known.start > start) || (!has_space && known.is_none()) {
            return;
        }
        let has_summary = has_space && summary != V::Summary::default();
        if has_summary {
            self.summaries.insert(name, summary);
        }
        let size = offset(size);
        let anchor = Anchor {
            start,
            size,
            has_summary,
        };
        self.anchors.insert(name, anchor);
    }
}
