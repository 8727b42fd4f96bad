//! Lines, aligned columns and numbers.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::cli::render::printable;
use crate::view::description::Extremes;

/// Lines, and tables with an empty line before each.
pub struct Page {
    lines: Vec<String>,
    width: Option<usize>,
}

impl Page {
    pub fn new(width: Option<usize>) -> Self {
        Self {
            lines: Vec::new(),
            width,
        }
    }

    pub fn say(&mut self, line: String) {
        self.lines.push(printable(&line));
    }

    pub fn table<T>(&mut self, columns: &[Column], items: &[T], row: impl Fn(&T) -> Vec<String>) {
        if !items.is_empty() {
            self.lines.push(String::new());
            let rows = items.iter().map(row).collect();
            self.lines.extend(lines(columns, rows, self.width));
        }
    }

    pub fn finish(self) -> String {
        self.lines.join("\n")
    }
}

/// Returns a text, or a dash if there is none.
pub fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

pub fn bounds(extremes: &Extremes) -> String {
    let (min, max) = (numbers(&extremes.min), numbers(&extremes.max));
    format!("({min}) to ({max})")
}

pub fn numbers(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().copied().map(significant).collect();
    texts.join(", ")
}

/// Returns a number with six digits that count, as `%g` of C writes it.
pub fn significant(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let short = |digits: &str| {
        if digits.contains('.') {
            digits
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        } else {
            digits.to_owned()
        }
    };
    match usize::try_from(5 - exponent) {
        Ok(decimals) if exponent >= -4 => short(&format!("{number:.decimals$}")),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", short(digits), exponent.abs())
        }
    }
}

/// Narrowest that a column of names becomes.
const NARROWEST: usize = 8;

/// Blanks between columns, and before the first.
const GAP: usize = 2;

/// A column, by its heading.
#[derive(Clone, Copy)]
pub enum Column {
    /// Text, which is cut short where the terminal is too narrow.
    Text(&'static str),
    /// Numbers, which are aligned at the right and never cut.
    Number(&'static str),
}

impl Column {
    fn heading(self) -> &'static str {
        match self {
            Self::Text(heading) | Self::Number(heading) => heading,
        }
    }
}

/// Returns the lines of a table: headings, then rows. Without rows there are none. Control characters are escaped.
fn lines(columns: &[Column], rows: Vec<Vec<String>>, width: Option<usize>) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let escaped = |row: Vec<String>| row.iter().map(|cell| printable(cell)).collect();
    let mut rows: Vec<Vec<String>> = rows.into_iter().map(escaped).collect();
    let headings = columns.iter().map(|column| column.heading().to_owned());
    rows.insert(0, headings.collect());
    let widest = |at: usize| rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..columns.len()).map(widest).collect();
    if let Some(width) = width {
        narrow(columns, &mut widths, width);
    }
    rows.iter().map(|row| line(columns, row, &widths)).collect()
}

/// Makes columns of text narrower, the widest first, until the table fits or all of them are [`NARROWEST`].
fn narrow(columns: &[Column], widths: &mut [usize], width: usize) {
    loop {
        let total: usize = widths.iter().map(|width| width + GAP).sum();
        let excess = total.saturating_sub(width);
        let texts = (0..columns.len()).filter(|at| matches!(columns[*at], Column::Text(_)));
        let widest = texts.max_by_key(|at| widths[*at]);
        match widest {
            Some(at) if excess > 0 && widths[at] > NARROWEST => {
                widths[at] = widths[at].saturating_sub(excess).max(NARROWEST);
            }
            _ => return,
        }
    }
}

fn line(columns: &[Column], cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for ((column, cell), width) in columns.iter().zip(cells).zip(widths) {
        let cell = cut(cell, *width);
        let blanks = " ".repeat(width - cell.width().min(*width));
        line += &" ".repeat(GAP);
        match column {
            Column::Text(_) => line.extend([&*cell, &*blanks]),
            Column::Number(_) => line.extend([&*blanks, &*cell]),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Returns a text that takes at most `width` columns; what is cut ends in `…`.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| match left.checked_sub(c.width().unwrap_or(0)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::{significant, *};

    #[test]
    fn numbers_are_written_as_percent_g_writes_them() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.3"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.0 / 3.0, "0.333333"),
            (200.0 / 3.0, "66.6667"),
            (1e300, "1e+300"),
            (-2.5e-9, "-2.5e-09"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(significant(number), expected, "{number:e}");
        }
    }

    fn rows(names: &[&str]) -> Vec<Vec<String>> {
        let row = |name: &&str| vec![(*name).to_owned(), "12".to_owned(), (*name).to_owned()];
        names.iter().map(row).collect()
    }

    const COLUMNS: [Column; 3] = [
        Column::Text("name"),
        Column::Number("n"),
        Column::Text("again"),
    ];

    #[test]
    fn columns_are_aligned_by_what_a_terminal_shows() {
        let lines = lines(&COLUMNS, rows(&["a", "漢字漢", "e\u{301}x\u{1b}"]), None);
        let expected = [
            "  name       n  again",
            "  a         12  a",
            "  漢字漢    12  漢字漢",
            "  e\u{301}x\\u{1b}  12  e\u{301}x\\u{1b}",
        ];
        assert_eq!(lines, expected);
        assert_eq!(super::lines(&COLUMNS, Vec::new(), None), [""; 0]);
    }

    #[test]
    fn the_widest_text_is_cut_first_and_numbers_never() {
        let long = "x".repeat(40);
        for width in [200, 60, 40, 26] {
            let lines = lines(
                &COLUMNS,
                rows(&[&long, "漢字漢字漢字漢字漢字"]),
                Some(width),
            );
            for line in &lines {
                assert!(line.width() <= width, "{width}: {line}");
                assert!(line.contains("12") || line.contains('n'));
            }
            assert_eq!(lines[1].contains('…'), width < 100);
        }
        // Narrower than this it does not become.
        let lines = lines(&COLUMNS, rows(&[&long]), Some(3));
        assert_eq!(lines[1], "  xxxxxxx…  12  xxxxxxx…");
    }
}
