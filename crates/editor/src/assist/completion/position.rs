//! The position of the mark: a key or a value, and the mappings around it.

use std::ops::Range;

use crate::assist::question::Source;
use crate::assist::quote::{escaped, indent, spelled};
use crate::assist::sketch::{Entry, NodeId, Scalar, Sketch, Style, Value};
use crate::assist::walk::{NodePlace, Reading, TextKind};

/// A character for private use, which no language gives a meaning.
const MARK: &str = "\u{e000}";

/// A text with a mark.
pub struct Marked {
    pub text: String,
    pub sketch: Sketch,
    kind: TextKind,
    offset: usize,
}

/// The kind of node that the author is typing at the mark.
pub enum Typed {
    /// A key of a mapping.
    Key {
        /// The mapping.
        place: NodePlace,
        key: Scalar,
        /// True if a colon follows.
        has_colon: bool,
    },
    /// A value.
    Value {
        place: NodePlace,
        scalar: Scalar,
        /// True if it stands at the beginning of its line, or after the dash of an item, where a mapping may begin.
        is_first: bool,
    },
}

impl Typed {
    pub fn place(&self) -> &NodePlace {
        match self {
            Self::Key { place, .. } | Self::Value { place, .. } => place,
        }
    }

    pub fn scalar(&self) -> &Scalar {
        match self {
            Self::Key { key, .. } => key,
            Self::Value { scalar, .. } => scalar,
        }
    }
}

impl Marked {
    /// Puts the mark at an offset, or before the character that contains it.
    pub fn new(source: Source, offset: usize) -> Self {
        let mut offset = offset.min(source.text.len());
        while !source.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let (before, after) = source.text.split_at(offset);
        let text = [before, MARK, after].concat();
        let sketch = Sketch::read(&text);
        let kind = TextKind::of(
            Source {
                text: &text,
                ..source
            },
            &sketch,
        );
        Self {
            text,
            sketch,
            kind,
            offset,
        }
    }

    pub fn reading(&self) -> Reading<'_> {
        Reading {
            text: &self.text,
            sketch: &self.sketch,
            kind: self.kind,
        }
    }

    /// Returns the key or the value at the mark; `None` in a comment, and where the language has neither.
    pub fn typed(&self) -> Option<Typed> {
        let reading = self.reading();
        let mut place = reading.root();
        loop {
            match &self.sketch.raw(place.node).value {
                Value::Map(entries) => {
                    let own = || entries.iter().filter(|entry| !entry.is_merged);
                    if let Some(entry) = own().find(|entry| self.is_in(&entry.key.range)) {
                        return Some(self.key(place, entry));
                    }
                    let entry = own().find(|entry| self.holds(entry.value))?;
                    place = reading.value_of(&place, entry);
                }
                Value::List(items) => {
                    let item = items.iter().find(|item| self.holds(**item))?;
                    place = reading.item_of(&place, *item);
                }
                // A mark in a comment lies in no scalar.
                Value::Scalar(scalar) if !self.is_in(&scalar.range) => return None,
                Value::Scalar(scalar) => {
                    return Some(Typed::Value {
                        is_first: self.is_first(scalar),
                        scalar: scalar.clone(),
                        place,
                    });
                }
                Value::Empty | Value::Alias(_) => return None,
            }
        }
    }

    fn key(&self, place: NodePlace, entry: &Entry) -> Typed {
        let after = self.text.get(entry.key.range.end..).unwrap_or_default();
        Typed::Key {
            place,
            key: entry.key.clone(),
            has_colon: after.trim_start_matches(' ').starts_with(':'),
        }
    }

    fn is_in(&self, range: &Range<usize>) -> bool {
        range.start <= self.offset && self.offset < range.end
    }

    fn holds(&self, node: NodeId) -> bool {
        self.is_in(&self.sketch.raw(node).range)
    }

    fn is_first(&self, scalar: &Scalar) -> bool {
        let before = self.text.get(..scalar.range.start).unwrap_or_default();
        indent(before).is_some()
    }

    /// Returns the bytes of a part of a scalar in the text without the mark: from a byte of its value to the end of its line.
    pub fn replaced(&self, scalar: &Scalar, from: usize) -> Range<usize> {
        let inner = scalar.inner();
        let start = match scalar.decoded {
            // The text spells the value in another way, so only the part before the mark is replaced.
            Some(_) => self.word_start(inner.start),
            None => (inner.start + from).min(self.offset),
        };
        let rest = self
            .text
            .get(self.offset..inner.end)
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end();
        start..self.offset + rest.len().saturating_sub(MARK.len())
    }

    /// Returns the beginning of the word before the mark, from an offset on.
    fn word_start(&self, from: usize) -> usize {
        let before = self.text.get(from..self.offset).unwrap_or_default();
        from + before
            .rfind(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
            .map_or(0, |at| {
                at + before[at..].chars().next().map_or(1, char::len_utf8)
            })
    }

    /// Returns the text of a scalar before the mark.
    pub fn prefix<'a>(&'a self, scalar: &Scalar) -> &'a str {
        self.text
            .get(scalar.inner().start..self.offset)
            .unwrap_or_default()
    }

    /// Returns true if a character follows the mark.
    pub fn is_before(&self, next: char) -> bool {
        let after = self.text.get(self.offset + MARK.len()..);
        after.is_some_and(|after| after.starts_with(next))
    }

    /// Returns the names of the tokens of the repeats around the mark.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        (0..self.sketch.len())
            .filter(|node| self.holds(*node))
            .filter(|node| self.sketch.entry(*node, "body", &self.text).is_some())
            .filter_map(|node| self.sketch.text_of(node, "as", &self.text))
    }

    /// Returns true if a key is the one with the mark.
    pub fn is_marked(&self, key: &Scalar) -> bool {
        self.is_in(&key.range)
    }

    /// Returns a text as the scalar has to spell it: in its quotes, or with quotes where YAML needs them.
    pub fn spelled(&self, scalar: &Scalar, value: &str, is_key: bool) -> String {
        match scalar.style {
            Style::Single => value.replace('\'', "''"),
            Style::Double => escaped(value),
            _ => spelled(value, Style::Plain, is_key),
        }
    }
}
