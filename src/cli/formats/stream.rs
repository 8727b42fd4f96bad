//! The order of the parts of a format: head, items with separators between them, tail.

use super::{Annotated, End, Group};
use crate::cli::Output;

/// Adds to each item what must stand before it.
#[derive(Default)]
pub struct Stream {
    has_items: bool,
}

impl Stream {
    /// Returns the text that stands before an item: nothing before the first, and before each other one `separator`.
    pub fn before_item(&mut self, separator: &'static str) -> &'static str {
        match std::mem::replace(&mut self.has_items, true) {
            true => separator,
            false => "",
        }
    }
}

/// Prints the results of a command that has all of them at hand.
pub fn print_groups(out: &mut Output, format: &dyn Annotated, groups: &[Group], end: &End<'_>) {
    let mut stream = Stream::default();
    out.bytes(format.head().as_bytes());
    for group in groups {
        let text = format.group(group);
        if !text.is_empty() {
            out.bytes(stream.before_item(format.separator()).as_bytes());
            out.bytes(text.as_bytes());
        }
    }
    out.bytes(format.tail(end).as_bytes());
}
