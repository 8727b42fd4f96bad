//! Flow collections. One that fills a line stays on it; in others the line breaks between entries stay.

use super::arrange::Piece;
use super::order::Place;
use super::{Formatter, Result, entries};
use rigy_yaml::Kind;

impl Formatter<'_, '_> {
    /// Writes a flow collection, whose entries begin in column `indent` where they begin a line.
    pub fn flow(&mut self, id: u32, indent: usize, place: Place) -> Result<()> {
        let is_map = self.tree.node(id).kind == Kind::FlowMap;
        let (open, close) = if is_map { ('{', '}') } else { ('[', ']') };
        self.indicator(open)?;
        let from = self.out.len();
        let (mut is_broken, mut has_comma) = (false, false);
        let mut pieces = Vec::new();
        for (number, (key, value)) in entries(self.tree, id).enumerate() {
            self.no_comments();
            is_broken |= self.source.is_new_line;
            separate(&mut self.out, self.line_end, number, is_broken, indent);
            let start = self.out.len();
            if is_map {
                self.pair(id, key, value, indent, place)?
            } else {
                self.flow_item(value, indent, place.item())?
            }
            pieces.push(Piece {
                nodes: key..self.tree.past(value),
                start,
                end: self.out.len(),
                after_gap: is_broken,
                has_comments: false,
            });
            self.no_comments();
            is_broken = self.source.is_new_line;
            has_comma = self.source.byte() == Some(b',');
            if has_comma {
                self.source.expect(',')?;
            }
        }
        self.no_comments();
        is_broken |= self.source.is_new_line;
        let line_end = self.line_end;
        // Line breaks stay in their places if entries change theirs.
        self.arrange(place, from, &pieces, |out, _, number| {
            separate(out, line_end, number, pieces[number].after_gap, indent);
        });
        if is_broken && !pieces.is_empty() {
            if has_comma {
                self.out.push(',');
            }
            self.line(false, indent - 2);
        }
        self.indicator(close)
    }

    /// Writes an item of a flow sequence, which may be a single pair without braces.
    fn flow_item(&mut self, id: u32, indent: usize, place: Place) -> Result<()> {
        let is_pair = !self.tree.written(id).starts_with('{');
        match self.tree.entries(id).next() {
            Some((key, value)) if is_pair => self.pair(id, key, value, indent, Place::OTHER),
            _ => self.flow_node(id, indent, place),
        }
    }

    /// Writes a key and its value.
    fn pair(&mut self, map: u32, key: u32, value: u32, indent: usize, place: Place) -> Result<()> {
        if self.source.at_indicator(b'?') {
            self.is_odd = true;
            self.source.expect('?')?;
            self.no_comments();
        }
        self.key(map, key, indent, place)?;
        self.no_comments();
        if self.source.byte() == Some(b':') {
            self.indicator(':')?;
            self.no_comments();
        }
        if self.is_nothing(value) {
            return Ok(());
        }
        self.out.push(' ');
        self.flow_node(value, indent, self.value_place(map, key, place))
    }

    fn flow_node(&mut self, id: u32, indent: usize, place: Place) -> Result<()> {
        self.no_comments();
        let properties = self.properties(id)?;
        self.out.push_str(&properties);
        let kind = self.tree.node(id).kind;
        if kind == Kind::Empty {
            return Ok(());
        }
        self.no_comments();
        if !properties.is_empty() {
            self.out.push(' ');
        }
        if kind.is_collection() {
            self.flow(id, indent + 2, place)
        } else {
            self.leaf(id, indent)
        }
    }
}

/// Writes what stands before an entry.
fn separate(out: &mut String, line_end: &str, number: usize, is_broken: bool, indent: usize) {
    if number > 0 {
        out.push(',');
    }
    if is_broken {
        out.push_str(line_end);
        out.extend(std::iter::repeat_n(' ', indent));
    } else if number > 0 {
        out.push(' ');
    }
}
