//! Parser events to tree: anchors, aliases, merge keys, tags, duplicate keys, and the limits on all of them.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use super::advice::advice;
use super::cut::{Keys, Surplus, are_enough};
use super::duplicates::Duplicates;
use super::entrance::{characters, first_token, not_a_mapping};
use super::input::Text;
use super::merge::Merged;
use super::position::Positions;
use super::tags::{collection_tag, resolve};
use super::tree::{Cut, Entry, Kind, Node, NodeId, Tree, target};
use super::{Result, malformed};
use crate::base::diag::{Diagnostic, Span};
use crate::base::limits::Limits;

/// Composes the one document of a text into a tree.
///
/// # Errors
/// Everything here is a ParseError (`U10`): syntax, more than one document, a root that is no mapping,
/// unknown tags or aliases, non-string or duplicate keys, nesting beyond [`MAX_DEPTH`](super::MAX_DEPTH), and aliases that
/// expand the document beyond its allowance. Duplicate keys are all reported; anything else stops at once.
pub fn compose(text: &str) -> std::result::Result<Tree<'_>, Malformed<'_>> {
    compose_within(text, &Limits::DEFAULT)
}

/// The same within limits of the caller's on depth and aliases.
///
/// # Errors
/// As [`compose`].
pub fn compose_within<'s>(
    text: &'s str,
    limits: &Limits,
) -> std::result::Result<Tree<'s>, Malformed<'s>> {
    compose_with(text, limits, None)
}

/// The same of a text that is made of fields: the keys of a mapping are names of a few fields, unless it is the value
/// of a key among `named`, whose values map names of the author's to mappings and lists.
///
/// A text that has very many keys beyond these (65,536), or as many duplicate keys as are reported, is composed no
/// further, whatever it says behind them: [`Tree::cut`] then says where that was. So a long text that is no document
/// takes neither time nor memory.
///
/// # Errors
/// As [`compose`].
pub fn compose_fields<'s>(
    text: &'s str,
    limits: &Limits,
    named: &[&str],
) -> std::result::Result<Tree<'s>, Malformed<'s>> {
    compose_with(text, limits, Some(named))
}

fn compose_with<'s>(
    text: &'s str,
    limits: &Limits,
    named: Option<&[&str]>,
) -> std::result::Result<Tree<'s>, Malformed<'s>> {
    let alone = |error| Malformed {
        errors: vec![error],
        tree: None,
    };
    characters(text).map_err(alone)?;
    first_token(text).map_err(alone)?;
    let mut composer = Composer::new(text, limits, named);
    let tree = composer.run().map_err(alone)?;
    match composer.duplicates.into_errors() {
        errors if errors.is_empty() => Ok(tree),
        errors => Err(Malformed {
            errors,
            tree: Some(tree),
        }),
    }
}

/// Why a text is not a document.
#[derive(Debug)]
pub struct Malformed<'s> {
    /// At least one error, in document order.
    pub errors: Vec<Diagnostic>,
    /// The tree as far as it is one, for the paths of the errors.
    pub tree: Option<Tree<'s>>,
}

/// A collection whose end has not been met yet.
struct Frame<'s> {
    anchor: usize,
    keys: Keys,
    start: Span,
    /// Where the last thing in it ends, an alias being what is written and not what it stands for.
    end: u32,
    size: usize,
    content: Content<'s>,
}

enum Content<'s> {
    Seq(Vec<NodeId>),
    Map {
        entries: Vec<Entry<'s>>,
        merged: Merged<'s>,
        /// Whether a `<<` has been met.
        merges: bool,
        key: Option<Key<'s>>,
    },
}

enum Key<'s> {
    Text(Cow<'s, str>, Span),
    Merge(Span),
}

struct Composer<'s, 'n> {
    text: &'s str,
    /// Keys whose values have names for keys; `None` if every text is to be composed to its end.
    named: Option<&'n [&'n str]>,
    surplus: Surplus,
    cut: Option<Cut>,
    parser: Parser<'s, Text<'s>>,
    positions: Positions<'s>,
    nodes: Vec<Node<'s>>,
    /// Bytes each node stands for once aliases are written out, parallel to `nodes`.
    sizes: Vec<usize>,
    anchors: HashMap<usize, NodeId>,
    stack: Vec<Frame<'s>>,
    /// Deepest nesting.
    depth: usize,
    allowance: usize,
    expanded: usize,
    duplicates: Duplicates,
}

