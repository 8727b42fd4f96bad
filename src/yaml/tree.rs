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

impl<'s> Tree<'s> {
    /// The root mapping.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node with this index, or what it stands for if it is an alias.
    pub fn node(&self, id: NodeId) -> &Node<'s> {
        self.raw(self.target(id).unwrap_or(id))
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

    fn raw(&self, id: NodeId) -> &Node<'s> {
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
    /// innermost node or key that holds it. What is reached through an alias is found below the alias.
    pub fn path_of(&self, span: Span) -> String {
        let mut path = String::new();
        let Some(alias) = span.via.checked_sub(1).map(NodeId) else {
            self.descend(self.root, span, &mut path);
            return path;
        };
        self.find(self.root, alias, &mut path);
        if let Some(target) = self.target(alias) {
            self.descend(target, span, &mut path);
        }
        path
    }

    /// Appends the way from a node down to the innermost that holds the span.
    fn descend(&self, from: NodeId, span: Span, path: &mut String) {
        let mut id = from;
        while self.raw(id).span != span {
            // Below an alias, what a nested alias stands for counts as its own.
            let place = |id: NodeId| match self.target(id) {
                Some(target) if span.via > 0 => self.raw(target).span,
                _ => self.raw(id).span,
            };
            let within = |at: Span| at.start <= span.start && span.end <= at.end;
            match &self.node(id).kind {
                Kind::Map(entries) => {
                    let bytes = |s: Span| (s.start, s.end);
                    let key = |e: &Entry<'_>| bytes(e.key_span) == bytes(span);
                    let own =
                        |e: &Entry<'_>| span.via > 0 || e.key_span.start <= place(e.value).start;
                    let found = nearby(
                        entries,
                        |e| e.key_span.start <= span.start,
                        |e| key(e) || (own(e) && within(place(e.value))),
                    );
                    let Some(entry) = found.map(|index| &entries[index]) else {
                        break;
                    };
                    push_key(path, &entry.key);
                    if key(entry) {
                        break;
                    }
                    id = entry.value;
                }
                Kind::Seq(items) => {
                    let begins = |item: &NodeId| place(*item).start <= span.start;
                    let Some(index) = nearby(items, begins, |item| within(place(*item))) else {
                        break;
                    };
                    let _ = write!(path, "[{index}]");
                    id = items[index];
                }
                _ => break,
            }
            if self.target(id).is_some() && span.via == 0 {
                break;
            }
        }
    }

    /// Appends the way from a node down to another one, if it is there. Aliases are not followed.
    fn find(&self, from: NodeId, wanted: NodeId, path: &mut String) -> bool {
        if from == wanted {
            return true;
        }
        let length = path.len();
        match &self.raw(from).kind {
            Kind::Map(entries) => {
                for entry in entries {
                    push_key(path, &entry.key);
                    if self.find(entry.value, wanted, path) {
                        return true;
                    }
                    path.truncate(length);
                }
            }
            Kind::Seq(items) => {
                for (index, item) in items.iter().enumerate() {
                    let _ = write!(path, "[{index}]");
                    if self.find(*item, wanted, path) {
                        return true;
                    }
                    path.truncate(length);
                }
            }
            _ => {}
        }
        false
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
