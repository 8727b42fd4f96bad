//! The collections that are open: their entries, keys and ends.

use std::borrow::Cow;

use super::super::cut::{Keys, are_enough};
use super::super::merge::Merged;
use super::super::tree::{Cut, Entry, Kind, Node, NodeId, target};
use super::super::{Result, malformed};
use super::{Composer, too_deep};
use crate::base::diag::Span;

/// A collection that is open.
pub(super) struct Frame<'s> {
    /// The parser's number of its anchor; 0 if it has none.
    anchor: usize,
    keys: Keys,
    start: Span,
    /// The end of its last entry. An alias ends where it is written.
    end: u32,
    /// Its length in bytes so far, with aliases written out.
    size: usize,
    /// Its entries so far.
    pub content: Content<'s>,
}

pub(super) enum Content<'s> {
    Seq(Vec<NodeId>),
    Map {
        entries: Vec<Entry<'s>>,
        merged: Merged<'s>,
        /// True if it has a `<<`.
        merges: bool,
        /// The key whose value comes next.
        key: Option<Key<'s>>,
    },
}

pub(super) enum Key<'s> {
    Text(Cow<'s, str>, Span),
    Merge(Span),
}

impl<'s> Composer<'s, '_> {
    /// Returns true if the next node is a mapping key.
    pub(super) fn at_key(&self) -> bool {
        matches!(
            self.stack.last(),
            Some(Frame {
                content: Content::Map { key: None, .. },
                ..
            })
        )
    }

    /// Takes a `<<`: the next value will be merged into the innermost mapping. A second `<<` is a duplicate.
    pub(super) fn merge_key(&mut self, span: Span) {
        let content = self.stack.last_mut().map(|frame| &mut frame.content);
        if let Some(Content::Map { key, merges, .. }) = content {
            if std::mem::replace(merges, true) {
                self.duplicates.add("<<", span);
            }
            *key = Some(Key::Merge(span));
        }
    }

    /// Begins a collection.
    ///
    /// # Errors
    /// Nesting beyond the limit; a collection as a key; a length beyond the limit.
    pub(super) fn open(
        &mut self,
        anchor: usize,
        start: Span,
        content: Content<'s>,
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
        self.anchors.remove(&anchor);
        let keys = self.keys_below();
        self.stack.push(Frame {
            anchor,
            keys,
            start,
            end: start.end,
            size: 2,
            content,
        });
        Ok(None)
    }

    /// Returns the kind of keys that a mapping may have which begins here.
    fn keys_below(&self) -> Keys {
        let Some(frame) = self.stack.last() else {
            return Keys::Fields;
        };
        match &frame.content {
            Content::Seq(_) if frame.keys == Keys::Merged => Keys::Merged,
            Content::Map { key, .. } => match key {
                Some(Key::Merge(_)) => Keys::Merged,
                Some(Key::Text(key, _)) if self.named.is_some_and(|n| n.contains(&&**key)) => {
                    Keys::Names
                }
                _ => Keys::Fields,
            },
            Content::Seq(_) => Keys::Fields,
        }
    }

    /// Stops composing after an entry, if no document can begin with the text up to here.
    pub(super) fn cut_after(&mut self, key: Span) {
        let Some(frame) = self.stack.last() else {
            return;
        };
        let Content::Map { entries, .. } = &frame.content else {
            return;
        };
        let Some(last) = entries.last() else {
            return;
        };
        let value = &self.nodes[target(&self.nodes, last.value).0 as usize].kind;
        let is_full = self.surplus.add(frame.keys, entries, value);
        let open = self.stack.iter().filter_map(|frame| match &frame.content {
            Content::Map { entries, .. } => Some(&entries[..]),
            Content::Seq(_) => None,
        });
        let is_cut =
            is_full || self.surplus.is_time_to_count() && are_enough(self.duplicates.len(), open);
        if is_cut {
            self.cut = Some(Cut { at: frame.end, key });
        }
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
        let kind = match frame.content {
            Content::Seq(items) => Kind::Seq(items),
            Content::Map {
                entries, merged, ..
            } => {
                self.duplicates.find(&entries);
                Kind::Map(merged.before(entries))
            }
        };
        // Flow collections end at their bracket; block collections where their last value ends.
        let end = if end.start == end.end {
            frame.end
        } else {
            end.end
        };
        let span = Span::new(frame.start.start, end.max(frame.start.end));
        let node = self.push(Node { span, kind }, frame.size);
        self.anchor(frame.anchor, node);
        self.place(node, span)
    }

    /// Adds a node to its collection; returns the node if it is the root.
    pub(super) fn place(&mut self, node: NodeId, span: Span) -> Result<Option<NodeId>> {
        let size = self.sizes[node.0 as usize];
        let target = target(&self.nodes, node);
        let Some(frame) = self.stack.last_mut() else {
            return Ok(Some(node));
        };
        frame.size = frame.size.saturating_add(size);
        frame.end = frame.end.max(span.end);
        match &mut frame.content {
            Content::Seq(items) => items.push(node),
            Content::Map {
                entries,
                merged,
                key,
                ..
            } => match key.take() {
                None => *key = Some(key_of(&self.nodes[target.0 as usize].kind, span)?),
                Some(Key::Text(key, key_span)) => {
                    entries.push(Entry {
                        key,
                        key_span,
                        value: node,
                    });
                    if self.named.is_some() && self.cut.is_none() {
                        self.cut_after(key_span);
                    }
                }
                Some(Key::Merge(at)) => {
                    merged.add(&mut self.nodes, node, at)?;
                    // Merged values count nothing: their mapping has been counted.
                    self.sizes.resize(self.nodes.len(), 0);
                }
            },
        }
        Ok(None)
    }

    /// Takes a scalar that is a key of the innermost mapping. It has no anchor, so it needs no node.
    pub(super) fn key(&mut self, kind: Kind<'s>, span: Span, len: usize) -> Result<()> {
        if let Some(frame) = self.stack.last_mut() {
            frame.size = frame.size.saturating_add(len);
            frame.end = frame.end.max(span.end);
            if let Content::Map { key, .. } = &mut frame.content {
                *key = Some(match kind {
                    Kind::Str(text) => Key::Text(text, span),
                    other => key_of(&other, span)?,
                });
            }
        }
        Ok(())
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
        _ => Err(fault().help("put quotes around it")),
    }
}
