//! Anchors, tags and aliases.

use crate::reader::{NONE, Reader, Token, is_flow, is_gap};
use crate::tree::{LOADED, OPEN, UNKNOWN};
use crate::{Node, Problem, Properties};
use std::ops::Range;

impl<'s> Reader<'s> {
    /// Adds an alias. What it repeats has been read as a whole.
    pub fn alias(&mut self, token: Token, properties: u32) {
        let span = token.start..token.end;
        let known = self.anchors.get(&self.text[span.start + 1..span.end]);
        let mut target = known.copied().unwrap_or(UNKNOWN);
        let is_open = |node: &Node| node.kind.is_collection() && node.past == OPEN;
        if known.is_none() {
            self.fault(Problem::UnknownAnchor, span.clone());
        } else if self.tree.nodes.get(target as usize).is_some_and(is_open) {
            self.fault(Problem::InsideItself, span.clone());
            target = UNKNOWN;
        }
        let link = match properties {
            NONE => target,
            _ => self.loaded(properties, target, &span),
        };
        self.push(token, link);
    }

    /// Gives properties to an alias. Its anchor is another name of the target.
    fn loaded(&mut self, properties: u32, target: u32, span: &Range<usize>) -> u32 {
        let index = properties - 1;
        let all = &mut self.tree.properties[index as usize];
        all.target = (target != UNKNOWN).then_some(target);
        let written = [&all.anchor, &all.tag]
            .into_iter()
            .filter(|written| !written.is_empty());
        let start = written
            .map(|written| written.start)
            .min()
            .unwrap_or(span.start);
        self.fault(Problem::AliasProperties, start..span.end);
        if let Some(name) = self.anchor_name(properties) {
            self.anchors.insert(name, target);
        }
        LOADED | index
    }

    /// Adds properties that stand on a line above a node.
    pub fn merge_into(&mut self, id: u32, outer: u32) {
        if outer == NONE {
            return;
        }
        let inner = self.tree.nodes[id as usize].link;
        let all = self.join(outer, inner);
        self.tree.nodes[id as usize].link = all;
        self.anchor(id, all);
    }

    pub fn anchor(&mut self, id: u32, properties: u32) {
        if let Some(name) = self.anchor_name(properties) {
            self.anchors.insert(name, id);
        }
    }

    pub fn anchor_name(&self, properties: u32) -> Option<&'s str> {
        let properties = self
            .tree
            .properties
            .get(properties.checked_sub(1)? as usize)?;
        self.text
            .get(properties.anchor.start + 1..properties.anchor.end)
    }

    /// Reads the anchor and the tag of a node and the blanks after them.
    #[inline]
    pub fn properties(&mut self) -> u32 {
        match self.peek(0) {
            b'&' | b'!' => self.some_properties(),
            _ => NONE,
        }
    }

    fn some_properties(&mut self) -> u32 {
        let mut found = Properties::default();
        while let sign @ (b'&' | b'!') = self.peek(0) {
            let start = self.at;
            self.at += 1;
            if sign == b'!' && self.peek(0) == b'<' {
                let line = &self.bytes[self.at..self.line_end()];
                self.at += line
                    .iter()
                    .position(|byte| *byte == b'>')
                    .map_or(line.len(), |at| at + 1);
            } else {
                self.name();
            }
            let span = start..self.at;
            let written = &self.text[span.clone()];
            let place = if sign == b'&' {
                &mut found.anchor
            } else {
                &mut found.tag
            };
            let is_first = place.start == place.end;
            if is_first {
                *place = span.clone();
            }
            let core = written.strip_prefix("!!").or(written
                .strip_prefix("!<tag:yaml.org,2002:")
                .and_then(|name| name.strip_suffix('>')));
            match sign {
                _ if !is_first => self.fault(Problem::PropertiesTwice, span),
                b'&' if written.len() == 1 => self.fault(Problem::AnchorName, span),
                b'!' if !matches!(
                    core,
                    Some("str" | "int" | "float" | "bool" | "null" | "seq" | "map")
                ) =>
                {
                    self.fault(Problem::ForeignTag, span)
                }
                b'!' if matches!(self.peek(0), b'[' | b'{') => {
                    self.fault(Problem::AnchorName, span)
                }
                _ if !is_gap(self.peek(0)) && !is_flow(self.peek(0)) => {
                    self.fault(Problem::AnchorName, span)
                }
                _ => {}
            }
            self.last = self.at;
            self.blanks();
        }
        self.tree.properties.push(found);
        self.tree.properties.len() as u32
    }

    /// Passes the name of an anchor, an alias or a tag.
    pub fn name(&mut self) {
        while !is_gap(self.peek(0)) && !is_flow(self.peek(0)) {
            self.at += 1;
        }
    }

    /// Joins the properties of one node that stand on two lines.
    pub fn join(&mut self, outer: u32, inner: u32) -> u32 {
        if outer == NONE || inner == NONE {
            return outer.max(inner);
        }
        let second = self.tree.properties[inner as usize - 1].clone();
        let first = &mut self.tree.properties[outer as usize - 1];
        let mut twice = None;
        for (one, other) in [
            (&mut first.anchor, second.anchor),
            (&mut first.tag, second.tag),
        ] {
            match one.start == one.end {
                true => *one = other,
                false if other.start < other.end => twice = Some(other),
                false => {}
            }
        }
        if let Some(span) = twice {
            self.fault(Problem::PropertiesTwice, span);
        }
        outer
    }
}
