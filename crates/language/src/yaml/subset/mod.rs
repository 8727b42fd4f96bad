//! A reader of the common subset of YAML, without the event parser: it sends the same events in a quarter of the time.
//!
//! The subset is what most documents are written in: block and flow collections, plain and quoted scalars of one line,
//! literal block scalars, anchors, aliases, core tags, comments, and `?` before a key. Other scalars of several lines,
//! tabs, directives other than `%YAML` and everything doubtful are not part of it. The reader then stops, and the event
//! parser reads the text from its beginning. It also stops at every fault, so that all findings are those of the event
//! parser. Tests and a fuzz target compare the trees that both give.

mod block;
mod document;
mod flow;
mod scalar;

use super::entrance::unusual;
use super::event::{CoreTag, Event, Properties, Receiver};
use rigy_base::diag::Span;
use rigy_base::maps::HashMap;

/// The text, or the part of it read so far, is not in the subset, or the receiver has refused it.
#[derive(Debug)]
pub(super) struct NotInSubset;

type Result<T = ()> = std::result::Result<T, NotInSubset>;

/// Most bytes from the beginning of a key to its colon. YAML allows 1,024 characters.
const LONGEST_KEY: usize = 1000;

/// Most block collections inside one another, and most flow collections.
const DEEPEST: usize = super::MAX_DEPTH;

/// Sends the events of a text to a receiver.
///
/// # Errors
/// The text is not in the subset, has a fault, or the receiver reports an error.
pub(super) fn read<'s>(text: &'s str, receiver: &mut impl Receiver<'s>) -> Result {
    if is_unreadable(text) {
        return Err(NotInSubset);
    }
    let mut reader = Reader {
        text,
        at: 0,
        line: 0,
        levels: Vec::new(),
        held: None,
        anchors: HashMap::default(),
        anchor_count: 0,
        is_done: false,
        receiver,
    };
    reader.document()
}

/// Returns true if a text has a tab, a carriage return that stands before no line feed, or a line break beyond ASCII.
fn is_unreadable(text: &str) -> bool {
    if u32::try_from(text.len()).is_err() {
        return true;
    }
    let is_unreadable = |(at, c): &(usize, char)| match c {
        '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
        '\r' => !text[at + 1..].starts_with('\n'),
        _ => false,
    };
    unusual(text).any(|found| is_unreadable(&found))
}

/// A block collection that is open.
struct Level {
    is_map: bool,
    /// The column of its keys or dashes.
    column: usize,
    /// The offset of the colon or the dash whose value comes next.
    awaits: Option<usize>,
}

/// The reader's place in the text, and the collections that are open there.
struct Reader<'s, 'r, R> {
    text: &'s str,
    /// The next byte.
    at: usize,
    /// The first byte of its line.
    line: usize,
    levels: Vec<Level>,
    /// The properties at the end of a line, which belong to the node in the next, and their first byte.
    held: Option<(Properties, usize)>,
    anchors: HashMap<&'s str, usize>,
    anchor_count: usize,
    /// True if the receiver needs no more events.
    is_done: bool,
    receiver: &'r mut R,
}

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Sends an event.
    #[inline]
    fn send(&mut self, event: Event<'s>, start: usize, end: usize) -> Result {
        if self.is_done {
            return Ok(());
        }
        let taken = self.receiver.take(event, span(start, end));
        self.is_done = taken.map_err(|_| NotInSubset)?;
        Ok(())
    }

    /// Returns the byte `ahead` bytes further on; past the end it is a line feed.
    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        let byte = self.text.as_bytes().get(self.at + ahead);
        byte.copied().unwrap_or(b'\n')
    }

    /// Returns the number of bytes before the cursor in its line. In a block collection these are blanks and indicators, and
    /// so it is the number of characters, too.
    #[inline]
    fn column(&self) -> usize {
        self.at - self.line
    }

    #[inline]
    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    #[inline]
    fn spaces(&mut self) {
        while self.peek(0) == b' ' {
            self.at += 1;
        }
    }

    /// Returns the offset after the blanks from here on, and after a comment that follows them.
    fn end_of_blanks(&self, from: usize) -> usize {
        let rest = &self.text.as_bytes()[from..];
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        let comment = match rest.get(blanks) {
            Some(b'#') => rest[blanks..]
                .iter()
                .take_while(|byte| !is_break(**byte))
                .count(),
            _ => 0,
        };
        from + blanks + comment
    }

    /// Skips the rest of a line, which may be blanks and a comment.
    fn end_of_line(&mut self) -> Result {
        let content = self.at;
        self.spaces();
        match self.peek(0) {
            b'#' if self.at > content => self.skip_line(),
            byte if is_break(byte) => self.skip_line(),
            _ => return Err(NotInSubset),
        }
        Ok(())
    }

    /// Moves to the beginning of the next line.
    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at.min(self.text.len())..];
        let len = rest.iter().position(|byte| *byte == b'\n');
        self.at += len.map_or(rest.len(), |len| len + 1);
        self.line = self.at;
    }

    /// Moves to the first byte of the next line that has content, after its blanks. Returns false if there is none.
    fn next_content(&mut self) -> bool {
        while !self.is_at_end() {
            self.spaces();
            match self.peek(0) {
                byte if is_break(byte) || byte == b'#' => self.skip_line(),
                _ => return true,
            }
        }
        false
    }

    /// Reads the properties of a node and the blanks after them.
    #[inline]
    fn properties(&mut self) -> Result<Properties> {
        match self.peek(0) {
            b'&' | b'!' => self.some_properties(),
            _ => Ok(Properties::default()),
        }
    }

    fn some_properties(&mut self) -> Result<Properties> {
        let mut properties = Properties::default();
        loop {
            match self.peek(0) {
                b'&' if properties.anchor == 0 => {
                    let name = self.name()?;
                    self.anchor_count += 1;
                    properties.anchor = self.anchor_count;
                    self.anchors.insert(name, self.anchor_count);
                }
                b'!' if properties.tag.is_none() && self.peek(1) == b'!' => {
                    self.at += 1;
                    let name = self.name()?;
                    properties.tag = Some(CoreTag::of_name(name).ok_or(NotInSubset)?);
                }
                b'&' | b'!' => return Err(NotInSubset),
                _ => return Ok(properties),
            }
            if !is_break(self.peek(0)) && self.peek(0) != b' ' {
                return Err(NotInSubset);
            }
            self.spaces();
        }
    }

    /// Skips an indicator and reads the name after it, of ASCII letters, digits, `_` and `-`.
    fn name(&mut self) -> Result<&'s str> {
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let len = rest.iter().take_while(|byte| is_name(byte)).count();
        self.at = start + len;
        match len {
            0 => Err(NotInSubset),
            _ => Ok(&self.text[start..self.at]),
        }
    }

    /// Reads an alias, which is no key.
    fn alias(&mut self, properties: Properties) -> Result {
        let start = self.at;
        let name = self.name()?;
        let anchor = *self.anchors.get(name).ok_or(NotInSubset)?;
        if properties.is_any() {
            return Err(NotInSubset);
        }
        self.send(Event::Alias(anchor), start, self.at)
    }
}

impl Properties {
    fn is_any(self) -> bool {
        self.anchor != 0 || self.tag.is_some()
    }
}

/// Returns a span; the text is shorter than 4 GiB.
#[inline]
fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// Returns true for line breaks. A carriage return comes only before a line feed.
#[inline]
fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns true for blanks and line breaks.
#[inline]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || is_break(byte)
}

#[cfg(test)]
mod tests;
