//! The nodes of a sketch.

use std::ops::Range;

/// A mapping of fields has fewer entries than this. The entries after them are not searched, so that texts with very many
/// keys are read in a time in proportion to their length.
const MOST_FIELDS: usize = 256;

/// Index of a node in its sketch.
pub type NodeId = usize;

/// The notation of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// A block after `|` or `>`.
    Block,
}

/// A scalar as the text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Its bytes, quotes included.
    pub range: Range<usize>,
    pub style: Style,
    /// True if it is text, and not null, a boolean, a number or a date.
    pub is_text: bool,
    /// Its value, where that is not what stands in the range between the quotes.
    pub decoded: Option<Box<str>>,
}

/// A key of a mapping and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: Scalar,
    pub value: NodeId,
    /// True if a merge key brought it from another mapping.
    pub is_merged: bool,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing is written there.
    Empty,
    Scalar(Scalar),
    Map(Vec<Entry>),
    List(Vec<NodeId>),
    /// An alias of another node; `None` if no node has its name.
    Alias(Option<NodeId>),
}

/// A node.
#[derive(Clone, PartialEq)]
pub struct Node {
    /// From its first byte to one past its last. Comments after it are not part of it.
    pub range: Range<usize>,
    pub value: Value,
}

/// The tree of a text.
pub struct Sketch {
    pub nodes: Vec<Node>,
    pub root: NodeId,
}

impl Scalar {
    /// Returns the range of its text, without quotes.
    pub fn inner(&self) -> Range<usize> {
        match self.style {
            Style::Single | Style::Double if self.range.len() >= 2 => {
                self.range.start + 1..self.range.end - 1
            }
            _ => self.range.clone(),
        }
    }

    /// Returns its value.
    pub fn value<'a>(&'a self, text: &'a str) -> &'a str {
        match &self.decoded {
            Some(decoded) => decoded,
            None => text.get(self.inner()).unwrap_or_default(),
        }
    }

    /// Returns the bytes of a part of its value; all of the scalar if the text spells the value in another way.
    pub fn part(&self, at: &Range<usize>) -> Range<usize> {
        match self.decoded {
            Some(_) => self.range.clone(),
            None => self.inner().start + at.start..self.inner().start + at.end,
        }
    }
}

impl Sketch {
    /// Returns a node as it is written, which may be an alias.
    pub fn raw(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// Returns a node, or the node that it is an alias of.
    pub fn node(&self, id: NodeId) -> &Node {
        match self.nodes[id].value {
            Value::Alias(Some(target)) => &self.nodes[target],
            _ => &self.nodes[id],
        }
    }

    /// Returns all nodes as they are written, in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the entries of a mapping; none for another node.
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        match &self.node(id).value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list; none for another node.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match &self.node(id).value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the entry of a mapping with a key, among the first [`MOST_FIELDS`].
    pub fn entry(&self, id: NodeId, key: &str, text: &str) -> Option<&Entry> {
        self.entries(id)
            .iter()
            .take(MOST_FIELDS)
            .find(|entry| entry.key.value(text) == key)
    }

    /// Returns the scalar of a node.
    pub fn scalar(&self, id: NodeId) -> Option<&Scalar> {
        match &self.node(id).value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the text that a key of a mapping has; `None` if it is not there or no text.
    pub fn text_of<'a>(&'a self, id: NodeId, key: &str, text: &'a str) -> Option<&'a str> {
        let scalar = self.scalar(self.entry(id, key, text)?.value)?;
        scalar.is_text.then(|| scalar.value(text))
    }
}
