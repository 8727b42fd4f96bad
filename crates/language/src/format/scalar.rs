//! Scalars: their spelling stays; lines after the first get new indentation.

use super::source::{Event, Kind};
use super::{Formatter, Result, Unknown};

impl Formatter<'_> {
    /// Writes a scalar or an alias that begins here. Its further lines begin in column `indent`. A block scalar belongs to
    /// the entry in column `parent` of the source.
    pub(super) fn leaf(&mut self, event: &Event<'_>, indent: usize, parent: isize) -> Result<()> {
        let from = self.source.pos;
        let end = match (&event.kind, self.source.byte()) {
            (Kind::BlockScalar, Some(b'|' | b'>')) => return self.block_scalar(indent, parent),
            (Kind::BlockScalar, _) => return Err(Unknown),
            (Kind::Alias(anchor), _) => {
                let (least, most) = self.aliases;
                self.aliases = (least.min(*anchor), most.max(*anchor));
                event.end
            }
            (_, Some(quote @ (b'"' | b'\''))) => from + quoted_len(self.source.rest(), quote)?,
            _ => event.end,
        };
        let text = self
            .source
            .text
            .get(from..end)
            .ok_or(Unknown)?
            .trim_end_matches([' ', '\t', '\n', '\r']);
        if text.is_empty() {
            return Err(Unknown);
        }
        let is_escaped = text.starts_with('"');
        for (at, line) in lines(text) {
            // Blanks around the breaks of a scalar are no part of it, unless they are escaped.
            let blank = [' ', '\t'];
            let line = if is_escaped {
                line
            } else {
                line.trim_end_matches(blank)
            };
            if at == 0 {
                self.out.push_str(line);
                continue;
            }
            let line = line.trim_start_matches(blank);
            self.line(false, if line.is_empty() { 0 } else { indent });
            self.out.push_str(line);
        }
        self.source.consume(from + text.len());
        Ok(())
    }

    fn block_scalar(&mut self, indent: usize, parent: isize) -> Result<()> {
        let rest = self.source.rest();
        let mut all = lines(rest);
        let (_, header) = all.next().ok_or(Unknown)?;
        let indicators = &header[..header.find([' ', '\t']).unwrap_or(header.len())];
        let keeps_end = indicators.contains('+');
        let digit = indicators
            .bytes()
            .find(u8::is_ascii_digit)
            .map(|digit| usize::from(digit - b'0'));
        let least = (parent + 1).max(0) as usize;
        // Blanks alone are never content if no line says how deep the content is.
        let detected = || {
            let first = all.clone().find(|(_, line)| !is_blank(line));
            let depth = first.map_or(0, |(_, line)| blanks(line));
            if depth >= least { depth } else { usize::MAX }
        };
        let own_indent = digit.map_or_else(detected, |digit| least.max(1) - 1 + digit);
        let is_body = |(_, line): &(usize, &str)| is_blank(line) || blanks(line) >= own_indent;
        let body: Vec<(usize, &str)> = all.take_while(is_body).collect();
        let last = body.iter().rposition(|(_, line)| line.len() > own_indent);
        // Blanks after the last break are no line.
        let is_line =
            |(at, line): &(usize, &str)| at + line.len() < rest.len() || line.len() > own_indent;
        let len = match keeps_end {
            true if !body.last().is_none_or(is_line) => body.len() - 1,
            true => body.len(),
            false => last.map_or(0, |at| at + 1),
        };
        self.kept_ends += usize::from(keeps_end);
        self.out.push_str(header.trim_end());
        let indent = digit.map_or(indent, |digit| indent - 2 + digit);
        for (_, line) in &body[..len] {
            let content = line.get(own_indent..).unwrap_or("");
            self.line(false, if content.is_empty() { 0 } else { indent });
            self.out.push_str(content);
        }
        let (at, last) = body[..len].last().copied().unwrap_or((0, header));
        self.source.consume(self.source.pos + at + last.len());
        self.block_scalar_end = self.source.end;
        Ok(())
    }
}

/// Returns the number of blanks that a line begins with.
fn blanks(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

fn is_blank(line: &str) -> bool {
    line.len() == blanks(line)
}

/// Returns the length of a quoted scalar, with its quotes.
fn quoted_len(text: &str, quote: u8) -> Result<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            // Two apostrophes stand for one.
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 1,
            _ if *byte == quote => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    Err(Unknown)
}

impl Formatter<'_> {
    /// Writes the source from an offset to the last token. If that began in another column than it does now, its lines move as far.
    pub(super) fn verbatim(&mut self, from: usize, indent: usize) {
        let shift = indent as isize - self.source.column(from);
        let text = &self.source.text[from..self.source.end];
        for (at, line) in lines(text) {
            if at == 0 {
                self.out.push_str(line);
                continue;
            }
            let content = line.trim_start_matches(' ');
            let indent = (line.len() - content.len()).saturating_add_signed(shift);
            match content.is_empty() {
                true => self.line(false, 0),
                false => self.line(false, indent),
            }
            self.out.push_str(content);
        }
    }
}

/// Returns the lines of a text, which end in any of the three ways, with their offsets. There is one more than it has breaks.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let from = next?;
        let rest = &text[from..];
        let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let break_len = match rest[len..].starts_with("\r\n") {
            true => 2,
            false => 1,
        };
        next = (len < rest.len()).then_some(from + len + break_len);
        Some((from, &rest[..len]))
    })
}
