//! A text as nodes.

use crate::Fault;
use std::ops::Range;

/// Limits on a text.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most collections inside one another. The reader recurses as deeply.
    pub depth: u32,
    /// Most nodes.
    pub nodes: u32,
    /// Most faults that are kept.
    pub faults: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 64,
            nodes: u32::MAX >> 1,
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
    /// Its first byte; anchors and tags stand before it.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The node after it and its children; of a block scalar, which has none, the indentation of its lines.
    pub(crate) past: u32,
    /// One more than the index of its properties. Of an alias the target, or [`UNKNOWN`]; if it has properties, their index and [`LOADED`].
    pub(crate) link: u32,
}

/// The node after a collection that has not been read to its end.
pub const OPEN: u32 = 0;
/// The link of an alias without a target.
pub const UNKNOWN: u32 = u32::MAX;
/// The bit of the link of an alias with properties, where their index stands and they know the target.
pub const LOADED: u32 = 1 << 31;

/// The anchor and the tag of a node, each with its sign.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// The bytes of `&name`; empty without an anchor.
    pub anchor: Range<usize>,
    /// The bytes of `!!tag`; empty without a tag.
    pub tag: Range<usize>,
    /// The target, if they stand before an alias, which is a fault.
    pub(crate) target: Option<u32>,
}

/// A text and its nodes. The first node is the root.
#[derive(Debug)]
pub struct Tree<'s> {
    pub(crate) source: &'s str,
    pub(crate) nodes: Vec<Node>,
    pub(crate) properties: Vec<Properties>,
    /// In the order of the text. The fault of a bracket that is not closed comes where the reader has noticed it, after the faults inside
    /// the brackets.
    pub faults: Vec<Fault>,
}

impl Kind {
    /// True for mappings.
    #[inline]
    pub fn is_map(self) -> bool {
        matches!(self, Self::BlockMap | Self::FlowMap)
    }

    /// True for mappings and lists.
    #[inline]
    pub fn is_collection(self) -> bool {
        self.is_map() || matches!(self, Self::BlockSeq | Self::FlowSeq)
    }
}

impl<'s> Tree<'s> {
    /// Returns the whole text.
    #[inline]
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// Returns the number of nodes.
    #[inline]
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
    #[inline]
    pub fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns the bytes of a node.
    ///
    /// # Panics
    /// There is no such node.
    #[inline]
    pub fn span(&self, id: u32) -> Range<usize> {
        let node = self.node(id);
        node.start as usize..node.end as usize
    }

    /// Returns the written text of a node, with its quotes or its brackets.
    #[inline]
    pub fn written(&self, id: u32) -> &'s str {
        &self.source[self.span(id)]
    }

    /// Returns the nodes of a collection: of a mapping keys and values in turn.
    pub fn children(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        let past = self.past(id);
        let mut next = id + 1;
        std::iter::from_fn(move || {
            let child = (next < past).then_some(next)?;
            next = self.past(child);
            Some(child)
        })
    }

    /// Returns the node after a node and its children.
    ///
    /// # Panics
    /// There is no such node.
    #[inline]
    pub fn past(&self, id: u32) -> u32 {
        let node = self.node(id);
        if node.kind.is_collection() {
            node.past
        } else {
            id + 1
        }
    }

    /// Returns the keys and values of a mapping.
    pub fn entries(&self, id: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let is_map = self.node(id).kind.is_map();
        let mut children = self.children(id);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
            .filter(move |_| is_map)
    }

    /// Returns the number of blanks before the content of each line of a block scalar; 0 for other nodes.
    ///
    /// # Panics
    /// There is no such node.
    pub fn indent(&self, id: u32) -> usize {
        let node = self.node(id);
        match node.kind {
            Kind::Literal | Kind::Folded => node.past as usize,
            _ => 0,
        }
    }

    /// Returns the anchor and the tag of a node.
    #[inline]
    pub fn properties(&self, id: u32) -> Option<&Properties> {
        let node = self.node(id);
        let index = match node.kind {
            Kind::Alias if node.link == UNKNOWN || node.link < LOADED => return None,
            Kind::Alias => node.link - LOADED,
            _ => node.link.checked_sub(1)?,
        };
        self.properties.get(index as usize)
    }

    /// Returns the node that an alias repeats.
    pub fn target(&self, id: u32) -> Option<u32> {
        let node = self.node(id);
        match (node.kind, self.properties(id)) {
            (Kind::Alias, Some(properties)) => properties.target,
            (Kind::Alias, None) => (node.link != UNKNOWN).then_some(node.link),
            _ => None,
        }
    }
}
