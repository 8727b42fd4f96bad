//! Merge keys: what `<<` brings into a mapping.

use std::borrow::Cow;
use std::collections::HashSet;

use super::tree::{Entry, Kind, Node, NodeId, target};
use super::{Result, malformed};
use crate::base::diag::Span;

/// Entries merged into a mapping so far, each key once.
#[derive(Default)]
pub(super) struct Merged<'s> {
    entries: Vec<Entry<'s>>,
    keys: HashSet<Cow<'s, str>>,
}

impl<'s> Merged<'s> {
    /// Adds the entries of a merged mapping, or of a sequence of them, earlier ones winning.
    pub fn add(&mut self, nodes: &mut Vec<Node<'s>>, node: NodeId, at: Span) -> Result<()> {
        let resolved = target(nodes, node);
        let sources = match &nodes[resolved.0 as usize].kind {
            Kind::Seq(items) => items.clone(),
            _ => vec![resolved],
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

    /// Merges one entry, its value as an alias, so that its uses here and there can be told apart.
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

    /// All entries of the mapping: own ones win over merged ones, which come first, as they stand earlier in
    /// the text.
    pub fn before(self, own: Vec<Entry<'s>>) -> Vec<Entry<'s>> {
        if self.entries.is_empty() {
            return own;
        }
        let own_keys: HashSet<&str> = own.iter().map(|e| &*e.key).collect();
        let merged = self.entries.into_iter();
        let mut all: Vec<Entry<'s>> = merged.filter(|e| !own_keys.contains(&*e.key)).collect();
        all.extend(own);
        all
    }
}
