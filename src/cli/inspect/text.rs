//! Descriptions as text for people: a line about the file, then tables.

mod document;
mod gltf;

use super::table::{Column, lines};
use crate::cli::render::printable;
use crate::view::description::Extremes;
pub use document::of_document;
pub use gltf::of_gltf;

/// Lines, and tables with an empty line before each.
struct Page {
    lines: Vec<String>,
    width: Option<usize>,
}

impl Page {
    fn new(width: Option<usize>) -> Self {
        Self {
            lines: Vec::new(),
            width,
        }
    }

    fn say(&mut self, line: String) {
        self.lines.push(printable(&line));
    }

    fn table<T>(&mut self, columns: &[Column], items: &[T], row: impl Fn(&T) -> Vec<String>) {
        if !items.is_empty() {
            self.lines.push(String::new());
            let rows = items.iter().map(row).collect();
            self.lines.extend(lines(columns, rows, self.width));
        }
    }

    fn finish(self) -> String {
        self.lines.join("\n")
    }
}

/// Returns a text, or a dash if there is none.
fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn bounds(extremes: &Extremes) -> String {
    let (min, max) = (numbers(&extremes.min), numbers(&extremes.max));
    format!("({min}) to ({max})")
}

fn numbers(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().copied().map(significant).collect();
    texts.join(", ")
}

/// Returns a number with six digits that count, as `%g` of C writes it.
fn significant(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let short = |digits: &str| match digits.contains('.') {
        true => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => digits.to_owned(),
    };
    match usize::try_from(5 - exponent) {
        Ok(decimals) if exponent >= -4 => short(&format!("{number:.decimals$}")),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", short(digits), exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::significant;

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
}
