//! Tables of aligned columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::value::Shows;
use crate::cli::render::printable;

/// Narrowest that a column of text becomes.
const NARROWEST: usize = 8;

/// Blanks before each column.
const GAP: &str = "  ";

/// A table about things of one kind, a line for each.
pub struct Table<'i, T> {
    items: &'i [T],
    columns: Vec<Column>,
}

struct Column {
    /// True for numbers, which are aligned at the right and never cut. Text is cut short where the terminal is too narrow.
    is_number: bool,
    /// The heading, then the text about each thing.
    cells: Vec<String>,
    /// Columns of a terminal.
    width: usize,
}

impl<'i, T> Table<'i, T> {
    pub fn of(items: &'i [T]) -> Self {
        let columns = Vec::new();
        Self { items, columns }
    }

    /// Adds a column of text.
    pub fn text<V: Shows>(self, heading: &str, value: impl Fn(&'i T) -> V) -> Self {
        self.column(false, heading, value)
    }

    /// Adds a column of numbers.
    pub fn number<V: Shows>(self, heading: &str, value: impl Fn(&'i T) -> V) -> Self {
        self.column(true, heading, value)
    }

    fn column<V: Shows>(
        mut self,
        is_number: bool,
        heading: &str,
        value: impl Fn(&'i T) -> V,
    ) -> Self {
        let mut cells = vec![heading.to_owned()];
        cells.extend(
            self.items
                .iter()
                .map(|item| printable(&value(item).shown())),
        );
        self.columns.push(Column {
            is_number,
            width: cells.iter().map(|cell| cell.width()).max().unwrap_or(0),
            cells,
        });
        self
    }

    /// The lines of the table, the headings first, in at most `width` columns of a terminal as far as numbers allow. Without
    /// things there are none.
    pub fn lines(mut self, width: Option<usize>) -> Vec<String> {
        if self.items.is_empty() {
            return Vec::new();
        }
        if let Some(width) = width {
            narrow(&mut self.columns, width);
        }
        (0..=self.items.len())
            .map(|row| line(&self.columns, row))
            .collect()
    }
}

/// Makes columns of text narrower, the widest first, until the table fits or all of them are [`NARROWEST`].
fn narrow(columns: &mut [Column], width: usize) {
    loop {
        let total: usize = columns.iter().map(|column| GAP.len() + column.width).sum();
        let excess = total.saturating_sub(width);
        let texts = columns.iter_mut().filter(|column| !column.is_number);
        match texts.max_by_key(|column| column.width) {
            Some(widest) if excess > 0 && widest.width > NARROWEST => {
                widest.width = widest.width.saturating_sub(excess).max(NARROWEST);
            }
            _ => return,
        }
    }
}

fn line(columns: &[Column], row: usize) -> String {
    let mut line = String::new();
    for column in columns {
        let cell = cut(&column.cells[row], column.width);
        let blanks = " ".repeat(column.width.saturating_sub(cell.width()));
        line += GAP;
        line += &if column.is_number {
            blanks + &cell
        } else {
            cell + &blanks
        };
    }
    line.truncate(line.trim_end().len());
    line
}

/// A text that takes at most `width` columns; what is cut ends in `…`.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let mut short: String = text
        .chars()
        .take_while(|c| match left.checked_sub(c.width().unwrap_or(0)) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        })
        .collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(names: &[&str], width: Option<usize>) -> Vec<String> {
        let table = Table::of(names).text("name", |name| *name);
        let table = table.number("n", |_| 12_u64).text("again", |name| *name);
        table.lines(width)
    }

    #[test]
    fn columns_are_aligned_by_what_a_terminal_shows() {
        let expected = [
            "  name       n  again",
            "  a         12  a",
            "  漢字漢    12  漢字漢",
            "  e\u{301}x\\u{1b}  12  e\u{301}x\\u{1b}",
        ];
        assert_eq!(lines(&["a", "漢字漢", "e\u{301}x\u{1b}"], None), expected);
        assert_eq!(lines(&[], None), [""; 0]);
    }

    #[test]
    fn the_widest_text_is_cut_first_and_numbers_never() {
        let long = &*"x".repeat(40);
        for width in [200, 60, 40, 26] {
            let lines = lines(&[long, "漢字漢字漢字漢字漢字"], Some(width));
            for line in &lines {
                assert!(line.width() <= width, "{width}: {line}");
                assert!(line.contains("12") || line.contains('n'));
            }
            assert_eq!(lines[1].contains('…'), width < 100);
        }
        // Narrower than this it does not become.
        assert_eq!(lines(&[long], Some(3))[1], "  xxxxxxx…  12  xxxxxxx…");
    }
}
