//! Scalars: their spelling stays; lines after the first get new indentation.

use super::arrange::indicators;
use super::{Formatter, Result, Unknown};
use rigy_yaml::Kind;

impl Formatter<'_, '_> {
    /// Writes a scalar or an alias. Its further lines begin in column `indent`.
    pub fn leaf(&mut self, id: u32, indent: usize) -> Result<()> {
        let node = *self.tree.node(id);
        // All that stands between nodes has been read.
        if self.source.pos != node.start as usize {
            return Err(Unknown);
        }
        match node.kind {
            Kind::Literal | Kind::Folded => self.block_scalar(id, indent),
            kind => {
                let written = self.tree.written(id);
                match node.is_encoded {
                    true => self.lines(written, kind == Kind::Double, indent),
                    // It has one line.
                    false => self.out.push_str(written),
                }
                self.source.consume(node.end as usize);
            }
        }
        Ok(())
    }

    fn lines(&mut self, written: &str, is_double: bool, indent: usize) {
        for (at, line) in lines(written) {
            // Blanks around the breaks of a scalar are no part of it, unless they are escaped.
            let line = if is_double {
                line
            } else {
                line.trim_end_matches([' ', '\t'])
            };
            if at == 0 {
                self.out.push_str(line);
                continue;
            }
            let line = line.trim_start_matches([' ', '\t']);
            self.line(false, if line.is_empty() { 0 } else { indent });
            self.out.push_str(line);
        }
    }

    fn block_scalar(&mut self, id: u32, indent: usize) {
        let written = self.tree.written(id);
        let mut all = lines(written);
        let (_, header) = all.next().unwrap_or_default();
        let digit = indicators(header).bytes().find(u8::is_ascii_digit);
        let indent = digit.map_or(indent, |digit| indent - 2 + usize::from(digit - b'0'));
        let own_indent = self.tree.indent(id);
        self.out.push_str(header.trim_end());
        let mut end = header.len();
        for (at, line) in all {
            let content = line.get(own_indent..).unwrap_or("");
            // Blanks after the last break are no line.
            if content.is_empty() && at + line.len() == written.len() {
                break;
            }
            self.line(false, if content.is_empty() { 0 } else { indent });
            self.out.push_str(content);
            end = at + line.len();
        }
        self.source.consume(self.source.pos + end);
        self.block_scalar_end = self.source.end;
    }

    /// Writes the source from an offset to the last token. If that began in another column than it does now, its lines move as far.
    pub fn verbatim(&mut self, from: usize, indent: usize) {
        let shift = indent as isize - self.source.column(from);
        let text = &self.source.text[from..self.source.end];
        for (at, line) in lines(text) {
            if at == 0 {
                self.out.push_str(line);
                continue;
            }
            let content = line.trim_start_matches(' ');
            let indent = (line.len() - content.len()).saturating_add_signed(shift);
            if content.is_empty() {
                self.line(false, 0)
            } else {
                self.line(false, indent)
            }
            self.out.push_str(content);
        }
    }
}

/// Returns the lines of a text, which end in any of the three ways, with their offsets. There is one more than it has breaks.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let from = next?;
        let rest = &text[from..];
        let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let break_len = if rest[len..].starts_with("\r\n") {
            2
        } else {
            1
        };
        next = (len < rest.len()).then_some(from + len + break_len);
        Some((from, &rest[..len]))
    })
}
