//! Distances of scenes (`extensions.md` §12.1).

use super::reader::Reader;
use crate::yaml::{Kind, NodeId};
use rigy_base::diag::{Code, Diagnostic};

/// Reads a distance: a number of metres, or digits with a unit.
pub fn distance(r: &Reader, id: NodeId) -> Option<f64> {
    let written = match &r.node(id).kind {
        Kind::Str(text) => text.clone().into_owned(),
        Kind::Int(int) => int
            .exact
            .map_or_else(|| format!("{:.0}", int.nearest), |n| n.to_string()),
        Kind::Float(value) => shortest(*value),
        _ => return r.wrong(id, FORM),
    };
    match metres(&written) {
        Some(value) if value.is_finite() => Some(value),
        _ => {
            let message = format!("expected {FORM}, found `{written}`");
            r.fail(Diagnostic::new(Code::U10, r.span(id), message))
        }
    }
}

const FORM: &str = "a distance such as `20cm`, `1ft`, `-0.5` or `3in`";

/// Returns a number as Python prints it, in which form it has to be a distance.
fn shortest(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-4..1e16).contains(&value.abs());
    if is_plain {
        format!("{value:?}")
    } else {
        format!("{value:e}")
    }
}

/// Returns the metres of a text: `-`, digits, a fraction, a unit.
fn metres(text: &str) -> Option<f64> {
    let unit = [("cm", 0.01), ("in", 0.0254), ("ft", 0.3048), ("m", 1.0)]
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = match unit {
        Some((number, factor)) => (number, Some(factor)),
        None => (text, None),
    };
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let number: f64 = number.parse().ok()?;
    Some(factor.map_or(number, |factor| number * factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_one_form() {
        for (text, expected) in [
            ("20cm", 0.2),
            ("1ft", 0.3048),
            ("-2.5in", -0.0635),
            ("3m", 3.0),
            ("1.5", 1.5),
        ] {
            assert_eq!(metres(text), Some(expected), "{text}");
        }
        for text in ["+1", ".5", "1.", "1 m", "1e3", "", "-", "mm", "1mm", "0x1"] {
            assert_eq!(metres(text), None, "{text}");
        }
        assert_eq!(metres(&shortest(0.001)), Some(0.001));
        assert_eq!(metres(&shortest(1e-5)), None);
        assert_eq!(metres(&shortest(1e16)), None);
    }
}
