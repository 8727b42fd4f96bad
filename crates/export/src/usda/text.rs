//! The text of values.

use std::io::{self, Write};

use crate::number::write_all_f32;
use rigy_language::base::terminal::printable;
use rigy_models::glb::number::write_f32;

/// Returns a text in quotation marks. Characters that a terminal must not show are escaped, as they are on terminals.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in printable(text).chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the path of a prim, given the names on the way to it from the root.
pub(super) fn path_of(names: &[&str]) -> String {
    names.iter().map(|name| format!("/{name}")).collect()
}

/// Returns the shortest text of a finite number that reads back as the same f64.
pub(super) fn number(value: f64) -> String {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    text.strip_suffix(".0").unwrap_or(text).to_owned()
}

/// Returns numbers as f32 in parentheses.
pub(super) fn tuple(values: &[f64]) -> String {
    let mut text = b"(".to_vec();
    let values: Vec<f32> = values.iter().map(|value| *value as f32).collect();
    let written = write_all_f32(&mut text, &values, ", ");
    written.expect("a vector takes every write");
    text.push(b')');
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes an array of vectors.
///
/// # Errors
/// The error of the writer.
pub(super) fn vectors<'v, const N: usize>(
    out: &mut impl Write,
    values: impl IntoIterator<Item = &'v [f32; N]>,
) -> io::Result<()> {
    array(out, values, |out, value| {
        out.write_all(b"(")?;
        write_all_f32(out, value, ", ")?;
        out.write_all(b")")
    })
}

/// Writes an array of numbers.
///
/// # Errors
/// The error of the writer.
pub(super) fn floats(
    out: &mut impl Write,
    values: impl IntoIterator<Item = f32>,
) -> io::Result<()> {
    array(out, values, |out, value| write_f32(out, value))
}

/// Writes an array of whole numbers.
///
/// # Errors
/// The error of the writer.
pub(super) fn integers(
    out: &mut impl Write,
    values: impl IntoIterator<Item = u32>,
) -> io::Result<()> {
    array(out, values, |out, value| write!(out, "{value}"))
}

fn array<W: Write, T>(
    out: &mut W,
    values: impl IntoIterator<Item = T>,
    write: impl Fn(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.write_all(b", ")?;
        }
        write(out, value)?;
    }
    out.write_all(b"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_quotation_marks() {
        assert_eq!(
            quoted("a\"b\\\n\0\u{202e}é"),
            r#""a\"b\\\\n\\u{0}\\u{202e}é""#
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!((number(24.0), number(29.97)), ("24".into(), "29.97".into()));
        assert_eq!(tuple(&[0.5, 0.1]), "(0.5, 0.1)");
    }
}
