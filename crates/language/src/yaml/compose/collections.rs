//! The collections that are open: their entries, keys and ends.

use std::borrow::Cow;

use super::super::duplicates::{Keys, are_enough};
use super::super::merge::Merged;
use super::super::tree::{Cut, Entry, Kind, Node, NodeId, target};
use super::super::{Result, malformed};
use super::{Composer, too_deep};
use rigy_base::diag::{Mend, Span};

/// A collection that is open.
pub(super) struct Frame<'s> {
    /// The parser's number of its anchor; 0 if it has none.
    anchor: usize,
    is_map: bool,
    keys: Keys,
    start: Span,
    /// The end of its last entry. An alias ends where it is written.
    end: u32,
    /// Its length in bytes so far, with aliases written out.
    size: usize,
    /// The index of its first entry or item in the composer's list.
    first: usize,
    /// The key whose value comes next, in a mapping.
    key: Option<Key<'s>>,
    /// The entries merged so far, if it is a mapping with a `<<`.
    merged: Option<Box<Merged<'s>>>,
}

pub(super) enum Key<'s> {
    Text(Cow<'s, str>, Span),
    Merge(Span),
}

impl<'s> Composer<'s, '_> {
    /// Returns true if the next node is a mapping key.
    pub(super) fn at_key(&self) -> bool {
        let frame = self.stack.last();
        frame.is_some_and(|frame| frame.is_map && frame.key.is_none())
    }

    /// Takes a `<<`: the next value will be merged into the innermost mapping. A second `<<` is a duplicate.
    pub(super) fn merge_key(&mut self, span: Span) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        match frame.merged {
            Some(_) => self.duplicates.add("<<", span),
            None => frame.merged = Some(Box::default()),
        }
        frame.key = Some(Key::Merge(span));
    }

    /// Begins a collection.
    ///
    /// # Errors
    /// Nesting beyond the limit; a collection as a key; a length beyond the limit.
    pub(super) fn open(
        &mut self,
        anchor: usize,
        start: Span,
        is_map: bool,
    ) -> Result<Option<NodeId>> {
        if self.stack.len() >= self.depth {
            return Err(too_deep(self.depth, start));
        }
        if self.at_key() {
            return Err(malformed(
                start,
                "a mapping key must be a string, not a collection",
            ));
        }
        self.grow(2, start)?;
        // The anchor is registered when the collection ends, so an alias of it cannot stand inside.
        let frame = Frame {
            anchor,
            is_map,
            keys: self.keys_below(),
            start,
            end: start.end,
            size: 2,
            first: match is_map {
                true => self.entries.len(),
                false => self.items.len(),
            },
            key: None,
            merged: None,
        };
        self.stack.push(frame);
        Ok(None)
    }

    /// Returns the kind of keys that a mapping may have which begins here.
    fn keys_below(&self) -> Keys {
        let Some(frame) = self.stack.last() else {
            return Keys::Fields;
        };
        match &frame.key {
            Some(Key::Merge(_)) => Keys::Merged,
            Some(Key::Text(key, _)) if self.named.is_some_and(|n| n.contains(&&**key)) => {
                Keys::Names
            }
            None if frame.keys == Keys::Merged => Keys::Merged,
            _ => Keys::Fields,
        }
    }

    /// Stops composing after an entry, if no document can begin with the text up to here.
    pub(super) fn cut_after(&mut self, key: Span) {
        let Some(frame) = self.stack.last() else {
            return;
        };
        let entries = &self.entries[frame.first..];
        let Some(last) = entries.last() else {
            return;
        };
        let value = &self.nodes[target(&self.nodes, last.value).0 as usize].kind;
        let is_full = self.surplus.add(frame.keys, entries, value);
        let is_cut = is_full || self.surplus.is_time_to_count() && self.has_enough_duplicates();
        if is_cut {
            self.cut = Some(Cut { at: frame.end, key });
        }
    }

    /// Returns true if the duplicate keys so far, of open mappings too, are at least as many as are reported.
    fn has_enough_duplicates(&self) -> bool {
        let mut end = self.entries.len();
        let maps = self.stack.iter().rev().filter(|frame| frame.is_map);
        let open =
            maps.map(|frame| &self.entries[frame.first..std::mem::replace(&mut end, frame.first)]);
        are_enough(self.duplicates.len(), open)
    }

    /// Ends all open collections, one byte beyond the cut.
    pub(super) fn close_all(&mut self, cut: Cut) -> Result<Option<NodeId>> {
        let mut root = None;
        while !self.stack.is_empty() {
            root = self.close(Span::new(cut.at, cut.at.saturating_add(1)))?;
        }
        Ok(root)
    }

    /// Ends the innermost collection; returns its node if it is the root.
    pub(super) fn close(&mut self, end: Span) -> Result<Option<NodeId>> {
        let Some(frame) = self.stack.pop() else {
            return Err(malformed(end, "a collection ends that never began"));
        };
        let kind = match frame.is_map {
            false => Kind::Seq(self.items.drain(frame.first..).collect()),
            true => {
                self.duplicates.find(&self.entries[frame.first..]);
                let own = self.entries.drain(frame.first..);
                Kind::Map(match frame.merged {
                    None => own.collect(),
                    Some(merged) => merged.before(own.collect()),
                })
            }
        };
        // Flow collections end at their bracket; block collections where their last value ends.
        let end = if end.start == end.end {
            frame.end
        } else {
            end.end
        };
        let span = Span::new(frame.start.start, end.max(frame.start.end));
        let node = self.push(Node { span, kind });
        self.anchor(frame.anchor, node, frame.size);
        self.place(node, span, frame.size)
    }

    /// Adds a node, whose length with aliases written out is `size`, to its collection; returns the node if it is the root.
    pub(super) fn place(
        &mut self,
        node: NodeId,
        span: Span,
        size: usize,
    ) -> Result<Option<NodeId>> {
        let Some(frame) = self.stack.last_mut() else {
            return Ok(Some(node));
        };
        frame.size = frame.size.saturating_add(size);
        frame.end = frame.end.max(span.end);
        if !frame.is_map {
            self.items.push(node);
            return Ok(None);
        }
        match frame.key.take() {
            None => {
                let target = target(&self.nodes, node);
                frame.key = Some(key_of(&self.nodes[target.0 as usize].kind, span)?);
            }
            Some(Key::Text(key, key_span)) => {
                self.entries.push(Entry {
                    key,
                    key_span,
                    value: node,
                });
                if self.named.is_some() && self.cut.is_none() {
                    self.cut_after(key_span);
                }
            }
            Some(Key::Merge(at)) => {
                let merged = frame.merged.get_or_insert_default();
                merged.add(&mut self.nodes, node, at)?;
            }
        }
        Ok(None)
    }

    /// Takes a scalar that is a key of the innermost mapping. It has no anchor, so it needs no node.
    ///
    /// # Errors
    /// It is no text.
    pub(super) fn key(&mut self, kind: &Kind<'s>, span: Span, len: usize) -> Result<()> {
        let key = key_of(kind, span)?;
        self.set_key(key, span, len);
        Ok(())
    }

    /// Takes a text that is a key of the innermost mapping, without the steps of other scalars.
    #[inline]
    pub(super) fn text_key(&mut self, text: Cow<'s, str>, span: Span, len: usize) {
        self.set_key(Key::Text(text, span), span, len);
    }

    #[inline]
    fn set_key(&mut self, key: Key<'s>, span: Span, len: usize) {
        if let Some(frame) = self.stack.last_mut() {
            frame.size = frame.size.saturating_add(len);
            frame.end = frame.end.max(span.end);
            frame.key = Some(key);
        }
    }
}

/// Returns a scalar as a key.
///
/// # Errors
/// The scalar is no string.
fn key_of<'s>(kind: &Kind<'s>, span: Span) -> Result<Key<'s>> {
    let fault = || malformed(span, "a mapping key must be a string");
    match kind {
        Kind::Str(text) => Ok(Key::Text(text.clone(), span)),
        Kind::Int(_) => Err(fault().help(
            "put quotes around it; if it is part of a number, write a point instead of the comma",
        )),
        _ => Err(fault().help("put quotes around it").mend(Mend::Quote)),
    }
}
