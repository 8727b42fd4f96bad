//! What a plain scalar means: the table of `language.md` §1.1, and the numeric strings of §1.3.

use std::borrow::Cow;

use super::Kind;
use super::date::is_date;

/// A whole number: its nearest double, and its exact value where 64 bits hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Int {
    /// Nearest f64; infinite beyond its range.
    pub nearest: f64,
    /// The number itself, unless it is too large.
    pub exact: Option<i64>,
}

/// Resolves a plain (unquoted, untagged) scalar. `None` for a bare `=` or `<<`, which mean nothing as values.
pub(super) fn resolve<'s>(text: Cow<'s, str>) -> Option<Kind<'s>> {
    Some(match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        "=" | "<<" => return None,
        other => match other.as_bytes()[0] {
            b'0'..=b'9' | b'+' | b'-' | b'.' => match number(other) {
                Some(kind) => kind,
                None => Kind::Str(text),
            },
            _ => Kind::Str(text),
        },
    })
}

/// A scalar that begins like a number, if it is one (or a date).
fn number(text: &str) -> Option<Kind<'static>> {
    if let Some(int) = int(text) {
        return Some(Kind::Int(int));
    }
    if let Some(value) = float(text) {
        return Some(Kind::Float(value));
    }
    is_date(text).then_some(Kind::Date)
}

/// `[-+]?` followed by decimal digits with optional `_` (leading zeros are still decimal), or `0x`, `0o`, `0b`.
pub(super) fn int(text: &str) -> Option<Int> {
    let (negative, digits) = sign(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x', ..] => (16, &digits[2..]),
        [b'0', b'o', ..] => (8, &digits[2..]),
        [b'0', b'b', ..] => (2, &digits[2..]),
        _ => (10, digits),
    };
    let legal = |b: u8| b == b'_' || char::from(b).is_digit(radix);
    if !digits.bytes().all(legal) || digits.bytes().all(|b| b == b'_') {
        return None;
    }
    let clean: Cow<'_, str> = without_underscores(digits);
    let exact = i64::from_str_radix(&clean, radix).ok();
    let nearest = match exact {
        Some(value) => value as f64,
        None if radix == 10 => clean.parse().unwrap_or(f64::INFINITY),
        None => power_of_two_radix(&clean, radix),
    };
    Some(match negative {
        true => Int {
            nearest: if exact == Some(0) { 0.0 } else { -nearest },
            exact: exact.map(i64::wrapping_neg),
        },
        false => Int { nearest, exact },
    })
}

/// Nearest double of a long binary, octal or hexadecimal number: 64 leading bits, the rest folded into a
/// sticky lowest bit, so that the one rounding sees on which side of the middle the number lies.
fn power_of_two_radix(digits: &str, radix: u32) -> f64 {
    let bits_per_digit = radix.trailing_zeros();
    let mut mantissa: u128 = 0;
    let mut exponent: i32 = 0;
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        if mantissa >> 64 == 0 {
            mantissa = (mantissa << bits_per_digit) | u128::from(digit);
        } else {
            mantissa |= u128::from(digit != 0);
            exponent = exponent.saturating_add(bits_per_digit as i32);
        }
    }
    if exponent > 1024 {
        return f64::INFINITY;
    }
    mantissa as f64 * 2f64.powi(exponent)
}

/// The float forms of the table. `_` may stand among digits; an exponent after `.5` needs its sign.
pub(super) fn float(text: &str) -> Option<f64> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        _ => {}
    }
    let (negative, body) = sign(text);
    if matches!(body, ".inf" | ".Inf" | ".INF") {
        return Some(if negative {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        });
    }
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let (whole, fraction) = match mantissa.find('.') {
        Some(at) => (&mantissa[..at], Some(&mantissa[at + 1..])),
        None => (mantissa, None),
    };
    if !digits(whole) || !fraction.is_none_or(digits) {
        return None;
    }
    let leads_with_digit = whole.starts_with(|c: char| c.is_ascii_digit());
    let point_first = whole.is_empty() && fraction.is_some_and(|f| f.bytes().any(|b| b != b'_'));
    if let Some(exponent) = exponent {
        let (_, exponent_digits) = sign(exponent);
        let signed = exponent_digits.len() < exponent.len();
        let numeric =
            !exponent_digits.is_empty() && exponent_digits.bytes().all(|b| b.is_ascii_digit());
        if !numeric || (point_first && !signed) {
            return None;
        }
    } else if fraction.is_none() {
        return None;
    }
    if !leads_with_digit && !point_first {
        return None;
    }
    without_underscores(text).parse().ok()
}

/// The text of a string as a number, by the grammar of `language.md` §1.3: trimmed, single inner underscores,
/// decimal with optional fraction and exponent, or `inf`, `infinity`, `nan` in any case.
pub fn numeric_text(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return None;
    }
    let clean = without_underscores(text);
    let (negative, body) = sign(&clean);
    let word = |w: &str| body.eq_ignore_ascii_case(w);
    if word("inf") || word("infinity") {
        return Some(if negative {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        });
    }
    if word("nan") {
        return Some(f64::NAN);
    }
    // What remains must be digits, a point and an exponent: the standard parser takes exactly those.
    let begins = body.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    begins.then(|| clean.parse().ok()).flatten()
}

