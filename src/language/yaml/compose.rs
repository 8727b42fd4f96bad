//! From the parser's events to a tree: anchors, aliases, merge keys, tags, duplicate keys, and their limits.

mod collections;

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use super::advice::advice;
use super::cut::Surplus;
use super::duplicates::Duplicates;
use super::entrance::{characters, first_token, not_a_mapping};
use super::input::Text;
use super::merge::Merged;
use super::position::Positions;
use super::tags::{collection_tag, resolve};
use super::tree::{Cut, Kind, Node, NodeId, Tree, target};
use super::{Result, malformed};
use crate::base::diag::{Diagnostic, Span};
use crate::base::limits::Limits;
use collections::{Content, Frame};

/// Composes the one document of a text into a tree.
///
/// # Errors
/// Everything here is a ParseError (`U10`): syntax, more than one document, a root that is no mapping,
/// unknown tags or aliases, non-string or duplicate keys, nesting beyond [`MAX_DEPTH`](super::MAX_DEPTH), and aliases that
/// expand the document beyond its allowance. Duplicate keys are all reported; anything else stops at once.
pub fn compose(text: &str) -> std::result::Result<Tree<'_>, Malformed<'_>> {
    compose_within(text, &Limits::DEFAULT)
}

/// Does the same as [`compose`], with the caller's limits on depth and aliases.
///
/// # Errors
/// As [`compose`].
pub fn compose_within<'s>(
    text: &'s str,
    limits: &Limits,
) -> std::result::Result<Tree<'s>, Malformed<'s>> {
    compose_with(text, limits, None)
}

/// Does the same as [`compose_within`] for a text whose mappings have few keys, the names of fields. Only the values of the
/// keys in `named` are mappings with any number of keys, from names of the author's to mappings and lists.
///
/// If a text has 65,536 keys more than that, or as many duplicate keys as are reported, composing stops there, and
/// [`Tree::cut`] says where. So a long text that is no document takes little time and memory.
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

/// The errors of a text that is not a document.
#[derive(Debug)]
pub struct Malformed<'s> {
    /// At least one error, in document order.
    pub errors: Vec<Diagnostic>,
    /// The tree up to the errors, if there is one, for their document paths.
    pub tree: Option<Tree<'s>>,
}

struct Composer<'s, 'n> {
    text: &'s str,
    /// Keys whose values have names of the author's for keys; `None` if every text is composed to its end.
    named: Option<&'n [&'n str]>,
    surplus: Surplus,
    cut: Option<Cut>,
    parser: Parser<'s, Text<'s>>,
    positions: Positions<'s>,
    nodes: Vec<Node<'s>>,
    /// For each node, its length in bytes with aliases written out.
    sizes: Vec<usize>,
    anchors: HashMap<usize, NodeId>,
    stack: Vec<Frame<'s>>,
    /// Most levels of nesting.
    depth: usize,
    /// Greatest length in bytes with aliases written out.
    allowance: usize,
    /// The length so far, with aliases written out.
    expanded: usize,
    duplicates: Duplicates,
}

impl<'s, 'n> Composer<'s, 'n> {
    fn new(text: &'s str, limits: &Limits, named: Option<&'n [&'n str]>) -> Self {
        // Enough for small documents; for large ones the lists grow.
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

    /// Takes one event of the document's content; returns the root when it is complete.
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

    /// Returns the same text, borrowed if it is written as it reads: the parser copies every plain scalar.
    fn borrowed(&self, text: Cow<'s, str>, span: Span) -> Cow<'s, str> {
        match self.text.get(span.start as usize..span.end as usize) {
            Some(written) if *written == text => Cow::Borrowed(written),
            _ => text,
        }
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
