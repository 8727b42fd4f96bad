//! The levels that a quick look is in: what is counted in each, and what is known of anchors.

use super::super::compose::{too_deep, too_large};
use super::{Anchor, Frame, MOST_ANCHORS, Seen, Shape, Skimmer, Stop, Watch, offset};
use crate::base::diag::Span;

impl<'s, W: Watch<'s>> Skimmer<'s, '_, W> {
    pub(super) fn add_key(&mut self, size: usize, text: Option<&'s str>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.size = frame.size.saturating_add(size);
            frame.awaits = true;
        }
        self.watch.key(text);
    }

    /// Counts a value or an item towards its collection.
    #[inline]
    pub(super) fn add(&mut self, size: usize) -> Seen {
        let frame = self.frames.last_mut().ok_or(Stop::Lost)?;
        if !frame.awaits && frame.shape != Shape::FlowSeq {
            return Err(Stop::Lost);
        }
        frame.awaits = false;
        frame.size = frame.size.saturating_add(size);
        Ok(())
    }

    /// What is awaited turns out to be nothing.
    #[inline]
    pub(super) fn empty(&mut self) {
        if !self.awaits() {
            return;
        }
        self.expanded += 1;
        let _ = self.add(1);
        let anchor = self.held.take();
        self.remember(anchor, offset(self.cursor.at), 1, W::Note::default());
        self.watch.scalar(None, Span::default());
    }

    /// A collection begins at the cursor, with an indicator of some length.
    pub(super) fn open(&mut self, shape: Shape, anchor: Option<&'s str>, len: usize) -> Seen {
        let start = self.cursor.at;
        let can_be = match self.frames.last_mut() {
            None => matches!(shape, Shape::BlockMap(_) | Shape::FlowMap) && self.expanded == 0,
            Some(frame) => {
                frame.item = None;
                std::mem::replace(&mut frame.awaits, false) || frame.shape == Shape::FlowSeq
            }
        };
        if !can_be {
            return Err(Stop::Lost);
        }
        self.enter(shape, anchor, Span::new(offset(start), offset(start + len)))?;
        self.watch
            .open(!matches!(shape, Shape::BlockSeq(_) | Shape::FlowSeq));
        Ok(())
    }

    /// One level deeper.
    pub(super) fn enter(&mut self, shape: Shape, anchor: Option<&'s str>, span: Span) -> Seen {
        if self.frames.len() >= self.depth {
            return Err(Stop::Refused(Box::new(too_deep(self.depth, span))));
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

    /// The innermost collection ends.
    pub(super) fn close(&mut self) -> Seen {
        self.empty();
        let frame = self.frames.pop().ok_or(Stop::Lost)?;
        let note = self.watch.close();
        self.remember(frame.anchor, frame.start, frame.size, note);
        if let Some(outer) = self.frames.last_mut() {
            outer.size = outer.size.saturating_add(frame.size);
        }
        Ok(())
    }

    /// Counts bytes towards the size of the document with its aliases written out.
    #[inline]
    pub(super) fn grow(&mut self, bytes: usize, at: usize) -> Seen {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > self.allowance {
            let span = Span::new(offset(at), offset(self.cursor.at.max(at)));
            let error = too_large(self.allowance, span);
            return Err(Stop::Refused(Box::new(error)));
        }
        Ok(())
    }

    /// The size of what an alias stands for, and whether there is a note about it.
    pub(super) fn anchored(&self, name: &str) -> Seen<(usize, bool)> {
        match self.anchors.get(name) {
            Some(anchor) => Ok((anchor.size as usize, anchor.noted)),
            None if self.anchors.len() >= MOST_ANCHORS => Ok((0, false)),
            None => Err(Stop::Lost),
        }
    }

    /// Keeps what an anchor stands for, unless it has been given again to something that began later.
    pub(super) fn remember(
        &mut self,
        anchor: Option<&'s str>,
        start: u32,
        size: usize,
        note: W::Note,
    ) {
        let Some(name) = anchor else {
            return;
        };
        let known = self.anchors.get(name);
        let has_room = self.anchors.len() < MOST_ANCHORS;
        if known.is_some_and(|known| known.start > start) || (!has_room && known.is_none()) {
            return;
        }
        let noted = has_room && note != W::Note::default();
        if noted {
            self.notes.insert(name, note);
        }
        let size = offset(size);
        self.anchors.insert(name, Anchor { start, size, noted });
    }
}
