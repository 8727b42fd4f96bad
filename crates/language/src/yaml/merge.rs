//! Merge keys: the entries that `<<` adds to a mapping.

use std::borrow::Cow;

use super::tree::{Entry, Kind, Node, NodeId, target};
use super::{Result, malformed};
use rigy_base::diag::Span;
use rigy_base::maps::HashSet;

/// Entries merged into a mapping so far, each key once.
#[derive(Default)]
pub struct Merged<'s> {
    entries: Vec<Entry<'s>>,
    keys: HashSet<Cow<'s, str>>,
}

impl<'s> Merged<'s> {
    /// Adds the entries of a mapping, or of a sequence of mappings, whose earlier entries replace later ones.
    pub fn add(&mut self, nodes: &mut Vec<Node<'s>>, node: NodeId, at: Span) -> Result<()> {
        let resolved = target(nodes, node);
        let sources = match &nodes[resolved.0 as usize].kind {
            Kind::Seq(items) => items.clone(),
            _ => [resolved].into_iter().collect(),
        };
        for source in sources {
            let source = target(nodes, source);
            let Kind::Map(entries) = &nodes[source.0 as usize].kind else {
                return Err(malformed(
                    at,
                    "`<<` merges a mapping or a sequence of mappings",
                ));
            };
            for entry in entries.clone() {
                self.extend(nodes, entry);
            }
        }
        Ok(())
    }

    /// Adds one entry. Its value becomes an alias, so that findings can tell the mappings that use it apart.
    fn extend(&mut self, nodes: &mut Vec<Node<'s>>, entry: Entry<'s>) {
        if !self.keys.insert(entry.key.clone()) {
            return;
        }
        let target = target(nodes, entry.value);
        let span = nodes[target.0 as usize].span;
        let value = NodeId(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
        let kind = Kind::Alias(target);
        nodes.push(Node { span, kind });
        let via = value.0 + 1;
        self.entries.push(Entry {
            key_span: Span {
                via,
                ..entry.key_span
            },
            value,
            ..entry
        });
    }

    /// Returns all entries of the mapping: first the merged entries that its own entries do not replace, because they come
    /// earlier in the text, and then its own.
    pub fn before(self, own: Vec<Entry<'s>>) -> Vec<Entry<'s>> {
        if self.entries.is_empty() {
            return own;
        }
        let own_keys: HashSet<&str> = own.iter().map(|e| &*e.key).collect();
        let mut all: Vec<Entry<'s>> = self
            .entries
            .into_iter()
            .filter(|e| !own_keys.contains(&*e.key))
            .collect();
        all.extend(own);
        all
    }
}
