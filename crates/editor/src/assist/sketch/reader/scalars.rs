//! Scalars and aliases.

use super::super::{NodeId, Scalar, Style, Value};
use super::Reader;
use rigy_language::yaml::{self, Kind};

impl<'t> Reader<'t> {
    /// Reads a text in quotes.
    pub(super) fn quoted(&mut self, quote: u8) -> Scalar {
        let range = self.at..self.quoted_end(quote);
        self.at = range.end;
        let raw = &self.text[range.clone()];
        let style = match quote {
            b'"' => Style::Double,
            _ => Style::Single,
        };
        let is_closed = raw.len() > 1 && raw.as_bytes().last() == Some(&quote);
        let decoded = match is_closed {
            false => Some(raw.get(1..).unwrap_or_default().trim_end().into()),
            true if raw.contains('\\') || raw.contains("''") => decoded(raw),
            true => None,
        };
        Scalar {
            range,
            style,
            is_text: true,
            decoded,
        }
    }

    /// Makes a scalar of a plain text of one line.
    pub(super) fn plain(&mut self, end: usize) -> Scalar {
        let range = self.at..end.max(self.at);
        self.at = range.end;
        let kind = yaml::plain_scalar(self.text[range.clone()].into());
        Scalar {
            range,
            style: Style::Plain,
            is_text: matches!(kind, Some(Kind::Str(_))),
            decoded: None,
        }
    }

    /// Reads a key of a block mapping. The rest of the line is the key if there is no colon.
    pub(super) fn key(&mut self) -> Scalar {
        match self.byte(0) {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            _ => {
                let end = self.plain_end(true, false);
                self.plain(end)
            }
        }
    }

    /// Reads a plain text of one line or more. Lines that go on are indented by more than `indent` and look like no key
    /// and no item.
    pub(super) fn plain_lines(&mut self, indent: isize) -> NodeId {
        let start = self.at;
        let end = self.plain_end(false, false);
        let mut scalar = self.plain(end);
        let mut joined = String::new();
        loop {
            let (at, line) = (self.at, self.line);
            self.skip_gaps();
            let goes_on = !self.is_at_end()
                && self.line > line
                && self.column() > indent
                && !self.is_dash()
                && !self.is_key_ahead()
                && !self.text[at..self.at].contains('#');
            if !goes_on {
                (self.at, self.line) = (at, line);
                break;
            }
            let end = self.plain_end(false, false).max(self.at + 1);
            let more = self.text.get(self.at..end).unwrap_or_default();
            if joined.is_empty() {
                joined.push_str(scalar.value(self.text));
            }
            joined.push(' ');
            joined.push_str(more);
            self.at = end;
        }
        if !joined.is_empty() {
            scalar.range.end = self.at;
            scalar.is_text = true;
            scalar.decoded = Some(joined.into());
        }
        let end = scalar.range.end;
        self.push(start, end, Value::Scalar(scalar))
    }

    /// Reads a block after `|` or `>`: all lines that are indented by more than `indent`.
    pub(super) fn block_text(&mut self, indent: isize) -> NodeId {
        let start = self.at;
        self.skip_line();
        let mut lines: Vec<&str> = Vec::new();
        let mut end = self.at;
        while self.byte(0) == Some(b'\n') {
            let next = self.at + 1;
            let stop = self.text[next..].find('\n');
            let line = &self.text[next..stop.map_or(self.text.len(), |len| next + len)];
            let content = line.trim_start_matches(' ');
            let column = (line.len() - content.len()) as isize;
            if !content.trim().is_empty() && column <= indent {
                break;
            }
            self.line = next;
            self.at = next + line.len();
            lines.push(line.trim());
            if !content.trim().is_empty() {
                end = self.at;
            }
        }
        let scalar = Scalar {
            range: start..end,
            style: Style::Block,
            is_text: true,
            decoded: Some(lines.join("\n").trim_end().into()),
        };
        self.push(start, end, Value::Scalar(scalar))
    }

    /// Reads an alias.
    pub(super) fn alias(&mut self) -> NodeId {
        let start = self.at;
        self.at += 1;
        let name = self.name();
        let target = self.anchors.get(name).copied();
        self.push(start, self.at, Value::Alias(target))
    }

    /// Reads the name of an anchor or a tag, after its sign.
    pub(super) fn name(&mut self) -> &'t str {
        let start = self.at;
        while !self.is_gap(0) && !matches!(self.byte(0), Some(b',' | b'[' | b']' | b'{' | b'}')) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }
}

/// Returns the value of a quoted text, as the YAML reader has it.
fn decoded(raw: &str) -> Option<Box<str>> {
    let text = format!("k: {raw}");
    let tree = yaml::compose(&text, &yaml::Options::default()).ok()?;
    let entry = tree.entries(tree.root())?.first()?;
    match &tree.node(entry.value).kind {
        Kind::Str(value) => Some((**value).into()),
        _ => None,
    }
}
