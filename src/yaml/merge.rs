//! Merge keys: what `<<` brings into a mapping.

use std::borrow::Cow;
use std::collections::HashSet;

use super::compose::{Result, malformed};
use super::tree::{Entry, Kind, Node, NodeId};
use crate::diag::Span;

/// Own entries win over merged ones; merged ones come first, as they stand earlier in the text.
pub(super) fn with_merged<'s>(own: Vec<Entry<'s>>, merged: Vec<Entry<'s>>) -> Vec<Entry<'s>> {
    if merged.is_empty() {
        return own;
    }
    let own_keys: HashSet<&str> = own.iter().map(|e| &*e.key).collect();
    let mut all: Vec<Entry<'s>> = merged
        .into_iter()
        .filter(|entry| !own_keys.contains(&*entry.key))
        .collect();
    all.extend(own);
    all
}

/// Adds the entries of a merged mapping, or of a sequence of them, earlier ones winning.
pub(super) fn merge<'s>(
    nodes: &[Node<'s>],
    node: NodeId,
    at: Span,
    merged: &mut Vec<Entry<'s>>,
) -> Result<()> {
    let mut add = |entries: &[Entry<'s>]| {
        let known: HashSet<Cow<'s, str>> = merged.iter().map(|e| e.key.clone()).collect();
        merged.extend(entries.iter().filter(|e| !known.contains(&e.key)).cloned());
    };
    let wrong = || malformed(at, "`<<` merges a mapping or a sequence of mappings");
    match &nodes[node.0 as usize].kind {
        Kind::Map(entries) => add(entries),
        Kind::Seq(items) => {
            for item in items {
                match &nodes[item.0 as usize].kind {
                    Kind::Map(entries) => add(entries),
                    _ => return Err(wrong()),
                }
            }
        }
        _ => return Err(wrong()),
    }
    Ok(())
}
