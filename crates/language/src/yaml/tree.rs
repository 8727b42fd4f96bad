//! The tree of nodes.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::{Int, numeric_text};
use rigy_base::diag::Span;

/// Index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Returns its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The items of a sequence. Most sequences are the numbers of a point or a rotation.
pub type Items = SmallVec<[NodeId; 4]>;

/// A value and its span.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// From its first byte to one past its last.
    pub span: Span,
    /// The value.
    pub kind: Kind<'s>,
}

/// A resolved value.
#[derive(Clone, Debug)]
pub enum Kind<'s> {
    /// An empty value, `~` or `null`.
    Null,
    /// `true` or `false` in three casings each.
    Bool(bool),
    /// A whole number in any of the four bases.
    Int(Int),
    /// A real number, which may be infinite or not a number.
    Float(f64),
    /// A date or date-time, as it is written; no field accepts one.
    Date(Cow<'s, str>),
    /// Text.
    Str(Cow<'s, str>),
    /// A sequence.
    Seq(Items),
    /// A mapping with unique string keys, in document order, merged entries first.
    Map(Vec<Entry<'s>>),
    /// A reference to another node, which is no alias: from an alias to the node of its anchor, or from a merged value to
    /// the value in the other mapping. [`Tree::node`] follows it.
    Alias(NodeId),
}

/// One key of a mapping and its value.
#[derive(Clone, Debug)]
pub struct Entry<'s> {
    /// The key.
    pub key: Cow<'s, str>,
    /// The span of the key.
    pub key_span: Span,
    /// The value.
    pub value: NodeId,
}

/// All nodes of one document. The root is always a mapping.
#[derive(Debug)]
pub struct Tree<'s> {
    pub(super) nodes: Vec<Node<'s>>,
    /// The root mapping.
    pub root: NodeId,
    /// About how many bytes the text has with all aliases written out.
    pub expanded: usize,
    /// The point at which composing ended early; `None` if the tree is the whole document.
    pub cut: Option<Cut>,
}

/// The point at which composing ended early, because no document begins with the text before it.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The number of bytes that have been composed. Collections that were open then end after them.
    pub at: u32,
    /// The last key before the cut.
    pub key: Span,
}

impl Kind<'_> {
    /// Returns a number, or the number in a text (`language.md` §1.3); `None` for anything else.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(int) => Some(int.nearest),
            Self::Float(value) => Some(*value),
            Self::Str(text) => numeric_text(text),
            _ => None,
        }
    }

    /// Returns the words for a value in messages.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => format!("the boolean {value}"),
            Self::Int(int) => match int.exact {
                Some(value) => format!("the number {value}"),
                None => format!("the number {}", int.nearest),
            },
            Self::Float(value) => format!("the number {value}"),
            Self::Date(_) => "a date (put quotes around it if it is text)".into(),
            Self::Str(text) if text.chars().count() > 40 => {
                format!("the text `{}…`", text.chars().take(40).collect::<String>())
            }
            Self::Str(text) => format!("the text `{text}`"),
            Self::Seq(_) => "a list".into(),
            Self::Map(_) => "a mapping".into(),
            Self::Alias(_) => "an alias".into(),
        }
    }
}

/// Returns the target of an alias; any other node is its own target.
pub fn target(nodes: &[Node], id: NodeId) -> NodeId {
    match nodes[id.0 as usize].kind {
        Kind::Alias(target) => target,
        _ => id,
    }
}

impl<'s> Tree<'s> {
    /// Returns the node with this index, or its target if it is an alias.
    pub fn node(&self, id: NodeId) -> &Node<'s> {
        self.raw(target(&self.nodes, id))
    }

    /// Returns the target of an alias; `None` for other nodes.
    pub fn target(&self, id: NodeId) -> Option<NodeId> {
        match self.raw(id).kind {
            Kind::Alias(target) => Some(target),
            _ => None,
        }
    }

    /// Returns the span of a node: for an alias its own span, for a merged value that of the value in the other mapping.
    /// `via` is the alias through which the node is reached, if there is one.
    pub fn span_of(&self, id: NodeId, via: Option<NodeId>) -> Span {
        match via {
            None => self.raw(id).span,
            Some(alias) if self.target(alias) == Some(id) => {
                self.through(self.raw(alias).span, via)
            }
            Some(_) => self.through(self.raw(id).span, via),
        }
    }

    /// Returns a span that is marked as reached through an alias.
    pub fn through(&self, span: Span, via: Option<NodeId>) -> Span {
        let via = via.map_or(0, super::origin::through_alias);
        Span { via, ..span }
    }

    /// Returns a tree without nodes, for a stage that makes about so many. Its root is the first node until one is set.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(capacity),
            root: NodeId(0),
            expanded: 0,
            cut: None,
        }
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, node: Node<'s>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    /// Returns a node to change it. It is no alias.
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node<'s> {
        &mut self.nodes[id.0 as usize]
    }

    /// Returns the number of nodes, aliases included. The nodes of collections come before the collections.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all nodes in the order in which they ended in the text.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns the node with this index, even if it is an alias.
    pub fn raw(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id.0 as usize]
    }

    /// Returns true if the root has a key.
    pub fn has_key(&self, key: &str) -> bool {
        self.entry(self.root, key).is_some()
    }

    /// Returns the entry of a key of a mapping.
    pub fn entry(&self, id: NodeId, key: &str) -> Option<&Entry<'s>> {
        self.entries(id)?.iter().find(|entry| entry.key == key)
    }

    /// Returns the value of a key of a mapping.
    pub fn value(&self, id: NodeId, key: &str) -> Option<NodeId> {
        Some(self.entry(id, key)?.value)
    }

    /// Returns the entries of a mapping; `None` for other nodes.
    pub fn entries(&self, id: NodeId) -> Option<&[Entry<'s>]> {
        match &self.node(id).kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }
}
