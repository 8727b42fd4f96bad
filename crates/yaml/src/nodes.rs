//! Nodes as they are made, and taken back.

use crate::reader::{NONE, Reader, Token};
use crate::tree::{OPEN, UNKNOWN};
use crate::{Fault, Kind, Node, Problem};
use std::ops::Range;

impl<'s> Reader<'s> {
    pub fn fault(&mut self, problem: Problem, span: Range<usize>) {
        let fault = Fault { problem, span };
        if self.tree.faults.len() < self.limits.faults && self.tree.faults.last() != Some(&fault) {
            self.tree.faults.push(fault);
        }
    }

    /// Ends the reading.
    fn stop(&mut self, problem: Problem, at: usize) {
        self.fault(problem, at..self.bytes.len().max(at));
        self.is_stopped = true;
        self.bytes = &self.bytes[..self.at.min(self.bytes.len())];
    }

    #[inline]
    pub fn push(&mut self, token: Token, link: u32) -> u32 {
        let Token {
            kind,
            is_encoded,
            start,
            end,
        } = token;
        let id = self.tree.nodes.len() as u32;
        if id == self.limits.nodes {
            self.stop(Problem::TooMany, start);
        }
        let (start, end) = (start as u32, end as u32);
        self.tree.nodes.push(Node {
            kind,
            is_encoded,
            start,
            end,
            past: id + 1,
            link,
        });
        self.last = self.last.max(end as usize);
        id
    }

    #[inline]
    pub fn leaf(&mut self, token: Token, properties: u32) -> u32 {
        if token.kind == Kind::Alias {
            self.alias(token, properties);
            return self.tree.nodes.len() as u32 - 1;
        }
        let id = self.push(token, properties);
        if properties != NONE {
            self.anchor(id, properties);
        }
        id
    }

    pub fn empty(&mut self, at: usize, properties: u32) {
        self.leaf(Token::nothing(at.max(self.last)), properties);
    }

    /// Begins a collection.
    pub fn open(&mut self, kind: Kind, start: usize, properties: u32, depth: u32) -> u32 {
        let token = Token {
            kind,
            is_encoded: false,
            start,
            end: start + 1,
        };
        let id = self.push(token, properties);
        self.tree.nodes[id as usize].past = OPEN;
        self.last = self.last.max(start);
        self.anchor(id, properties);
        if depth >= self.limits.depth {
            self.stop(Problem::TooDeep, start);
        }
        id
    }

    /// Ends a collection.
    pub fn close(&mut self, id: u32) {
        let past = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[id as usize];
        node.past = past;
        node.end = node.start.max(self.last as u32);
    }

    pub fn set_indent(&mut self, id: u32, indent: usize) {
        self.tree.nodes[id as usize].past = indent.min(u32::MAX as usize) as u32;
    }

    pub fn count(&self) -> u32 {
        self.tree.nodes.len() as u32
    }

    fn kind(&self, id: u32) -> Kind {
        self.tree.nodes[id as usize].kind
    }

    /// Makes text of the nodes from `id` on: a collection that would be a key.
    pub fn key_text(&mut self, id: u32) -> Token {
        let node = self.tree.nodes[id as usize];
        let (start, end) = (node.start as usize, node.end as usize);
        self.fault(Problem::ComplexKey, start..end);
        for at in id..self.count() {
            let link = self.tree.nodes[at as usize].link;
            if self.kind(at) != Kind::Alias
                && let Some(name) = self.anchor_name(link)
            {
                // Its aliases are no faults, but there is nothing that they could stand for.
                self.anchors.insert(name, UNKNOWN);
            }
        }
        self.tree.nodes.truncate(id as usize);
        Token {
            kind: Kind::Error,
            is_encoded: false,
            start,
            end,
        }
    }

    /// Takes back the last node, if it is node `id` and a scalar. Something stands below it, whose collection will have it.
    pub fn take_scalar(&mut self, id: u32) -> bool {
        let Some(node) = self.tree.nodes.last().copied() else {
            return false;
        };
        let is_scalar = id + 1 == self.count()
            && matches!(
                node.kind,
                Kind::Plain | Kind::Single | Kind::Double | Kind::Error
            )
            && node.link == NONE;
        if is_scalar {
            self.misplaced();
            self.fault(Problem::BelowScalar, node.start as usize..node.end as usize);
            self.tree.nodes.pop();
            self.above = Some(node);
        }
        is_scalar
    }

    /// Gives a block collection that has just begun the scalar above it: as an item, or as a value without a key.
    pub fn add_above(&mut self, collection: u32) {
        let Some(node) = self.above.take() else {
            return;
        };
        self.tree.nodes[collection as usize].start = node.start;
        if self.kind(collection).is_map() {
            self.push(Token::nothing(node.start as usize), NONE);
        }
        let token = Token {
            kind: node.kind,
            is_encoded: node.is_encoded,
            start: node.start as usize,
            end: node.end as usize,
        };
        self.push(token, NONE);
    }
}
