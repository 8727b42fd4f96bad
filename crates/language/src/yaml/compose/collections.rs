//! The collections that are open: their entries, keys and ends.

use std::borrow::Cow;

use super::super::duplicates::{Keys, are_enough};
use super::super::merge::Merged;
use super::super::tree::{Cut, Entry, Items, Kind, Node, NodeId, target};
use super::super::{Result, malformed};
use super::{Composer, too_deep};
use rigy_base::diag::{Mend, Span};

/// A collection that is open.
pub struct Frame<'s> {
    /// The node of the text.
    id: u32,
    /// The node of the text after it and its children.
    pub past: u32,
    is_map: bool,
    keys: Keys,
    span: Span,
    /// Its length in bytes so far, with aliases written out.
    size: usize,
    /// The index of its first entry or item in the composer's list.
    first: usize,
    /// The key whose value comes next, in a mapping.
    key: Option<Key<'s>>,
    /// The entries merged so far, if it is a mapping with a `<<`.
    merged: Option<Box<Merged<'s>>>,
}

enum Key<'s> {
    Text(Cow<'s, str>, Span),
    Merge(Span),
}

impl<'s> Composer<'_, 's, '_> {
    /// Returns true if the next node is a mapping key.
    pub fn at_key(&self) -> bool {
        let frame = self.stack.last();
        frame.is_some_and(|frame| frame.is_map && frame.key.is_none())
    }

    /// Takes a `<<`: the next value will be merged into the innermost mapping. A second `<<` is a duplicate.
    pub fn merge_key(&mut self, span: Span) {
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
    /// Nesting or a length beyond the limit.
    pub fn open(&mut self, id: u32, span: Span) -> Result<()> {
        if self.stack.len() >= self.depth {
            return Err(too_deep(self.depth, span));
        }
        self.grow(2, span)?;
        let is_map = self.text.node(id).kind.is_map();
        // The anchor is registered when the collection ends, so an alias of it cannot stand inside.
        let frame = Frame {
            id,
            past: self.text.past(id),
            is_map,
            keys: self.keys_below(),
            span,
            size: 2,
            first: if is_map {
                self.entries.len()
            } else {
                self.items.len()
            },
            key: None,
            merged: None,
        };
        self.stack.push(frame);
        Ok(())
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
    fn cut_after(&mut self, key: Span) {
        let Some(frame) = self.stack.last() else {
            return;
        };
        let entries = &self.entries[frame.first..];
        let Some(last) = entries.last() else {
            return;
        };
        let value = &self.tree.nodes[target(&self.tree.nodes, last.value).0 as usize].kind;
        let is_full = self.surplus.add(frame.keys, entries, value);
        let is_cut = is_full || self.surplus.is_time_to_count() && self.has_enough_duplicates();
        if is_cut {
            let at = self.tree.nodes[last.value.0 as usize].span.end;
            self.tree.cut = Some(Cut { at, key });
        }
    }

    /// Returns true if the duplicate keys so far, of open mappings too, are at least as many as are reported.
    fn has_enough_duplicates(&self) -> bool {
        let mut end = self.entries.len();
        let open = self
            .stack
            .iter()
            .rev()
            .filter(|frame| frame.is_map)
            .map(|frame| &self.entries[frame.first..std::mem::replace(&mut end, frame.first)]);
        are_enough(self.duplicates.len(), open)
    }

    /// Ends all open collections, one byte beyond the cut.
    pub fn close_all(&mut self, cut: Cut) -> Result<Option<NodeId>> {
        let mut root = None;
        for frame in &mut self.stack {
            frame.span.end = cut.at.saturating_add(1);
        }
        while !self.stack.is_empty() {
            root = self.close()?;
        }
        Ok(root)
    }

    /// Ends the innermost collection; returns its node if it is the root.
    pub fn close(&mut self) -> Result<Option<NodeId>> {
        let Some(frame) = self.stack.pop() else {
            return Ok(None);
        };
        let kind = if frame.is_map {
            self.duplicates.find(&self.entries[frame.first..]);
            let own = self.entries.split_off(frame.first);
            Kind::Map(match frame.merged {
                None => own,
                Some(merged) => merged.before(own),
            })
        } else {
            let items = Items::from_slice(&self.items[frame.first..]);
            self.items.truncate(frame.first);
            Kind::Seq(items)
        };
        let span = frame.span;
        let node = self.tree.push(Node { span, kind });
        if self
            .text
            .properties(frame.id)
            .is_some_and(|all| !all.anchor.is_empty())
        {
            self.anchors.insert(frame.id, (node, frame.size));
        }
        if self.stack.is_empty() {
            Ok(Some(node))
        } else {
            self.place(node, span, frame.size).map(|()| None)
        }
    }

    /// Adds a node, whose length with aliases written out is `size`, to its collection.
    pub fn place(&mut self, node: NodeId, span: Span, size: usize) -> Result<()> {
        let Some(frame) = self.stack.last_mut() else {
            return Ok(());
        };
        frame.size = frame.size.saturating_add(size);
        if !frame.is_map {
            self.items.push(node);
            return Ok(());
        }
        match frame.key.take() {
            None => {
                let target = target(&self.tree.nodes, node);
                frame.key = Some(key_of(&self.tree.nodes[target.0 as usize].kind, span)?);
            }
            Some(Key::Text(key, key_span)) => {
                self.entries.push(Entry {
                    key,
                    key_span,
                    value: node,
                });
                if self.named.is_some() && self.tree.cut.is_none() {
                    self.cut_after(key_span);
                }
            }
            Some(Key::Merge(at)) => {
                frame
                    .merged
                    .get_or_insert_default()
                    .add(&mut self.tree.nodes, node, at)?;
            }
        }
        Ok(())
    }

    /// Takes a scalar that is a key of the innermost mapping. It has no anchor, so it needs no node.
    ///
    /// # Errors
    /// It is no text.
    pub fn key(&mut self, kind: &Kind<'s>, span: Span, len: usize) -> Result<()> {
        let key = key_of(kind, span)?;
        self.set_key(key, len);
        Ok(())
    }

    /// Takes a text that is a key of the innermost mapping, without the steps of other scalars.
    #[inline]
    pub fn text_key(&mut self, text: Cow<'s, str>, span: Span, len: usize) {
        self.set_key(Key::Text(text, span), len);
    }

    #[inline]
    fn set_key(&mut self, key: Key<'s>, len: usize) {
        if let Some(frame) = self.stack.last_mut() {
            frame.size = frame.size.saturating_add(len);
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
