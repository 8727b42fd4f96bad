//! The limits of a document that is written out (`extensions.md` §2.13).

use crate::yaml::{Kind, MAX_NODES, NodeId, Tree};

/// Most nodes of a document: mappings, sequences, and scalars that are values.
const NODES: u64 = MAX_NODES as u64;
/// Most bytes of keys and scalars.
const TEXT: u64 = 64 << 20;

/// The nodes and the text of a part of a document.
#[derive(Clone, Copy, Default)]
pub struct Amount {
    pub nodes: u64,
    pub text: u64,
}

impl Amount {
    /// Returns the sum.
    pub fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_add(other.nodes),
            text: self.text.saturating_add(other.text),
        }
    }

    /// Returns the difference; zero where the other is more.
    pub fn minus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_sub(other.nodes),
            text: self.text.saturating_sub(other.text),
        }
    }

    /// Returns `count` times the amount.
    pub fn times(self, count: f64) -> Self {
        // The conversion saturates; what is beyond 2⁵³ is beyond the limits in any case.
        let count = count.max(0.0) as u64;
        Self {
            nodes: self.nodes.saturating_mul(count),
            text: self.text.saturating_mul(count),
        }
    }

    /// Returns the words for the limit that the amount exceeds, if it exceeds one.
    pub fn excess(self) -> Option<String> {
        if self.nodes > NODES {
            let message = format!(
                "the document would have {} values; the limit is {NODES}",
                self.nodes
            );
            return Some(message);
        }
        (self.text > TEXT).then(|| {
            format!(
                "the document would have {} bytes of text; the limit is {TEXT}",
                self.text
            )
        })
    }
}

/// Returns the amount of each node of a tree with all that it contains; aliases count as copies.
pub fn amounts(tree: &Tree) -> Vec<Amount> {
    let mut amounts: Vec<Amount> = Vec::with_capacity(tree.node_count());
    for id in tree.ids() {
        let of = |id: NodeId| amounts.get(id.index()).copied().unwrap_or_default();
        let amount = match &tree.raw(id).kind {
            Kind::Alias(target) => of(*target),
            Kind::Seq(items) => items
                .iter()
                .fold(own(tree, id), |sum, item| sum.plus(of(*item))),
            Kind::Map(entries) => entries
                .iter()
                .map(|entry| of(entry.value))
                .fold(own(tree, id), Amount::plus),
            _ => own(tree, id),
        };
        amounts.push(amount);
    }
    amounts
}

/// Returns the amount of a node that is no alias, without what it contains.
fn own(tree: &Tree, id: NodeId) -> Amount {
    let node = tree.raw(id);
    let text = match &node.kind {
        Kind::Seq(_) => 0,
        Kind::Map(entries) => entries.iter().map(|entry| entry.key.len() as u64).sum(),
        Kind::Str(text) => text.len() as u64,
        _ => u64::from(node.span.end.saturating_sub(node.span.start)),
    };
    Amount { nodes: 1, text }
}

/// Returns the number of nodes of each node of a tree once the repeats in it are written out, as far as their counts stand there
/// as numbers; a repeat that another one counts, or that is faulty, has none.
pub fn written_out(tree: &Tree) -> Vec<u64> {
    let mut nodes: Vec<u64> = Vec::with_capacity(tree.node_count());
    for id in tree.ids() {
        let of = |id: NodeId| nodes.get(id.index()).copied().unwrap_or_default();
        let fields = |value: &NodeId| tree.entries(*value).is_some();
        let item = |id: &NodeId| match repeat(tree, *id).filter(fields) {
            None => of(*id),
            Some(repeat) => {
                let count = tree
                    .value(repeat, "count")
                    .map(|count| &tree.node(count).kind);
                let count = match count {
                    Some(Kind::Int(int)) => int.nearest.max(0.0),
                    _ => 0.0,
                };
                tree.value(repeat, "body")
                    .map_or(0, of)
                    .saturating_mul(count as u64) // the conversion saturates
            }
        };
        let add = |sum: u64, more: u64| sum.saturating_add(more);
        let count = match &tree.raw(id).kind {
            Kind::Alias(target) => of(*target),
            Kind::Seq(items) => items.iter().map(item).fold(1, add),
            Kind::Map(entries) => entries.iter().map(|e| of(e.value)).fold(1, add),
            _ => 1,
        };
        nodes.push(count);
    }
    nodes
}

/// Returns the value of `repeat` if an item of a list is a mapping with no other key.
pub fn repeat(tree: &Tree, item: NodeId) -> Option<NodeId> {
    match tree.entries(item)? {
        [entry] if entry.key == "repeat" => Some(entry.value),
        _ => None,
    }
}

/// Returns the amount of the document that a tree without aliases holds.
pub fn of_document(tree: &Tree) -> Amount {
    of_node(tree, tree.root)
}

/// Returns the amount of a node of a tree without aliases, with all that it contains.
pub fn of_node(tree: &Tree, id: NodeId) -> Amount {
    let (mut total, mut open) = (Amount::default(), vec![id]);
    while let Some(id) = open.pop() {
        total = total.plus(own(tree, id));
        match &tree.node(id).kind {
            Kind::Map(entries) => open.extend(entries.iter().map(|entry| entry.value)),
            Kind::Seq(items) => open.extend(items),
            _ => {}
        }
    }
    total
}
