//! The types of fields and the values that they accept (`language.md` §1.3).

use super::object::Object;
use super::reader::Reader;
use super::shapes;
use crate::model::{Orientation, Vector};
use crate::version::Feature;
use crate::yaml::{Kind, NodeId, numeric_text};
use rigy_base::diag::{Code, Diagnostic, Mend, Spanned};
use rigy_kernel::math::trig;

/// Reads a number: an integer, float, boolean or numeric string. It may be infinite or not a number.
pub fn number(r: &Reader, id: NodeId) -> Option<Spanned<f64>> {
    if matches!(&r.node(id).kind, Kind::Int(int) if int.nearest.is_infinite()) {
        let message = "this whole number is beyond the range of a double";
        return r.fail(Diagnostic::new(Code::U10, r.span(id), message));
    }
    numeric(r, id, "a number", |_| true, numeric_text)
}

/// Reads three numbers.
pub fn vector(r: &Reader, id: NodeId) -> Option<Vector> {
    r.tuple(id, "numbers", number)
}

/// Reads a whole number, which may be negative, in any of the accepted spellings.
pub fn whole(r: &Reader, id: NodeId) -> Option<Spanned<f64>> {
    numeric(
        r,
        id,
        "a whole number",
        |value| value.is_finite() && value.fract() == 0.0,
        whole_text,
    )
}

/// Reads a number, a boolean or a text that is a number.
fn numeric(
    r: &Reader,
    id: NodeId,
    wanted: &str,
    takes: fn(&f64) -> bool,
    of_text: fn(&str) -> Option<f64>,
) -> Option<Spanned<f64>> {
    let value = match &r.node(id).kind {
        Kind::Int(int) => Some(int.nearest),
        Kind::Float(value) => Some(*value).filter(takes),
        Kind::Bool(value) => Some(f64::from(u8::from(*value))),
        Kind::Str(text) => of_text(text),
        _ => None,
    };
    match value {
        Some(value) => Some(Spanned::new(value, r.span(id))),
        None => r.wrong(id, wanted),
    }
}

/// Reads a vertex number: a whole number of 0 or more, in any of the accepted spellings.
pub fn vertex(r: &Reader, id: NodeId) -> Option<Spanned<u64>> {
    let whole = whole(r, id)?;
    if whole.value < 0.0 {
        return r.wrong(id, "a vertex number of 0 or more");
    }
    // The conversion saturates; so large a number is beyond every primitive anyway (V19).
    Some(Spanned::new(whole.value as u64, whole.span))
}

/// Returns the whole number of a text: a sign, digits with single underscores between them, and at most a fraction of zeros.
fn whole_text(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, fraction) = match body.split_once('.') {
        Some((digits, fraction)) => (digits, Some(fraction)),
        None => (body, None),
    };
    let groups = |d: &str| {
        d.split('_')
            .all(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_digit()))
    };
    let legal =
        groups(digits) && fraction.is_none_or(|f| !f.is_empty() && f.bytes().all(|b| b == b'0'));
    let value: f64 = legal.then(|| digits.replace('_', "").parse().ok())??;
    Some(if text.starts_with('-') { -value } else { value })
}

/// Reads text; other scalars are refused.
pub fn text(r: &Reader, id: NodeId) -> Option<Spanned<String>> {
    let node = r.node(id);
    match &node.kind {
        Kind::Str(text) => Some(Spanned::new(text.clone().into_owned(), r.span(id))),
        Kind::Int(_) if r.is_token(id) => {
            let help = "a token alone becomes a number; write it in a text, such as `b${i}`";
            r.fail(r.mismatch(id, "text").help(help))
        }
        Kind::Int(_) | Kind::Float(_) | Kind::Bool(_) => {
            let error = r.mismatch(id, "text").help("put quotes around it");
            r.fail(error.mend(Mend::Quote))
        }
        _ => r.wrong(id, "text"),
    }
}

/// Reads text and drops its span.
pub fn plain(r: &Reader, id: NodeId) -> Option<String> {
    text(r, id).map(|text| text.value)
}

/// Reads one of a few words, which must match exactly; returns its index.
pub fn word(r: &Reader, id: NodeId, words: &[&str]) -> Option<usize> {
    let wanted = || {
        words
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<String>>()
            .join(" or ")
    };
    let Kind::Str(text) = &r.node(id).kind else {
        return r.wrong(id, &wanted());
    };
    if let Some(index) = words.iter().position(|word| word == text) {
        return Some(index);
    }
    if r.is_full() {
        return None; // the fault would be dropped
    }
    let wanted = wanted();
    let message = format!("expected {wanted}, found `{text}`");
    let error = Diagnostic::new(r.type_code(id), r.span(id), message);
    let other_name = shapes::other_name(text).filter(|name| words.contains(name));
    r.fail(
        match other_name.or_else(|| r.nearest(text, words.iter().copied())) {
            Some(near) => error.did_you_mean(text, near),
            None if words == ["meters"] => {
                error.help("all lengths are metres: 180 centimetres are `1.8`")
            }
            None => r.unmarked(error, id),
        },
    )
}

/// Reads the rotation of a transform, if it has one.
pub fn rotation(r: &Reader, o: &Object) -> Option<Option<Orientation>> {
    if !r.version.has(Feature::Expressions) {
        return euler(r, o);
    }
    // Preprocessing has made a canonical quaternion of every form.
    let quaternion = o.nullable("rotation_quat", |r, id| {
        r.tuple(id, "numbers, x y z w", number)
    })?;
    Some(quaternion.map(Orientation::Quaternion))
}

/// Reads angles in radians from either authored form.
fn euler(r: &Reader, o: &Object) -> Option<Option<Orientation>> {
    let euler = o.nullable("rotation_euler", vector);
    let degrees = o.nullable("rotation_degrees", vector);
    match (euler?, degrees?) {
        (Some(_), Some(_)) => {
            let span = o.key_span("rotation_degrees").unwrap_or(o.span);
            let message = "a transform has one rotation, in radians or in degrees";
            r.fail(Diagnostic::new(Code::U10, span, message))
        }
        (euler, None) => Some(euler.map(Orientation::Euler)),
        (None, degrees) => {
            let radians =
                |angle: Spanned<f64>| Spanned::new(trig::radians(angle.value), angle.span);
            Some(degrees.map(|angles| Orientation::EulerOfDegrees(angles.map(radians))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_in_text_have_their_own_grammar() {
        for (text, expected) in [
            ("1.0", 1.0),
            ("1.00", 1.0),
            ("+1", 1.0),
            ("01", 1.0),
            ("1_0", 10.0),
            ("-2", -2.0),
        ] {
            assert_eq!(whole_text(text), Some(expected), "{text}");
        }
        for text in [
            "1.", "1e0", "", "+", "1__0", "_1", "1.5", ".0", "1.0_0", " 1",
        ] {
            assert_eq!(whole_text(text), None, "{text}");
        }
    }
}
