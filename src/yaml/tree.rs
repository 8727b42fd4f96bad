//! The tree of nodes, and the document path of a place in it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Int;
use crate::diag::Span;

/// Index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub(super) u32);

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// From its first byte to one past its last. An alias shares the node, and so the span, of its anchor.
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
        }
    }
}

impl<'s> Tree<'s> {
    /// The root mapping.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node with this index.
    pub fn node(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id.0 as usize]
    }

    /// Entries of a mapping, or `None` for anything else.
    pub fn entries(&self, id: NodeId) -> Option<&[Entry<'s>]> {
        match &self.node(id).kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The document path of a span, such as `meshes[0].primitives[2].id`: the way down from the root to the
    /// innermost node or key that holds it. What an alias stands for is found where its anchor is.
    pub fn path_of(&self, span: Span) -> String {
        let mut path = String::new();
        let mut id = self.root;
        while self.node(id).span != span {
            match &self.node(id).kind {
                Kind::Map(entries) => {
                    let key = |e: &Entry<'_>| e.key_span == span;
                    let value = |e: &Entry<'_>| {
                        let at = self.node(e.value).span;
                        let own = e.key_span.start <= at.start;
                        own && at.start <= span.start && span.end <= at.end
                    };
                    let found = nearby(
                        entries,
                        |e| e.key_span.start <= span.start,
                        |e| key(e) || value(e),
                    );
                    let Some(entry) = found.map(|index| &entries[index]) else {
                        break;
                    };
                    push_key(&mut path, &entry.key);
                    if key(entry) {
                        break;
                    }
                    id = entry.value;
                }
                Kind::Seq(items) => {
                    let at = |item: &NodeId| self.node(*item).span;
                    let holds =
                        |item: &NodeId| at(item).start <= span.start && span.end <= at(item).end;
                    let Some(index) = nearby(items, |item| at(item).start <= span.start, holds)
                    else {
                        break;
                    };
                    let _ = write!(path, "[{index}]");
                    id = items[index];
                }
                _ => break,
            }
        }
        path
    }
}

/// The element that `holds`: at the place where `begins` ends, as is the case in a list in document order, or
/// anywhere, as aliases and merge keys may have it.
fn nearby<T>(list: &[T], begins: impl Fn(&T) -> bool, holds: impl Fn(&T) -> bool) -> Option<usize> {
    let guess = list.partition_point(begins).checked_sub(1);
    guess
        .filter(|index| holds(&list[*index]))
        .or_else(|| list.iter().position(holds))
}

/// Appends `.key`, or `["key"]` where the key is not a plain word.
fn push_key(path: &mut String, key: &str) {
    let plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
    } else {
        let _ = write!(path, "[{key:?}]");
    }
}
