//! Entries that keep their lines: those with a comment inside a flow collection or before a scalar, and those with `?`.

use super::Formatter;

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
