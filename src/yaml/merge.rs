//! Merge keys: what `<<` brings into a mapping.

use std::borrow::Cow;
use std::collections::HashSet;

use super::tree::{Entry, Kind, Node, NodeId};
use super::{Result, malformed};
use crate::diag::Span;

/// Entries merged into a mapping so far, each key once.
#[derive(Default)]
pub(super) struct Merged<'s> {
    entries: Vec<Entry<'s>>,
    keys: HashSet<Cow<'s, str>>,
}

impl<'s> Merged<'s> {
    /// Adds the entries of a merged mapping, or of a sequence of them, earlier ones winning.
    pub fn add(&mut self, nodes: &[Node<'s>], node: NodeId, at: Span) -> Result<()> {
        let kind = |id: NodeId| &nodes[id.0 as usize].kind;
        let wrong = || malformed(at, "`<<` merges a mapping or a sequence of mappings");
        match kind(node) {
            Kind::Map(entries) => self.extend(entries),
            Kind::Seq(items) => {
                for item in items {
                    let Kind::Map(entries) = kind(*item) else {
                        return Err(wrong());
                    };
                    self.extend(entries);
                }
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }

    fn extend(&mut self, entries: &[Entry<'s>]) {
        for entry in entries {
            if self.keys.insert(entry.key.clone()) {
                self.entries.push(entry.clone());
            }
        }
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
