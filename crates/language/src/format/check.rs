//! The last step: whether the formatted text is the same document.

use super::arrange::short_name;
use crate::yaml::{Entry, Kind, NodeId, Tree};
use rigy_base::maps::HashMap;

/// Returns true if two trees have the same values, up to the order of keys and the short names of dimensions.
pub fn is_same(before: &Tree, after: &Tree) -> bool {
    let mut comparison = Comparison {
        before,
        after,
        compared: HashMap::default(),
    };
    comparison.nodes(before.root, after.root)
}

struct Comparison<'a, 's> {
    before: &'a Tree<'s>,
    after: &'a Tree<'s>,
    /// Nodes that aliases refer to, each with the one that it has been found the same as.
    compared: HashMap<NodeId, NodeId>,
}

impl<'s> Comparison<'_, 's> {
    fn nodes(&mut self, before: NodeId, after: NodeId) -> bool {
        match (self.before.target(before), self.after.target(after)) {
            (None, None) => self.values(before, after),
            (Some(before), Some(after)) => match self.compared.get(&before) {
                Some(known) => *known == after,
                None => {
                    self.compared.insert(before, after);
                    self.values(before, after)
                }
            },
            _ => false,
        }
    }

    fn values(&mut self, before: NodeId, after: NodeId) -> bool {
        let (first, second) = (&self.before.node(before).kind, &self.after.node(after).kind);
        match (first, second) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Bool(a), Kind::Bool(b)) => a == b,
            (Kind::Int(a), Kind::Int(b)) => a == b,
            (Kind::Float(a), Kind::Float(b)) => a.to_bits() == b.to_bits(),
            (Kind::Date(a), Kind::Date(b)) | (Kind::Str(a), Kind::Str(b)) => a == b,
            (Kind::Seq(a), Kind::Seq(b)) => {
                let (a, b) = (a.clone(), b.clone());
                a.len() == b.len() && a.into_iter().zip(b).all(|(a, b)| self.nodes(a, b))
            }
            (Kind::Map(a), Kind::Map(b)) => {
                pairs(a, b).is_some_and(|pairs| pairs.into_iter().all(|(a, b)| self.nodes(a, b)))
            }
            _ => false,
        }
    }
}

/// Returns the values of each key in two mappings; `None` if they have different keys.
fn pairs(before: &[Entry], after: &[Entry]) -> Option<Vec<(NodeId, NodeId)>> {
    if before.len() != after.len() {
        return None;
    }
    let in_order = before.iter().zip(after);
    if in_order.clone().all(|(a, b)| a.key == b.key) {
        return Some(in_order.map(|(a, b)| (a.value, b.value)).collect());
    }
    let values: HashMap<&str, NodeId> = after
        .iter()
        .map(|entry| (&*entry.key, entry.value))
        .collect();
    before
        .iter()
        .map(|entry| {
            let named = values
                .get(&*entry.key)
                .or_else(|| values.get(short_name(&entry.key)?));
            named.map(|after| (entry.value, *after))
        })
        .collect()
}
