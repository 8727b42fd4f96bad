//! The values of plain scalars: the table of `language.md` §1.1, and the numeric strings of §1.3.

use std::borrow::Cow;

use super::Kind;

/// A whole number: its nearest double, and its exact value where 64 bits hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Int {
    /// Nearest f64; infinite beyond its range.
    pub nearest: f64,
    /// The exact number; `None` if 64 bits cannot hold it.
    pub exact: Option<i64>,
}

/// Resolves a plain (unquoted, untagged) scalar. Returns `None` for a bare `=` or `<<`, which are no values.
#[inline]
pub fn resolve(text: Cow<'_, str>) -> Option<Kind<'_>> {
    match text.as_bytes().first() {
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => Some(number(&text).unwrap_or_else(|| {
            if is_date(&text) {
                Kind::Date(text)
            } else {
                Kind::Str(text)
            }
        })),
        None | Some(b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'=' | b'<') => word(text),
        Some(_) => Some(Kind::Str(text)),
    }
}

/// Returns true for a plain scalar that [`resolve`] makes text of. Texts that begin like a number, which may be dates, are left
/// out.
#[inline]
pub fn is_text(text: &str) -> bool {
    match text.as_bytes().first() {
        None | Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'~' | b'=' | b'<') => false,
        Some(b'n' | b'N' | b't' | b'T' | b'f' | b'F') => {
            !matches!(word(Cow::Borrowed(text)), Some(Kind::Null | Kind::Bool(_)))
        }
        Some(_) => true,
    }
}

/// Resolves a scalar that does not begin like a number.
#[inline]
fn word(text: Cow<'_, str>) -> Option<Kind<'_>> {
    Some(match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        "=" | "<<" => return None,
        _ => Kind::Str(text),
    })
}

/// Returns the value of a scalar that begins like a number; `None` if it is none.
fn number(text: &str) -> Option<Kind<'static>> {
    let (_, body) = sign(text);
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'_';
    match body.bytes().find(|byte| !is_digit(byte)) {
        None | Some(b'x' | b'o' | b'b') => int(text).map(Kind::Int),
        Some(b'.' | b'e' | b'E') => float(text).map(Kind::Float),
        Some(_) => None,
    }
}

/// Returns the value of a decimal number without an exponent that has at most 15 digits: they are exact as a double, and so is the
/// power of ten by which they are divided.
#[inline(always)]
pub fn short_number(text: &str) -> Option<Kind<'static>> {
    let (is_negative, body) = sign(text);
    let bytes = body.as_bytes();
    if bytes.len() > 15 || !bytes.first()?.is_ascii_digit() {
        return None;
    }
    let (mut digits, mut places) = (0i64, None);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits = digits * 10 + i64::from(byte - b'0'),
            b'.' if places.is_none() => places = Some((bytes.len() - at - 1) as u32),
            _ => return None,
        }
    }
    let sign = if is_negative { -1.0 } else { 1.0 };
    Some(match places {
        Some(places) => Kind::Float(sign * digits as f64 / 10u64.pow(places) as f64),
        None => {
            let exact = digits * sign as i64;
            Kind::Int(Int {
                nearest: exact as f64,
                exact: Some(exact),
            })
        }
    })
}

/// Returns a whole number: a sign if there is one, then decimal digits with `_` among them (leading zeros do not make them
/// octal), or `0x`, `0o` or `0b` and digits.
pub fn int(text: &str) -> Option<Int> {
    let (negative, digits) = sign(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x', ..] => (16, &digits[2..]),
        [b'0', b'o', ..] => (8, &digits[2..]),
        [b'0', b'b', ..] => (2, &digits[2..]),
        _ => (10, digits),
    };
    if !digits
        .bytes()
        .all(|b| b == b'_' || char::from(b).is_digit(radix))
        || digits.bytes().all(|b| b == b'_')
    {
        return None;
    }
    let clean: Cow<'_, str> = without_underscores(digits);
    let exact = i64::from_str_radix(&clean, radix).ok();
    let nearest = match exact {
        Some(value) => value as f64,
        None if radix == 10 => clean.parse().unwrap_or(f64::INFINITY),
        None => power_of_two_radix(&clean, radix),
    };
    Some(if negative {
        Int {
            nearest: if exact == Some(0) { 0.0 } else { -nearest },
            exact: exact.map(i64::wrapping_neg),
        }
    } else {
        Int { nearest, exact }
    })
}

