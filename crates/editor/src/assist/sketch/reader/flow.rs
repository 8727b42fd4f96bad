//! Mappings and lists in brackets.

use super::super::{Entry, NodeId, Value};
use super::Reader;

impl Reader<'_> {
    /// Reads a mapping or a list in brackets. It ends with its bracket, or before a line that is not indented by more than
    /// `indent`.
    pub(super) fn flow(&mut self, indent: isize, depth: usize) -> NodeId {
        let start = self.at;
        let is_map = self.byte(0) == Some(b'{');
        self.at += 1;
        let (mut entries, mut items) = (Vec::new(), Vec::new());
        let mut end = self.at;
        loop {
            if self.is_over(indent) {
                break;
            }
            match self.byte(0) {
                Some(b',') => self.at += 1,
                Some(b']') if is_map && depth > 0 => break,
                Some(b'}') if !is_map && depth > 0 => break,
                Some(b']' | b'}') => {
                    self.at += 1;
                    end = self.at;
                    break;
                }
                _ if is_map => {
                    let entry = self.flow_entry(indent, depth);
                    self.add(&mut entries, entry);
                }
                _ => {
                    let item = self.flow_node(indent, depth);
                    items.push(item);
                }
            }
            end = self.at;
        }
        let value = if is_map {
            Value::Map(entries)
        } else {
            Value::List(items)
        };
        self.push(start, end, value)
    }

    /// Passes over blanks and line breaks; returns true if the collection ends without its bracket. Then nothing is passed over.
    fn is_over(&mut self, indent: isize) -> bool {
        let (at, line) = (self.at, self.line);
        self.skip_gaps();
        let is_closing = matches!(self.byte(0), Some(b']' | b'}')) && self.column() == indent;
        let is_outside = self.line != line && self.column() <= indent && !is_closing;
        let is_over = self.is_at_end() || is_outside;
        if is_over {
            (self.at, self.line) = (at, line);
        }
        is_over
    }

    /// Reads a key and its value.
    fn flow_entry(&mut self, indent: isize, depth: usize) -> Entry {
        let start = self.at;
        let key = match self.byte(0) {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            _ => {
                let end = self.plain_end(true, true);
                self.plain(end)
            }
        };
        let after_key = self.at;
        let has_colon = !self.is_over(indent) && self.byte(0) == Some(b':');
        let value = if has_colon {
            self.at += 1;
            self.flow_value(indent, depth)
        } else {
            self.empty(after_key)
        };
        if self.at == start {
            self.step();
        }
        Entry {
            key,
            value,
            is_merged: false,
        }
    }

    /// Reads the value after a colon, which may be missing.
    fn flow_value(&mut self, indent: isize, depth: usize) -> NodeId {
        let start = self.at;
        if self.is_over(indent) || matches!(self.byte(0), Some(b',' | b']' | b'}')) {
            return self.empty(start);
        }
        self.flow_node(indent, depth)
    }

    /// Reads an item or a value.
    fn flow_node(&mut self, indent: isize, depth: usize) -> NodeId {
        let mut anchor = None;
        while let Some(sign @ (b'&' | b'!')) = self.byte(0) {
            self.at += 1;
            let name = self.name();
            anchor = (sign == b'&').then_some(name).or(anchor);
            self.skip_gaps();
        }
        let start = self.at;
        let node = match self.byte(0) {
            Some(b'[' | b'{') if Self::is_too_deep(depth) => {
                self.skip_line();
                self.empty(start)
            }
            Some(b'[' | b'{') => self.flow(indent, depth + 1),
            Some(b'*') => self.alias(),
            Some(b',' | b']' | b'}') => self.empty(start),
            Some(quote @ (b'"' | b'\'')) => {
                let scalar = self.quoted(quote);
                self.push(start, self.at, Value::Scalar(scalar))
            }
            _ => {
                let end = self.plain_end(false, true);
                let scalar = self.plain(end);
                if self.at == start && !self.is_at_end() {
                    self.step();
                }
                self.push(start, self.at, Value::Scalar(scalar))
            }
        };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, node);
        }
        node
    }
}
