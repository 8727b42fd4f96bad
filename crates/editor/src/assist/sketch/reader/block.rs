//! Mappings and lists by indentation.

use super::super::{Entry, NodeId, Value};
use super::{Position, Reader};

impl Reader<'_> {
    /// Reads the node that begins after this point and is indented by more than `indent`. A list after a key may have the
    /// key's indentation.
    pub(super) fn node(&mut self, indent: isize, position: Position, depth: usize) -> NodeId {
        let (start, line) = (self.at, self.line);
        self.skip_gaps();
        let mut anchor = None;
        while let Some(sign @ (b'&' | b'!')) = self.byte(0).filter(|_| self.is_inside(indent, line))
        {
            self.at += 1;
            let name = self.name();
            anchor = (sign == b'&').then_some(name).or(anchor);
            self.skip_gaps();
        }
        let is_list_of_key =
            position == Position::AfterKey && self.column() == indent && self.is_dash();
        if self.is_at_end() || !(self.is_inside(indent, line) || is_list_of_key) {
            return self.empty(start);
        }
        let is_inline = position == Position::AfterKey && self.line == line;
        let node = self.content(indent, is_inline, depth);
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, node);
        }
        node
    }

    /// Returns true if the next byte belongs to a node that began in a line and is indented by more than `indent`.
    fn is_inside(&self, indent: isize, line: usize) -> bool {
        self.line == line || self.column() > indent
    }

    /// Reads a node that begins here. A node in the line of its key is no mapping.
    fn content(&mut self, indent: isize, is_inline: bool, depth: usize) -> NodeId {
        let start = self.at;
        if Self::is_too_deep(depth) {
            self.skip_line();
            return self.empty(start);
        }
        match self.byte(0) {
            _ if self.is_dash() => self.list(indent, depth),
            Some(b'[' | b'{') => {
                let node = self.flow(indent, depth);
                self.skip_blanks();
                node
            }
            Some(b'|' | b'>') => self.block_text(indent),
            Some(b'*') => self.alias(),
            _ if !is_inline && (self.is_key_ahead() || self.is_key_below()) => {
                self.mapping(indent, depth)
            }
            Some(quote @ (b'"' | b'\'')) => {
                let scalar = self.quoted(quote);
                self.push(start, self.at, Value::Scalar(scalar))
            }
            _ => self.plain_lines(indent),
        }
    }

    /// Returns true if the line has a key from here on.
    pub(super) fn is_key_ahead(&self) -> bool {
        let end = match self.byte(0) {
            Some(quote @ (b'"' | b'\'')) => self.quoted_end(quote),
            Some(b'?') if self.is_gap(1) => return true,
            Some(b'[' | b'{' | b'*' | b'|' | b'>') => return false,
            _ => self.plain_end(true, false),
        };
        let rest = self.text.as_bytes().get(end..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        let after = |ahead: usize| rest.get(blanks + ahead);
        after(0) == Some(&b':') && matches!(after(1), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
    }

    /// Returns true if this line has one plain text and the next has a key, not indented by less.
    fn is_key_below(&mut self) -> bool {
        let (at, line, column) = (self.at, self.line, self.column());
        self.at = self.plain_end(false, false);
        self.skip_gaps();
        let is_key = self.line != line && self.column() >= column && self.is_key_ahead();
        (self.at, self.line) = (at, line);
        is_key
    }

    /// Reads a mapping. Every line that is indented by more than `indent` is a part of it.
    fn mapping(&mut self, indent: isize, depth: usize) -> NodeId {
        let start = self.at;
        let mut entries = Vec::new();
        let mut end = start;
        loop {
            if self.is_dash() || matches!(self.byte(0), Some(b'[' | b'{' | b']' | b'}')) {
                self.skip_line();
            } else {
                let column = self.column();
                let entry = self.entry(depth);
                end = self.end_of(entry.value).max(entry.key.range.end);
                let below = self.below(column, depth).map(|value| Entry {
                    value,
                    ..entry.clone()
                });
                self.add(&mut entries, entry);
                if let Some(entry) = below {
                    end = self.end_of(entry.value);
                    entries.push(entry);
                }
            }
            self.finish_line();
            self.skip_gaps();
            if self.is_at_end() || self.column() <= indent {
                return self.push(start, end, Value::Map(entries));
            }
        }
    }

    /// Reads a key and its value.
    fn entry(&mut self, depth: usize) -> Entry {
        let column = self.column();
        if self.byte(0) == Some(b'?') && self.is_gap(1) {
            self.at += 1;
            self.skip_blanks();
        }
        let start = self.at;
        let key = self.key();
        if self.at == start {
            self.step();
        }
        let (at, line) = (self.at, self.line);
        self.skip_gaps();
        let has_colon = self.byte(0) == Some(b':')
            && self.is_gap(1)
            && (self.line == line || self.column() == column);
        if !has_colon {
            (self.at, self.line) = (at, line);
        }
        let value = if has_colon {
            self.at += 1;
            self.node(column, Position::AfterKey, depth + 1)
        } else {
            self.empty(at)
        };
        Entry {
            key,
            value,
            is_merged: false,
        }
    }

    /// Reads a mapping or a list below a key that lacks its colon or has a scalar already.
    fn below(&mut self, column: isize, depth: usize) -> Option<NodeId> {
        let (at, line) = (self.at, self.line);
        self.finish_line();
        self.skip_gaps();
        let is_below = self.line != line && self.column() > column;
        if is_below && (self.is_dash() || self.is_key_ahead()) {
            return Some(self.node(column, Position::Start, depth + 1));
        }
        (self.at, self.line) = (at, line);
        None
    }

    /// Reads a list.
    fn list(&mut self, indent: isize, depth: usize) -> NodeId {
        let (start, column) = (self.at, self.column());
        let mut items = Vec::new();
        let mut end = start;
        loop {
            if self.is_dash() {
                let column = self.column();
                self.at += 1;
                let item = self.node(column, Position::Start, depth + 1);
                end = self.end_of(item).max(end + 1);
                items.push(item);
            } else {
                self.skip_line()
            }
            self.finish_line();
            self.skip_gaps();
            let is_next = self.column() > indent || (self.column() == column && self.is_dash());
            if self.is_at_end() || !is_next {
                return self.push(start, end, Value::List(items));
            }
        }
    }

    /// Passes over what is left of the line after a node.
    fn finish_line(&mut self) {
        self.skip_blanks();
        let is_new_line = self.text.get(self.line..self.at);
        if is_new_line.is_none_or(|before| !before.trim_matches([' ', '\t', '\r']).is_empty()) {
            self.skip_line();
        }
    }
}
