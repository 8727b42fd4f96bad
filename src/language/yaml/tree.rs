//! The tree of nodes.

use std::borrow::Cow;

use super::Int;
use crate::base::diag::Span;

/// Index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub(super) u32);

/// A value and where it stands.
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
    /// Nothing: an empty value, `~` or `null`.
    Null,
    /// `true` or `false` in three casings each.
    Bool(bool),
    /// A whole number in any of the four bases.
    Int(Int),
    /// A real number, which may be infinite or not a number.
    Float(f64),
    /// A date or date-time; no field accepts one.
    Date,
    /// Text.
    Str(Cow<'s, str>),
    /// A sequence.
    Seq(Vec<NodeId>),
    /// A mapping with unique string keys, in document order, merged entries first.
    Map(Vec<Entry<'s>>),
    /// Another node, which is no alias: an alias and the node of its anchor, or a merged value and the value in
    /// the mapping that it is merged from. [`Tree::node`] looks through it.
    Alias(NodeId),
}

/// One key of a mapping and its value.
#[derive(Clone, Debug)]
pub struct Entry<'s> {
    /// The key.
    pub key: Cow<'s, str>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: NodeId,
}

/// All nodes of one document. The root is always a mapping.
#[derive(Clone, Debug)]
pub struct Tree<'s> {
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) root: NodeId,
    pub(super) expanded: usize,
    pub(super) cut: Option<Cut>,
}

/// Where composing ended early, because what stands before it cannot be a document.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The bytes before this one have been composed. Collections that were open then end beyond it.
    pub at: u32,
    /// The last key before the cut.
    pub key: Span,
}

impl Kind<'_> {
    /// How messages call a value.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => format!("the boolean {value}"),
            Self::Int(int) => match int.exact {
                Some(value) => format!("the number {value}"),
                None => format!("the number {}", int.nearest),
            },
            Self::Float(value) => format!("the number {value}"),
            Self::Date => "a date (put quotes around it if it is text)".into(),
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

/// What a node stands for: itself, unless it is an alias.
pub(super) fn target(nodes: &[Node<'_>], id: NodeId) -> NodeId {
    match nodes[id.0 as usize].kind {
        Kind::Alias(target) => target,
        _ => id,
    }
}

impl<'s> Tree<'s> {
    /// The root mapping.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Bytes of the text, about, with all aliases written out.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// Where composing ended early; `None` if the tree is the whole document.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// The node with this index, or what it stands for if it is an alias.
    pub fn node(&self, id: NodeId) -> &Node<'s> {
        self.raw(target(&self.nodes, id))
    }

    /// What an alias stands for; `None` if the node is none.
    pub fn target(&self, id: NodeId) -> Option<NodeId> {
        match self.raw(id).kind {
            Kind::Alias(target) => Some(target),
            _ => None,
        }
    }

    /// Where a node is written: for an alias its own place, for a merged value where it is merged from. `via` is
    /// the alias through which the node is reached, if it is.
    pub fn span_of(&self, id: NodeId, via: Option<NodeId>) -> Span {
        match via {
            None => self.raw(id).span,
            Some(alias) if self.target(alias) == Some(id) => {
                self.through(self.raw(alias).span, via)
            }
            Some(_) => self.through(self.raw(id).span, via),
        }
    }

    /// A span as it is reached through an alias.
    pub fn through(&self, span: Span, via: Option<NodeId>) -> Span {
        let via = via.map_or(0, |alias| alias.0 + 1);
        Span { via, ..span }
    }

    pub(super) fn raw(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id.0 as usize]
    }

    /// Entries of a mapping, or `None` for anything else.
    pub fn entries(&self, id: NodeId) -> Option<&[Entry<'s>]> {
        match &self.node(id).kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }
}
