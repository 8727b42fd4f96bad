//! One reader of the structure of YAML: tolerant, lossless and bounded.
//!
//! [`parse`] reads one document into a flat list of nodes in the order of the text. Nothing is copied: nodes are spans, and
//! [`Tree::text`] decodes a scalar when it is asked for. Faults do not end the reading; they are listed beside the nodes.
//! What no span covers is blanks, comments, indicators and text that a fault covers.

mod block;
mod fault;
mod flow;
mod reader;
mod scalar;
mod value;

pub use fault::{Fault, Problem, Stray};

use std::ops::Range;

/// Limits on a text.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most collections inside one another. The reader recurses as deeply.
    pub depth: u32,
    /// Most nodes.
    pub nodes: u32,
    /// Most bytes with all aliases written out.
    pub expanded: u64,
    /// Most faults that are kept.
    pub faults: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 64,
            nodes: u32::MAX >> 1,
            expanded: u64::MAX,
            faults: 100,
        }
    }
}

/// The kind of a node and its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text without quotes.
    Plain,
    /// Text in single quotes.
    Single,
    /// Text in double quotes.
    Double,
    /// A block scalar after `|`.
    Literal,
    /// A block scalar after `>`.
    Folded,
    /// A value, an item or a key that is not written.
    Empty,
    /// A list with a dash before each item.
    BlockSeq,
    /// A list in brackets.
    FlowSeq,
    /// A mapping with a field in each line.
    BlockMap,
    /// A mapping in braces.
    FlowMap,
    /// `*name`.
    Alias,
    /// Text that is no node.
    Error,
}

/// A node. Its children follow it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// True if the value of the scalar is not the text between its quotes.
    pub is_encoded: bool,
    /// The indentation of the lines of a block scalar.
    indent: u16,
    /// Its first byte; anchors and tags stand before it.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The node after it and its children.
    past: u32,
    /// The target of an alias; for other nodes one more than the index of their properties.
    link: u32,
}

/// The anchor and the tag of a node, each with its sign.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// The bytes of `&name`; empty without an anchor.
    pub anchor: Range<usize>,
    /// The bytes of `!!tag`; empty without a tag.
    pub tag: Range<usize>,
}

/// A text and its nodes. The first node is the root.
#[derive(Debug)]
pub struct Tree<'s> {
    source: &'s str,
    nodes: Vec<Node>,
    properties: Vec<Properties>,
    /// In the order of the text, but for those of collections that do not end.
    pub faults: Vec<Fault>,
    /// The number of bytes with all aliases written out.
    pub expanded: u64,
}

/// Reads the one document of a text.
pub fn parse(text: &str, limits: Limits) -> Tree<'_> {
    reader::read(text, limits)
}

impl Kind {
    /// True for mappings.
    pub fn is_map(self) -> bool {
        matches!(self, Self::BlockMap | Self::FlowMap)
    }

    /// True for mappings and lists.
    pub fn is_collection(self) -> bool {
        self.is_map() || matches!(self, Self::BlockSeq | Self::FlowSeq)
    }
}

impl<'s> Tree<'s> {
    /// Returns the whole text.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// False: there always is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the node of this number.
    ///
    /// # Panics
    /// There is no such node.
    pub fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns the bytes of a node.
    ///
    /// # Panics
    /// There is no such node.
    pub fn span(&self, id: u32) -> Range<usize> {
        let node = self.node(id);
        node.start as usize..node.end as usize
    }

    /// Returns the written text of a node, with its quotes or its brackets.
    pub fn written(&self, id: u32) -> &'s str {
        &self.source[self.span(id)]
    }

    /// Returns the node after a node and its children.
    ///
    /// # Panics
    /// There is no such node.
    pub fn past(&self, id: u32) -> u32 {
        self.node(id).past
    }

    /// Returns the number of blanks before the content of each line of a block scalar.
    ///
    /// # Panics
    /// There is no such node.
    pub fn indent(&self, id: u32) -> usize {
        self.node(id).indent.into()
    }

    /// Returns the nodes of a collection: of a mapping keys and values in turn.
    pub fn children(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        let past = self.node(id).past;
        let mut next = id + 1;
        std::iter::from_fn(move || {
            let child = (next < past).then_some(next)?;
            next = self.node(child).past;
            Some(child)
        })
    }

    /// Returns the keys and values of a mapping.
    pub fn entries(&self, id: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let is_map = self.node(id).kind.is_map();
        let mut children = self.children(id);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
            .filter(move |_| is_map)
    }

    /// Returns the anchor and the tag of a node.
    pub fn properties(&self, id: u32) -> Option<&Properties> {
        let node = self.node(id);
        let index = node
            .link
            .checked_sub(1)
            .filter(|_| node.kind != Kind::Alias)?;
        self.properties.get(index as usize)
    }

    /// Returns the node that an alias repeats.
    pub fn target(&self, id: u32) -> Option<u32> {
        let node = self.node(id);
        (node.kind == Kind::Alias && node.link != u32::MAX).then_some(node.link)
    }

    /// Returns the collections around a place, from the root on, and the node there. A place in blanks belongs to what its column and
    /// the commas before it say.
    pub fn at(&self, place: usize) -> Vec<u32> {
        let mut path = vec![0];
        let column = |at: usize| at - self.source[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let here = column(place);
        loop {
            let around = path[path.len() - 1];
            let base = column(self.node(around).start as usize);
            let is_block = matches!(self.node(around).kind, Kind::BlockMap | Kind::BlockSeq);
            let mut found: Option<u32> = None;
            for child in self
                .children(around)
                .take_while(|child| self.node(*child).start as usize <= place)
            {
                let Range { start, end } = self.span(child);
                let gap = &self.source[end.min(place)..place];
                let is_near =
                    !gap.contains(['\n', '\r']) && (is_block || !gap.contains([',', ']', '}']));
                let is_known = found.is_some_and(|found| self.node(found).end as usize == place);
                let is_here = match self.node(child).kind {
                    Kind::BlockMap | Kind::BlockSeq => {
                        place <= end || here >= column(start) || is_near
                    }
                    Kind::FlowMap | Kind::FlowSeq if self.is_closed(child) => place < end,
                    Kind::Literal | Kind::Folded => place <= end,
                    Kind::Empty => !is_known && (is_near || is_block && here > base),
                    _ => is_near,
                };
                found = if is_here || is_known {
                    found.filter(|_| is_known).or(Some(child))
                } else {
                    None
                };
            }
            let Some(found) = found else { return path };
            path.push(found);
        }
    }

    /// Returns true if a flow collection has its closing bracket.
    pub fn is_closed(&self, id: u32) -> bool {
        let written = self.written(id);
        written.len() > 1 && written.ends_with(if written.starts_with('{') { '}' } else { ']' })
    }

    /// Returns the comments in a gap between nodes, without blanks at their ends.
    pub fn comments(&self, gap: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = gap.start;
        std::iter::from_fn(move || {
            loop {
                let found = at + self.source[at..gap.end].find('#')?;
                let rest = &self.source[found..gap.end];
                at = found + rest.find(['\n', '\r']).unwrap_or(rest.len());
                let before = self.source[..found].chars().next_back();
                if before.is_none_or(|c| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{feff}')) {
                    return Some(
                        found..found + self.source[found..at].trim_end_matches([' ', '\t']).len(),
                    );
                }
                at = found + 1;
            }
        })
    }
}

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