/// Returns the nearest double of a long binary, octal or hexadecimal number. The 64 leading bits are kept, and the lowest is
/// set if a later digit is not zero, so that the number is rounded once and to the right side.
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

/// Returns a float in one of the forms of the table. Digits may have `_` among them; an exponent after `.5` needs a sign.
pub fn float(text: &str) -> Option<f64> {
    let (negative, body) = sign(text);
    match body {
        ".nan" | ".NaN" | ".NAN" if body.len() == text.len() => return Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" if negative => return Some(f64::NEG_INFINITY),
        ".inf" | ".Inf" | ".INF" => return Some(f64::INFINITY),
        _ => {}
    }
    let bytes = body.as_bytes();
    let end_of_digits = |from: usize| {
        from + bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'_')
            .count()
    };
    let whole = end_of_digits(0);
    let has_point = bytes.get(whole) == Some(&b'.');
    let end = if has_point {
        end_of_digits(whole + 1)
    } else {
        whole
    };
    let point_first = whole == 0 && bytes[..end].iter().any(u8::is_ascii_digit);
    let leads_with_digit = bytes.first().is_some_and(u8::is_ascii_digit);
    let ends_well = match bytes.get(end) {
        None => has_point,
        Some(b'e' | b'E') => {
            let exponent = &body[end + 1..];
            let (_, digits) = sign(exponent);
            let is_signed = digits.len() < exponent.len();
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            is_number && (is_signed || !point_first)
        }
        Some(_) => false,
    };
    if ends_well && (leads_with_digit || point_first) {
        without_underscores(text).parse().ok()
    } else {
        None
    }
}

/// Returns the number in a string, by the grammar of `language.md` §1.3: white space around it, single underscores inside,
/// decimal digits with a fraction and an exponent if there are any, or `inf`, `infinity`, `nan` in any case.
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
    // The rest must be digits, a point and an exponent, which the standard parser accepts.
    body.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        .then(|| clean.parse().ok())
        .flatten()
}

/// Returns true if a text is a name of the language: ASCII letters, digits and `_`, no digit first.
pub fn is_identifier(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.bytes().next().is_some_and(|b| !b.is_ascii_digit())
}

/// Splits off a leading sign; returns true if it is a minus.
fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// Returns the same digits without underscores.
fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.as_bytes().contains(&b'_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns true for a date or an ISO date-time.
fn is_date(text: &str) -> bool {
    let (date, rest) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) => (
            &text[..at],
            Some(text[at + 1..].trim_start_matches([' ', '\t'])),
        ),
        None => (text, None),
    };
    let digits = |s: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit())
    };
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let shortest = if rest.is_some() { 1 } else { 2 };
    if !digits(year, 4..=4) || !digits(month, shortest..=2) || !digits(day, shortest..=2) {
        return false;
    }
    let Some(time) = rest else { return true };
    let mut parts = time.splitn(3, ':');
    let (Some(hour), Some(minute), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let second = rest.get(..2).is_some_and(|s| digits(s, 2..=2));
    digits(hour, 1..=2) && digits(minute, 2..=2) && second && is_time_tail(&rest[2..])
}

/// Returns true for the text after the seconds: a fraction, then `Z` or an offset, each of which may be missing.
fn is_time_tail(tail: &str) -> bool {
    let tail = match tail.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => tail,
    };
    let zone = tail.trim_start_matches([' ', '\t']);
    if zone.is_empty() {
        return tail.is_empty();
    }
    if zone == "Z" {
        return true;
    }
    let Some(offset) = zone.strip_prefix(['-', '+']) else {
        return false;
    };
    let mut parts = offset.splitn(2, ':');
    let two = |s: Option<&str>, least: usize| {
        s.is_none_or(|s| (least..=2).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit()))
    };
    two(parts.next(), 1) && two(parts.next(), 2)
}

#[cfg(test)]
mod tests;