/// Splits one leading sign off.
fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// The same digits without underscores.
fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> String {
        match resolve(Cow::Borrowed(text)) {
            None => "error".into(),
            Some(Kind::Null) => "null".into(),
            Some(Kind::Bool(b)) => format!("bool {b}"),
            Some(Kind::Int(i)) => format!("int {:?}", i.exact.ok_or(i.nearest)),
            Some(Kind::Float(f)) => format!("float {f:?}"),
            Some(Kind::Date) => "date".into(),
            Some(Kind::Str(s)) => format!("str {s}"),
            Some(_) => unreachable!(),
        }
    }

    #[test]
    fn every_row_of_the_scalar_table() {
        for (text, expected) in [
            ("", "null"),
            ("~", "null"),
            ("Null", "null"),
            ("nULL", "str nULL"),
            ("TRUE", "bool true"),
            ("False", "bool false"),
            ("tRue", "str tRue"),
            ("yes", "str yes"),
            ("on", "str on"),
            ("n", "str n"),
            ("0", "int Ok(0)"),
            ("-0", "int Ok(0)"),
            ("+12", "int Ok(12)"),
            ("010", "int Ok(10)"),
            ("09", "int Ok(9)"),
            ("1_000", "int Ok(1000)"),
            ("0x1F", "int Ok(31)"),
            ("-0x10", "int Ok(-16)"),
            ("0o17", "int Ok(15)"),
            ("0b101", "int Ok(5)"),
            ("0b12", "str 0b12"),
            ("0X1F", "str 0X1F"),
            ("_1", "str _1"),
            ("-_", "str -_"),
            ("-", "str -"),
            ("+", "str +"),
            (".", "str ."),
            ("0x", "str 0x"),
            ("9223372036854775808", "int Err(9.223372036854776e18)"),
            ("0x10000000000000001", "int Err(1.8446744073709552e19)"),
            ("1.5", "float 1.5"),
            ("1.", "float 1.0"),
            ("-1.e3", "float -1000.0"),
            ("1_0.5_0", "float 10.5"),
            ("1e3", "float 1000.0"),
            ("1E+3", "float 1000.0"),
            ("1e", "str 1e"),
            ("1e1.5", "str 1e1.5"),
            (".5", "float 0.5"),
            ("-.5", "float -0.5"),
            (".5e+1", "float 5.0"),
            (".5e1", "str .5e1"),
            ("._5", "float 0.5"),
            ("._", "str ._"),
            ("-0.0", "float -0.0"),
            (".inf", "float inf"),
            ("-.Inf", "float -inf"),
            ("+.INF", "float inf"),
            (".iNf", "str .iNf"),
            (".nan", "float NaN"),
            ("-.nan", "str -.nan"),
            ("1e400", "float inf"),
            ("1e-400", "float 0.0"),
            ("2024-01-31", "date"),
            ("2024-1-31", "str 2024-1-31"),
            ("2024-1-31 1:02:03", "date"),
            ("2001-12-14t21:59:43.10-05:00", "date"),
            ("2001-12-14 21:59:43.10 -5", "date"),
            ("2001-12-15T02:59:43.1Z", "date"),
            ("2001-12-15T02:59", "str 2001-12-15T02:59"),
            ("=", "error"),
            ("<<", "error"),
            ("<", "str <"),
            ("1:30", "str 1:30"),
            ("12e03", "float 12000.0"),
            ("1.2.3", "str 1.2.3"),
            ("0.5.0", "str 0.5.0"),
            ("v0.5", "str v0.5"),
        ] {
            assert_eq!(kind(text), expected, "{text:?}");
        }
    }

    #[test]
    fn long_hexadecimal_numbers_round_once() {
        let value = |text: &str| int(text).unwrap().nearest;
        assert_eq!(
            value("0x20000000000001000000"),
            151115727451828646838272.0 + 16777216.0
        );
        // Half way between two doubles, then a hair above half way.
        assert_eq!(
            value("0x8000000000000400").to_bits(),
            (2f64.powi(63)).to_bits()
        );
        assert_eq!(
            value("0x80000000000004000000000000000001"),
            (2f64.powi(63) + 2048.0) * 2f64.powi(64)
        );
        assert_eq!(value(&format!("0x1{}", "0".repeat(300))), f64::INFINITY);
    }

    #[test]
    fn strings_are_numbers_by_their_own_grammar() {
        for (text, expected) in [
            ("1_000", 1000.0),
            ("1.", 1.0),
            (".5", 0.5),
            (" 1e3 ", 1000.0),
            ("Infinity", f64::INFINITY),
            ("-inf", f64::NEG_INFINITY),
            (".5e1", 5.0),
            ("+0.25", 0.25),
            ("\u{2003}7\u{a0}", 7.0),
            ("1e-1", 0.1),
        ] {
            assert_eq!(numeric_text(text), Some(expected), "{text:?}");
        }
        assert!(numeric_text("NaN").unwrap().is_nan());
        for text in [
            "", " ", "_1", "1_", "1__0", "0x10", "1e", ".", "e5", "--1", "1 2", ".inf", "infin",
            "1d3",
        ] {
            assert_eq!(numeric_text(text), None, "{text:?}");
        }
    }
}
