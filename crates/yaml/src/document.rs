//! The document: its characters, directives and markers.

use crate::Problem;
use crate::reader::{Place, Reader, is_gap};

impl<'s> Reader<'s> {
    pub fn characters(&mut self) {
        let mut at = self.at;
        let is_usual = |byte: &u8| (b' '..=b'~').contains(byte) | (*byte == b'\n');
        loop {
            let rest = &self.bytes[at..];
            let blocks = rest
                .chunks_exact(64)
                .take_while(|block| block.iter().fold(true, |all, byte| all & is_usual(byte)))
                .count();
            at += blocks * 64
                + rest[blocks * 64..]
                    .iter()
                    .take_while(|byte| is_usual(byte))
                    .count();
            let Some(c) = self.text[at..]
                .chars()
                .next()
                .filter(|_| at < self.bytes.len())
            else {
                return;
            };
            let is_allowed = matches!(c, '\t' | '\r' | '\u{85}')
                || !c.is_control() && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
            if !is_allowed {
                self.fault(Problem::Character, at..at + c.len_utf8());
            }
            at += c.len_utf8();
        }
    }

    pub fn document(&mut self) {
        let whole = self.bytes;
        let mut directive = None;
        let mut place = Place::Line;
        loop {
            self.gaps();
            let line = self.at..self.line_end();
            if self.column() == 0 && self.peek(0) == b'%' && !self.is_at_end() {
                let written = &self.text[line.clone()];
                if directive.is_some() || !is_version(written) {
                    self.fault(Problem::Directive, line.clone());
                }
                directive = Some(line.clone());
                self.at = line.end;
            } else if directive.is_none() && self.is_marker(self.at, b"...") {
                self.at += 3;
                self.end_of_line();
            } else {
                break;
            }
        }
        if self.is_marker(self.at, b"---") {
            self.at += 3;
            place = Place::Marker;
        } else if let Some(line) = directive {
            self.fault(Problem::Directive, line);
        }
        self.is_inside = true;
        self.node(-1, place, 0);
        self.gaps();
        let rest = self.at;
        while !self.is_at_end() {
            self.at = self.line_end();
            self.newline();
        }
        if self.at > rest {
            self.fault(Problem::Trailing, rest..self.at);
        }
        if self.is_stopped {
            return;
        }
        self.is_inside = false;
        self.line = self.at;
        self.bytes = whole;
        while self.is_marker(self.at, b"...") {
            self.at += 3;
            self.end_of_line();
            self.gaps();
        }
        if !self.is_at_end() {
            self.fault(Problem::SecondDocument, self.at..self.bytes.len());
        }
    }

    pub fn is_marker(&self, at: usize, marker: &[u8]) -> bool {
        let after = self.bytes.get(at + 3).copied().unwrap_or(b'\n');
        self.bytes[at..].starts_with(marker)
            && is_gap(after)
            && (self.at != at || self.column() == 0)
    }
}

/// Returns true for a directive with a known version of YAML.
fn is_version(line: &str) -> bool {
    line.strip_prefix("%YAML 1.")
        .and_then(|rest| rest.strip_prefix(['1', '2']))
        .is_some_and(|rest| {
            rest.trim().is_empty() || rest.starts_with([' ', '\t']) && rest.trim().starts_with('#')
        })
}
