//! The node at a place of the text.

use crate::reader::is_break;
use crate::{Kind, Tree};
use std::ops::Range;

impl Tree<'_> {
    /// Returns the collections around a place, from the root on, and the node there. A place in blanks belongs to what its column and
    /// the commas before it say.
    pub fn at(&self, place: usize) -> Vec<u32> {
        let mut path = vec![0];
        let bytes = self.source.as_bytes();
        let line_of = |at: usize| {
            let before = bytes[..at].iter().rposition(|byte| is_break(*byte));
            before.map_or(0, |at| at + 1)
        };
        let column = |at: usize| at - line_of(at);
        let line = line_of(place);
        let here = place - line;
        loop {
            let around = path[path.len() - 1];
            let base = column(self.node(around).start as usize);
            let is_block = matches!(self.node(around).kind, Kind::BlockMap | Kind::BlockSeq);
            let mut found: Option<u32> = None;
            // Of the children before the place, only the last can be there, and those that end where it begins.
            let before: Vec<u32> = self
                .children(around)
                .take_while(|child| self.node(*child).start as usize <= place)
                .collect();
            for child in before[before.len().saturating_sub(4)..].iter().copied() {
                let Range { start, end } = self.span(child);
                let gap = &bytes[end.min(place)..place];
                let is_near = end.min(place) >= line && (is_block || !gap.iter().any(ends_node));
                let is_known = found.is_some_and(|found| self.node(found).end as usize == place);
                let is_here = match self.node(child).kind {
                    Kind::BlockMap | Kind::BlockSeq => {
                        place <= end || here >= column(start) || is_near
                    }
                    Kind::FlowMap | Kind::FlowSeq if self.is_closed(child) => place < end,
                    Kind::Literal | Kind::Folded => place <= end,
                    Kind::Empty => !is_known && (is_near || is_block && here > base),
                    _ => is_near,
                };
                found = if is_here || is_known {
                    found.filter(|_| is_known).or(Some(child))
                } else {
                    None
                };
            }
            let Some(found) = found else { return path };
            path.push(found);
        }
    }
}

/// Returns true for a byte after which a node of a flow collection is over.
fn ends_node(byte: &u8) -> bool {
    matches!(byte, b',' | b']' | b'}')
}
