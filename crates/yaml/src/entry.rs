//! Keys and values of block mappings.

use crate::reader::{NONE, Place, Reader, Token, is_break};
use crate::{Kind, Problem};

impl Reader<'_> {
    /// Reads a key and its value.
    pub fn entry(&mut self, column: isize, first: Option<(Token, u32)>, depth: u32) {
        let (key, properties) = match first {
            Some(first) => {
                self.key_tab(first.0.start);
                first
            }
            None => {
                self.no_tab();
                if let Some(key) = self.simple(false) {
                    return self.field(column, key, NONE, depth);
                }
                match self.peek(0) {
                    b'?' if self.is_sign(b'?') => return self.explicit(column, depth),
                    b':' if self.is_sign(b':') => {
                        self.fault(Problem::EmptyKey, self.at..self.at + 1);
                        self.empty(self.at, NONE);
                        self.at += 1;
                        return self.node(column, Place::Explicit, depth + 1);
                    }
                    b'-' if self.is_sign(b'-') => {
                        self.fault(Problem::DashAmongFields, self.at..self.line_end());
                        self.empty(self.at, NONE);
                        return self.node(self.column() - 1, Place::Line, depth + 1);
                    }
                    _ => {}
                }
                let properties = self.properties();
                if matches!(self.peek(0), b'[' | b'{') {
                    let id = self.count();
                    self.flow(column, NONE, depth, false);
                    (self.key_text(id), properties)
                } else if self.is_at_end() || is_break(self.peek(0)) || self.is_sign(b':') {
                    (Token::nothing(self.last), properties)
                } else {
                    (self.token(column, false), properties)
                }
            }
        };
        self.field(column, key, properties, depth);
    }

    /// Adds a key, and reads its value.
    fn field(&mut self, column: isize, key: Token, properties: u32, depth: u32) {
        let is_colon = self.is_colon(false);
        let is_long = self.line > key.start || self.at.saturating_sub(key.start) > 1024;
        self.leaf(key, properties);
        if is_colon {
            if is_long {
                self.fault(Problem::LongKey, key.start..key.end);
            }
            self.at += 1;
            self.last = self.at;
            if self.simple_value(column) {
                return;
            }
        } else {
            self.fault(Problem::MissingColon, key.start..key.end);
            self.end_of_line();
        }
        self.node(column, Place::Colon, depth + 1);
    }

    /// Notes a tab before the first key of a mapping.
    fn key_tab(&mut self, start: usize) {
        if self.tab > self.line && self.tab <= start {
            self.no_tab();
        }
    }

    fn explicit(&mut self, column: isize, depth: u32) {
        self.at += 1;
        let key = self.count();
        self.node(column, Place::Explicit, depth + 1);
        let node = self.tree.nodes[key as usize];
        let written = node.start as usize..node.end as usize;
        match node.kind {
            Kind::Empty if node.link == NONE => self.fault(Problem::EmptyKey, written),
            kind if kind.is_collection() => self.fault(Problem::ComplexKey, written),
            _ => {}
        }
        self.gaps();
        if !self.is_at_end() && self.column() == column && self.is_sign(b':') {
            self.no_tab();
            self.at += 1;
            self.last = self.at;
            self.node(column, Place::Explicit, depth + 1);
        } else {
            self.empty(self.last, NONE);
        }
    }
}
