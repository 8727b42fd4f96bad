//! A reader of texts with faults: lines by their indentation, brackets by their partners.
//!
//! It reads what YAML reads where a text is right, and goes on where it is not: a key without a colon is a key without a value,
//! a bracket or a quote that is not closed ends with its line or where the indentation says so, and a line that fits
//! nowhere is passed over. Each byte is looked at a bounded number of times.

mod block;
mod cursor;
mod flow;
mod scalars;

use std::collections::HashMap;

use super::{Entry, Node, NodeId, Sketch, Value};
use crate::base::limits::Limits;

/// Reads a text.
pub fn read(text: &str) -> Sketch {
    let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let mut reader = Reader {
        text,
        at: start,
        line: start,
        nodes: Vec::new(),
        anchors: HashMap::new(),
        merged: 0,
    };
    let root = reader.node(-1, Position::Start, 0);
    Sketch {
        nodes: reader.nodes,
        root,
        is_sound: false,
    }
}

/// The position of a node, which decides what may begin there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// At the beginning of the text, or after the dash of an item.
    Start,
    /// After the colon of a key.
    AfterKey,
}

struct Reader<'t> {
    text: &'t str,
    /// The byte that is read next.
    at: usize,
    /// The first byte of its line.
    line: usize,
    nodes: Vec<Node>,
    /// The nodes with anchors, by the names of the anchors.
    anchors: HashMap<&'t str, NodeId>,
    /// The number of entries that merge keys have added.
    merged: usize,
}

impl<'t> Reader<'t> {
    /// Returns true if collections are nested so deeply that no more are read.
    fn is_too_deep(depth: usize) -> bool {
        depth > Limits::DEFAULT.depth as usize
    }

    fn push(&mut self, start: usize, end: usize, value: Value) -> NodeId {
        let range = start..end.max(start);
        self.nodes.push(Node { range, value });
        self.nodes.len() - 1
    }

    fn empty(&mut self, at: usize) -> NodeId {
        self.push(at, at, Value::Empty)
    }

    /// Returns the end of a node.
    fn end_of(&self, id: NodeId) -> usize {
        self.nodes[id].range.end
    }

    /// Adds an entry to those of a mapping, or the entries that it merges.
    fn add(&mut self, entries: &mut Vec<Entry>, entry: Entry) {
        if entry.key.value(self.text) != "<<" {
            entries.push(entry);
            return;
        }
        let sources = match &self.nodes[entry.value].value {
            Value::List(items) => items.clone(),
            _ => vec![entry.value],
        };
        for source in sources {
            let Value::Alias(Some(target)) = self.nodes[source].value else {
                continue;
            };
            let Value::Map(more) = &self.nodes[target].value else {
                continue;
            };
            // As many entries as the text has bytes: more than that, merges of merges have multiplied.
            if self.merged + more.len() > self.text.len() {
                return;
            }
            self.merged += more.len();
            let is_merged = true;
            entries.extend(
                more.iter()
                    .cloned()
                    .map(|entry| Entry { is_merged, ..entry }),
            );
        }
    }
}