impl<'s, 'n> Composer<'s, 'n> {
    fn new(text: &'s str, limits: &Limits, named: Option<&'n [&'n str]>) -> Self {
        // About what small documents come to; large ones grow beyond it.
        let node_count = (text.len() / 8).min(1 << 10);
        Self {
            text,
            named,
            surplus: Surplus::default(),
            cut: None,
            parser: Parser::new(Text::new(text)),
            positions: Positions::new(text),
            nodes: Vec::with_capacity(node_count),
            sizes: Vec::with_capacity(node_count),
            anchors: HashMap::new(),
            stack: Vec::new(),
            depth: limits.depth as usize,
            allowance: limits.expansion_of(text.len()),
            expanded: 0,
            duplicates: Duplicates::default(),
        }
    }

    fn run(&mut self) -> Result<Tree<'s>> {
        let mut root = None;
        let mut documents = 0;
        loop {
            let (event, span) = match self.parser.next_event() {
                None => break,
                Some(Err(error)) => return Err(self.syntax(&error)),
                Some(Ok((event, span))) => (event, self.positions.span(span)),
            };
            match event {
                Event::StreamEnd => break,
                Event::StreamStart | Event::Nothing | Event::DocumentEnd => {}
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        return Err(malformed(span, "a second document starts here")
                            .help("a file holds exactly one document"));
                    }
                }
                event => {
                    if self.stack.is_empty() && !matches!(event, Event::MappingStart(..)) {
                        return Err(not_a_mapping(span));
                    }
                    root = self.value(event, span)?.or(root);
                    if let Some(cut) = self.cut {
                        root = self.close_all(cut)?.or(root);
                        break;
                    }
                }
            }
        }
        let root = root.ok_or_else(|| not_a_mapping(Span::default()))?;
        Ok(Tree {
            nodes: std::mem::take(&mut self.nodes),
            root,
            expanded: self.expanded,
            cut: self.cut,
        })
    }

    /// Takes in one event of the document's content; returns the root once it is complete.
    fn value(&mut self, event: Event<'s>, span: Span) -> Result<Option<NodeId>> {
        match event {
            Event::Alias(anchor) => {
                let node = self.alias(anchor, span)?;
                self.place(node, span)
            }
            Event::Scalar(text, style, anchor, tag) => {
                if tag.is_none() && style == ScalarStyle::Plain && &*text == "<<" && self.at_key() {
                    self.merge_key(span);
                    return Ok(None);
                }
                let len = text.len() + 1;
                let text = self.borrowed(text, span);
                let kind = resolve(text, style, tag.as_deref(), span)?;
                if anchor == 0 && self.at_key() {
                    self.grow(len, span)?;
                    self.key(&kind, span, len)?;
                    return Ok(None);
                }
                let node = self.push(Node { span, kind }, len);
                self.anchor(anchor, node);
                self.grow(len, span)?;
                self.place(node, span)
            }
            Event::SequenceStart(anchor, tag) => {
                collection_tag(tag.as_deref(), "seq", span)?;
                self.open(anchor, span, Content::Seq(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                collection_tag(tag.as_deref(), "map", span)?;
                let content = Content::Map {
                    entries: Vec::new(),
                    merged: Merged::default(),
                    merges: false,
                    key: None,
                };
                self.open(anchor, span, content)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            _ => Ok(None),
        }
    }

    /// The same text, borrowed where it is written just so: the parser makes a copy of every plain scalar.
    fn borrowed(&self, text: Cow<'s, str>, span: Span) -> Cow<'s, str> {
        match self.text.get(span.start as usize..span.end as usize) {
            Some(written) if *written == text => Cow::Borrowed(written),
            _ => text,
        }
    }

    /// Whether the next node of the innermost collection is a mapping key.
    fn at_key(&self) -> bool {
        matches!(
            self.stack.last(),
            Some(Frame {
                content: Content::Map { key: None, .. },
                ..
            })
        )
    }

    /// Notes that the next value is merged into the innermost mapping; a second `<<` is a duplicate.
    fn merge_key(&mut self, span: Span) {
        let content = self.stack.last_mut().map(|frame| &mut frame.content);
        if let Some(Content::Map { key, merges, .. }) = content {
            if std::mem::replace(merges, true) {
                self.duplicates.add("<<", span);
            }
            *key = Some(Key::Merge(span));
        }
    }

    fn open(&mut self, anchor: usize, start: Span, content: Content<'s>) -> Result<Option<NodeId>> {
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
        // A plain frame's own anchor is registered only when it closes, so it can never contain itself.
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

    /// What the keys of a mapping may be that is about to begin.
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

    /// Stops composing after an entry, if what has been composed cannot be a document.
    fn cut_after(&mut self, key: Span) {
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
            is_full || self.surplus.is_time_to_look() && are_enough(self.duplicates.len(), open);
        if is_cut {
            self.cut = Some(Cut { at: frame.end, key });
        }
    }

    /// Ends all collections that are open, just beyond the cut.
    fn close_all(&mut self, cut: Cut) -> Result<Option<NodeId>> {
        let mut root = None;
        while !self.stack.is_empty() {
            root = self.close(Span::new(cut.at, cut.at.saturating_add(1)))?;
        }
        Ok(root)
    }

    fn close(&mut self, end: Span) -> Result<Option<NodeId>> {
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

    /// Hands a finished node to the collection it belongs to, or returns it as the root.
    fn place(&mut self, node: NodeId, span: Span) -> Result<Option<NodeId>> {
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
                    // Merged values take no room of their own.
                    self.sizes.resize(self.nodes.len(), 0);
                }
            },
        }
        Ok(None)
    }

    /// Takes a scalar that is a key of the innermost mapping and that no alias can repeat, for which there is no node.
    fn key(&mut self, kind: &Kind<'s>, span: Span, len: usize) -> Result<()> {
        if let Some(frame) = self.stack.last_mut() {
            frame.size = frame.size.saturating_add(len);
            frame.end = frame.end.max(span.end);
            if let Content::Map { key, .. } = &mut frame.content {
                *key = Some(key_of(kind, span)?);
            }
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<NodeId> {
        let Some(&node) = self.anchors.get(&anchor) else {
            return Err(malformed(
                span,
                "an alias stands inside the very node it repeats",
            ));
        };
        let size = self.sizes[node.0 as usize];
        self.grow(size, span)?;
        let kind = Kind::Alias(target(&self.nodes, node));
        Ok(self.push(Node { span, kind }, size))
    }

    /// Counts bytes towards the size of the document with its aliases written out.
    fn grow(&mut self, bytes: usize, span: Span) -> Result<()> {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > self.allowance {
            return Err(too_large(self.allowance, span));
        }
        Ok(())
    }

    fn push(&mut self, node: Node<'s>, size: usize) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        self.sizes.push(size);
        id
    }

    fn anchor(&mut self, anchor: usize, node: NodeId) {
        if anchor != 0 {
            self.anchors.insert(anchor, node);
        }
    }

    fn syntax(&mut self, error: &ScanError) -> Diagnostic {
        let start = self.positions.byte(*error.marker());
        let span = Span::new(start, start.saturating_add(1));
        if error.info().contains("recursion limit") {
            return too_deep(self.depth, span);
        }
        let fault = malformed(span, format!("this is not YAML: {}", error.info()));
        match advice(error.info(), self.text, start as usize) {
            Some(advice) => fault.help(advice),
            None => fault,
        }
    }
}

/// A scalar as a key.
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

/// Returns the error of nesting beyond the limit.
pub(crate) fn too_deep(depth: usize, span: Span) -> Diagnostic {
    malformed(span, format!("nesting is deeper than {depth} levels"))
}

/// Returns the error of aliases that expand a document beyond the limit.
pub(crate) fn too_large(allowance: usize, span: Span) -> Diagnostic {
    let message = format!("aliases expand this document beyond {allowance} bytes");
    malformed(span, message).help("write fewer nested aliases")
}

#[cfg(test)]
mod tests;
