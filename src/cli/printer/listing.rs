//! Lines, some of which are tables.

use super::table::Table;
use crate::cli::render::printable;

/// The lines of a text. Control characters in them are escaped.
pub struct Listing {
    lines: Vec<String>,
    width: Option<usize>,
}

impl Listing {
    /// No lines yet. Tables are no wider than `width` columns, as far as numbers allow.
    pub fn new(width: Option<usize>) -> Self {
        Self {
            lines: Vec::new(),
            width,
        }
    }

    pub fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push(printable(line.as_ref()));
    }

    /// Adds a line about what the line before begins.
    pub fn item(&mut self, line: impl AsRef<str>) {
        self.line(format!("  {}", line.as_ref()));
    }

    /// Adds an empty line, unless it would be the first.
    pub fn gap(&mut self) {
        if !self.lines.is_empty() {
            self.lines.push(String::new());
        }
    }

    /// Adds a table with its headings after an empty line; nothing if it is about nothing.
    pub fn table<T>(&mut self, table: Table<'_, T>) {
        let lines = table.lines(self.width);
        if !lines.is_empty() {
            self.gap();
            self.lines.extend(lines);
        }
    }

    /// Adds what a table lists, without headings, as about the line before.
    pub fn list<T>(&mut self, table: Table<'_, T>) {
        self.lines
            .extend(table.lines(self.width).into_iter().skip(1));
    }

    /// The text, without the last line end.
    pub fn finish(self) -> String {
        self.lines.join("\n")
    }
}
