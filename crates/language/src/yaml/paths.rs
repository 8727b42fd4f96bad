//! Document paths: from a span of the text to words such as `meshes[0].id`.

use std::cell::OnceCell;
use std::fmt::Write as _;

use super::tree::{Entry, Kind, NodeId, Tree};
use rigy_base::diag::Span;

/// Finds document paths in a tree.
pub struct Paths<'t, 's> {
    tree: &'t Tree<'s>,
    /// For each node, its collection and its index there; computed when first needed.
    parents: OnceCell<Vec<Option<(NodeId, usize)>>>,
}

impl<'t, 's> Paths<'t, 's> {
    /// Returns the paths of a tree.
    pub fn new(tree: &'t Tree<'s>) -> Self {
        let parents = OnceCell::new();
        Self { tree, parents }
    }

    /// Returns the path of a span, such as `meshes[0].primitives[2].id`, which leads from the root to the innermost node
    /// or key that contains the span. If the node is reached through an alias, the path leads through the alias.
    pub fn of(&self, span: Span) -> String {
        let mut path = String::with_capacity(64); // most are shorter
        let Some(alias) = span.via.checked_sub(1).map(NodeId) else {
            self.descend(self.tree.root, span, &mut path);
            return path;
        };
        self.push_path_to(alias, &mut path);
        if let Some(target) = self.tree.target(alias) {
            self.descend(target, span, &mut path);
        }
        path
    }

    /// Appends the path from a node to the innermost node that contains the span.
    fn descend(&self, from: NodeId, span: Span, path: &mut String) {
        let mut id = from;
        while !same(self.tree.raw(id).span, span) {
            // Below an alias, the node of a nested alias counts as a child.
            let place = |id: NodeId| match self.tree.target(id) {
                Some(target) if span.via > 0 => self.tree.raw(target).span,
                _ => self.tree.raw(id).span,
            };
            let within = |at: Span| at.start <= span.start && span.end <= at.end;
            match &self.tree.node(id).kind {
                Kind::Map(entries) => {
                    let key = |e: &Entry| same(e.key_span, span);
                    let own = |e: &Entry| span.via > 0 || e.key_span.start <= place(e.value).start;
                    let Some(entry) = nearby(
                        entries,
                        |e| e.key_span.start <= span.start,
                        |e| key(e) || (own(e) && within(place(e.value))),
                    )
                    .map(|index| &entries[index]) else {
                        break;
                    };
                    push_key(path, &entry.key);
                    if key(entry) {
                        break;
                    }
                    id = entry.value;
                }
                Kind::Seq(items) => {
                    let Some(index) = nearby(
                        items,
                        |item| place(*item).start <= span.start,
                        |item| within(place(*item)),
                    ) else {
                        break;
                    };
                    let _ = write!(path, "[{index}]");
                    id = items[index];
                }
                _ => break,
            }
            if self.tree.target(id).is_some() && span.via == 0 {
                break;
            }
        }
    }

    /// Appends the path from the root to a node.
    fn push_path_to(&self, node: NodeId, path: &mut String) {
        let parents = self.parents.get_or_init(|| self.tree.parents());
        let mut steps = Vec::new();
        let mut id = node;
        while let Some((parent, place)) = parents.get(id.0 as usize).copied().flatten() {
            steps.push((parent, place));
            id = parent;
        }
        for (parent, place) in steps.into_iter().rev() {
            match &self.tree.raw(parent).kind {
                Kind::Map(entries) => push_key(path, &entries[place].key),
                _ => {
                    let _ = write!(path, "[{place}]");
                }
            }
        }
    }
}

impl Tree<'_> {
    /// Returns, for each node, its collection and its index there.
    fn parents(&self) -> Vec<Option<(NodeId, usize)>> {
        let mut parents = vec![None; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            let parent = NodeId(u32::try_from(index).unwrap_or(u32::MAX));
            let mut note = |child: NodeId, place| {
                parents[child.0 as usize] = Some((parent, place));
            };
            match &node.kind {
                Kind::Map(entries) => {
                    entries
                        .iter()
                        .map(|entry| entry.value)
                        .enumerate()
                        .for_each(|(at, child)| note(child, at));
                }
                Kind::Seq(items) => {
                    items
                        .iter()
                        .copied()
                        .enumerate()
                        .for_each(|(at, child)| note(child, at));
                }
                _ => {}
            }
        }
        parents
    }
}

/// Returns the index of the element for which `holds` is true. In a list in document order, it is the last element for which
/// `begins` is true; aliases and merge keys can put it anywhere.
fn nearby<T>(list: &[T], begins: impl Fn(&T) -> bool, holds: impl Fn(&T) -> bool) -> Option<usize> {
    list.partition_point(begins)
        .checked_sub(1)
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

/// Returns true if two spans have the same bytes.
fn same(a: Span, b: Span) -> bool {
    (a.start, a.end) == (b.start, b.end)
}
