//! The text of names, numbers and values: without characters that a format gives a meaning, and no two names alike.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use rigy_base::terminal::{is_control, printable};
use rigy_models::glb::number::write_f32;

/// Longest name, in characters; longer ones are cut.
pub const LONGEST: usize = 100;

/// Names that have been given, among which none is given twice.
#[derive(Default)]
pub struct Names {
    given: HashSet<String>,
    /// For each name that was wanted more than once, the number that is tried next.
    next: HashMap<String, u64>,
}

impl Names {
    /// Returns a name that has not been given: the wanted one, or the first with a number behind it.
    pub fn unique(&mut self, wanted: String) -> String {
        if self.given.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(1);
        loop {
            let name = format!("{wanted}_{next}");
            *next += 1;
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The beginning of a name, if it is longer than names are.
pub fn cut(name: &str) -> &str {
    let end = name.char_indices().nth(LONGEST);
    end.map_or(name, |(end, _)| &name[..end])
}

/// A name as one word of a line of text: spaces, `#`, `\` and characters that a terminal must not show become `_`.
pub fn word(name: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !is_control(c) && c != '#' && c != '\\';
    let plain = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    or_unnamed(plain.take(LONGEST).collect())
}

/// A name as an identifier: a letter or `_`, then letters, digits and `_`, all ASCII; other characters become `_`.
pub fn identifier(name: &str) -> String {
    let text: String = name
        .chars()
        .map(|c: char| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(LONGEST)
        .collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{text}")
    } else {
        or_unnamed(text)
    }
}

fn or_unnamed(name: String) -> String {
    if name.is_empty() {
        "unnamed".into()
    } else {
        name
    }
}

/// Writes numbers with a text between them.
pub fn write_all_f32(
    out: &mut (impl Write + ?Sized),
    values: &[f32],
    between: &str,
) -> io::Result<()> {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.write_all(between.as_bytes())?;
        }
        write_f32(out, *value)?;
    }
    Ok(())
}

/// A text in quotation marks. Characters that a terminal must not show are escaped, as they are on terminals.
pub fn quoted(text: &str) -> String {
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

/// The shortest text of a finite number that reads back as the same f64.
pub fn number(value: f64) -> String {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    text.strip_suffix(".0").unwrap_or(text).to_owned()
}

/// Numbers as f32 in parentheses.
pub fn tuple(values: &[f64]) -> String {
    let values: Vec<f32> = values.iter().map(|value| *value as f32).collect();
    let mut text = Vec::new();
    write_tuple(&mut text, &values).expect("a vector takes every write");
    String::from_utf8_lossy(&text).into_owned()
}

fn write_tuple(out: &mut impl Write, values: &[f32]) -> io::Result<()> {
    out.write_all(b"(")?;
    write_all_f32(out, values, ", ")?;
    out.write_all(b")")
}

/// Writes an array of vectors of at most three numbers. Texts are kept for a while: many vertices share a place or a direction.
pub fn vectors<'v, const N: usize>(
    out: &mut impl Write,
    values: impl IntoIterator<Item = &'v [f32; N]>,
) -> io::Result<()> {
    // A number has at most 16 bytes.
    let mut kept = [([u32::MAX; N], 0, [0; 64]); 256];
    array(out, values, |out, value| {
        let bits = value.map(f32::to_bits);
        let mixed = |hash: u32, bits: u32| (hash ^ bits).wrapping_mul(0x9e37_79b1);
        let (known, len, text) = &mut kept[bits.into_iter().fold(0, mixed) as usize >> 24];
        if *known != bits {
            let mut rest = &mut text[..];
            write_tuple(&mut rest, value)?;
            (*known, *len) = (bits, 64 - rest.len());
        }
        out.write_all(&text[..*len])
    })
}

/// Writes an array of numbers.
pub fn floats(out: &mut impl Write, values: impl IntoIterator<Item = f32>) -> io::Result<()> {
    array(out, values, |out, value| write_f32(out, value))
}

/// Writes an array of whole numbers.
pub fn integers(out: &mut impl Write, values: impl IntoIterator<Item = u32>) -> io::Result<()> {
    array(out, values, |out, value| {
        out.write_all(itoa::Buffer::new().format(value).as_bytes())
    })
}

fn array<W: Write, T>(
    out: &mut W,
    values: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut W, T) -> io::Result<()>,
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
    fn no_name_is_given_twice() {
        let mut names = Names::default();
        let wanted = ["a", "a_1", "a", "a", "a_1", "b"];
        let given = wanted.map(|name| names.unique(name.into()));
        assert_eq!(given, ["a", "a_1", "a_2", "a_3", "a_1_1", "b"]);
    }

    #[test]
    fn hostile_names_are_words_and_identifiers() {
        for (name, as_word, as_identifier) in [
            ("arm.L", "arm.L", "arm_L"),
            ("a b\r\nv 1 2 3", "a_b__v_1_2_3", "a_b__v_1_2_3"),
            ("tail \\", "tail__", "tail__"),
            ("#1 \u{2028}\0", "_1___", "_1___"),
            ("gnp\u{202e}.x\u{200b}y", "gnp_.x_y", "gnp__x_y"),
            ("7up", "7up", "_7up"),
            ("", "unnamed", "unnamed"),
            ("Körper", "Körper", "K_rper"),
        ] {
            assert_eq!(word(name), as_word);
            assert_eq!(identifier(name), as_identifier);
        }
        assert_eq!(word(&"x".repeat(5000)).len(), LONGEST);
    }

    #[test]
    fn texts_cannot_leave_their_quotation_marks() {
        assert_eq!(
            quoted("a\"b\\\n\0\u{202e}é"),
            r#""a\"b\\\\n\\u{0}\\u{202e}é""#
        );
    }

    #[test]
    fn texts_that_are_kept_are_those_of_the_same_bits() {
        let numbers = [
            0.0,
            -0.0,
            1.0,
            0.1,
            f32::MIN,
            -f32::MIN_POSITIVE,
            -1.000_000_1e-6,
            1.2e12,
        ];
        let some =
            (0..4096).map(|index: usize| [0, 3, 7].map(|k| numbers[((index * index) >> k) % 8]));
        let some: Vec<[f32; 3]> = some.collect();
        let texts = some.iter().map(|row| tuple(&row.map(f64::from)));
        let expected = format!("[{}]", texts.collect::<Vec<_>>().join(", "));
        let mut written = Vec::new();
        vectors(&mut written, &some).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
        let mut written = Vec::new();
        integers(&mut written, [0, 7, u32::MAX]).unwrap();
        assert_eq!(written, b"[0, 7, 4294967295]");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!((number(24.0), number(29.97)), ("24".into(), "29.97".into()));
        assert_eq!(tuple(&[0.5, 0.1]), "(0.5, 0.1)");
    }
}
