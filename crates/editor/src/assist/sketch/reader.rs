//! A reader of texts with faults: lines by their indentation, brackets by their partners.
//!
//! It reads what YAML reads where a text is right, and goes on where it is not: a key without a colon is a key without a value,
//! a bracket or a quote that is not closed ends with its line or where the indentation says so, and a line that fits
//! nowhere is passed over. Each byte is looked at a bounded number of times.

mod block;
mod flow;
mod scalars;

use super::{Entry, Node, NodeId, Sketch, Value};
use rigy_base::limits::Limits;
use rigy_base::maps::HashMap;

/// Reads a text.
pub fn read(text: &str) -> Sketch {
    let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let mut reader = Reader {
        text,
        at: start,
        line: start,
        nodes: Vec::new(),
        anchors: HashMap::default(),
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

/// Movements over blanks, comments and lines.
impl<'t> Reader<'t> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Returns the number of bytes before the next one in its line.
    fn column(&self) -> isize {
        (self.at - self.line) as isize
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Returns true if the byte so far ahead is a blank, a line break or behind the text.
    fn is_gap(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
    }

    /// Passes over a character.
    fn step(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.chars().next().map_or(1, char::len_utf8);
    }

    /// Passes over blanks of the line.
    fn skip_blanks(&mut self) {
        while matches!(self.byte(0), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Passes over blanks, comments, line breaks and marks of documents.
    fn skip_gaps(&mut self) {
        loop {
            self.skip_blanks();
            let begins = self.at == self.line || self.is_after_blank();
            match self.byte(0) {
                Some(b'\n') => {
                    self.at += 1;
                    self.line = self.at;
                }
                Some(b'#') if begins => self.skip_line(),
                Some(b'-' | b'.') if self.is_mark() => self.at += 3,
                Some(b'%') if self.column() == 0 => self.skip_line(),
                _ => return,
            }
        }
    }

    fn is_after_blank(&self) -> bool {
        let before = self.at.checked_sub(1);
        let byte = before.and_then(|before| self.text.as_bytes().get(before));
        matches!(byte, Some(b' ' | b'\t' | b'\r' | b'\n'))
    }

    /// Returns true at `---` or `...` at the beginning of a line.
    fn is_mark(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        self.column() == 0
            && (rest.starts_with(b"---") || rest.starts_with(b"..."))
            && self.is_gap(3)
    }

    /// Passes over the rest of the line, without its line break.
    fn skip_line(&mut self) {
        self.at = self.line_end();
    }

    /// Returns the end of the line, without its line break.
    fn line_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|byte| *byte == b'\n');
        len.map_or(self.text.len(), |len| self.at + len)
    }

    /// Returns true at the dash of an item.
    fn is_dash(&self) -> bool {
        self.byte(0) == Some(b'-') && self.is_gap(1)
    }

    /// Returns the end of a quoted text that begins here, at most at the end of the line.
    fn quoted_end(&self, quote: u8) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => return at,
                b'\\' if quote == b'"' && bytes.get(at + 1).is_some_and(|next| *next != b'\n') => {
                    at += 2;
                }
                b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 2,
                byte if *byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        self.text.len()
    }

    /// Returns the end of a plain text that begins here and ends in this line, without blanks at its end. It ends at a comment,
    /// at a colon before a blank if `is_key`, and at a comma or bracket if `is_flow`.
    fn plain_end(&self, is_key: bool, is_flow: bool) -> usize {
        let bytes = self.text.as_bytes();
        let gap = |at: usize| matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n'));
        let indicator = |at: usize| matches!(bytes.get(at), Some(b',' | b'[' | b']' | b'{' | b'}'));
        let mut end = self.at;
        for (at, byte) in bytes.iter().enumerate().skip(self.at) {
            match byte {
                b'\n' => break,
                b' ' | b'\t' | b'\r' => continue,
                b'#' if at > 0 && gap(at - 1) => break,
                b':' if (is_key || is_flow) && gap(at + 1) => break,
                b':' if is_flow && indicator(at + 1) => break,
                b',' | b'[' | b']' | b'{' | b'}' if is_flow => break,
                _ => end = at + 1,
            }
        }
        // A text ends between characters.
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        end
    }
}
