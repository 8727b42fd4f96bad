//! Advice about values of the wrong kind: how the right kind is written.

use crate::schema::{Presence, Record};
use crate::version::{Feature, Version};
use crate::yaml::{Kind, curly_quotes, numeric_text};
use rigy_base::diag::{Diagnostic, Mend};

/// Units that authors write after numbers, with the factor to the unit of the language; `None` for degrees.
const UNITS: [(&str, Option<f64>); 10] = [
    ("%", Some(0.01)),
    ("mm", Some(0.001)),
    ("cm", Some(0.01)),
    ("km", Some(1000.0)),
    ("m", Some(1.0)),
    ("in", Some(0.0254)),
    ("ft", Some(0.3048)),
    ("rad", Some(1.0)),
    ("deg", None),
    ("°", None),
];

/// Names that other programs have for words of the language.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("cube", "box"),
    ("cuboid", "box"),
    ("ball", "sphere"),
    ("tube", "cylinder"),
    ("pill", "capsule"),
    ("ramp", "wedge"),
    ("metaball", "implicit_surface"),
    ("linear", "lbs"),
    ("dual_quaternion", "dqs"),
    ("dlb", "dqs"),
];

/// Returns the word of the language for what other programs call so.
pub fn other_name(text: &str) -> Option<&'static str> {
    OTHER_NAMES
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(text))
        .map(|(_, word)| *word)
}

/// Adds to a finding how what is wanted is written, given what was found.
pub fn with_shape(finding: Diagnostic, wanted: &str, found: &Kind, version: Version) -> Diagnostic {
    let finding = match found {
        Kind::Str(text) => match curly_quotes(finding, text) {
            Ok(finding) => return finding,
            Err(finding) => finding,
        },
        _ => finding,
    };
    if let Kind::Str(text) = found
        && let Some((what, feature)) = computed(text)
        && !version.has(feature)
    {
        let since = feature.since();
        let help = format!("{what} need version {since}; this document declares {version}");
        return finding.help(help).mend(Mend::Declare(since.to_string()));
    }
    if let (Kind::Str(text), "a number") = (found, wanted)
        && let Some((advice, meant)) = unit(text)
    {
        let finding = finding.help(advice);
        return match meant {
            Some(meant) => finding.written_as(&**text, meant),
            None => finding,
        };
    }
    match shape(wanted, found) {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Returns what a text is that a later version computes a value from.
fn computed(text: &str) -> Option<(&'static str, Feature)> {
    if text.starts_with('=') {
        Some(("expressions", Feature::Expressions))
    } else if text.starts_with('$') {
        Some(("params", Feature::Params))
    } else {
        None
    }
}

fn shape(wanted: &str, found: &Kind) -> Option<String> {
    if let Kind::Str(text) = found
        && wanted == "a list"
        && is_hexadecimal(text)
    {
        return Some(
            "colours are lists of four numbers from 0 to 1: red, green, blue and opacity, such as `[1, 0.5, 0, 1]`".into(),
        );
    }
    if wanted.starts_with("a list") {
        return Some(match found {
            Kind::Map(entries) if !entries.is_empty() => format!(
                "each element of a list begins with `- `, such as `- id: {}`",
                entries[0].key
            ),
            _ => "a list is written `[…, …]`, or with `- ` before each element, a line each".into(),
        });
    }
    wanted
        .starts_with("a mapping")
        .then(|| "a mapping is written `{key: value, …}`, or `key: value` in a line each".into())
}

/// Returns how a mapping of certain fields is written: with all that it needs, and the text that was found in the one field that there is.
pub fn record_shape(record: &Record, found: &Kind) -> String {
    let names: Vec<&str> = record
        .fields
        .iter()
        .filter(|field| field.presence == Presence::Required)
        .map(|field| field.name)
        .collect();
    let fields = match (&names[..], found) {
        ([name], Kind::Str(text)) if text.len() < 100 => format!("{name}: {text}"),
        ([], _) => format!(
            "{}: …",
            record.fields.first().map_or("key", |field| field.name)
        ),
        (names, _) => names.join(": …, ") + ": …",
    };
    format!("{} is written `{{{fields}}}`", with_article(record.name))
}

/// Returns a noun with its article.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// True if a text is a colour as style sheets have it, such as `#f80`.
fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Advice about a number with a unit, and the number that is meant, if it belongs into the same field.
fn unit(text: &str) -> Option<(String, Option<String>)> {
    let (number, factor) = UNITS.iter().find_map(|(unit, factor)| {
        let number = text.strip_suffix(unit)?.trim_end();
        Some((numeric_text(number)?, *factor))
    })?;
    Some(match factor {
        // Rounded to a micrometre, so that 12.3 cm are 0.123.
        Some(factor) => {
            let meant = ((number * factor * 1e6).round() / 1e6).to_string();
            let advice = format!(
                "numbers have no units; lengths are metres and angles radians: write `{meant}`"
            );
            (advice, Some(meant))
        }
        None => {
            let advice = format!(
                "numbers have no units: write `{number}` in `rotation_degrees`; other angles are radians"
            );
            (advice, None)
        }
    })
}

/// Advice about a list with another number of elements.
pub fn count(wanted: usize, of: &str, found: usize) -> Option<&'static str> {
    match (wanted, of, found) {
        (4, "numbers, w x y z", 3) => Some(
            "a rotation of a pose is a quaternion: [cos(a/2), x·sin(a/2), y·sin(a/2), z·sin(a/2)] turns by the angle a about the axis x, y, z, \
             such as [0.7071067811865476, 0.7071067811865476, 0, 0] by 90° about x",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units_are_turned_into_those_of_the_language() {
        for (text, expected) in [
            ("1.8m", "`1.8`"),
            ("12.3 cm", "`0.123`"),
            ("5mm", "`0.005`"),
            ("90°", "`90` in `rotation_degrees`"),
            ("45 deg", "`45` in"),
        ] {
            let (advice, _) = unit(text).expect(text);
            assert!(advice.contains(expected), "{advice}");
        }
        for text in ["m", "arm", "1.8x", "", "°"] {
            assert_eq!(unit(text), None, "{text}");
        }
    }
}
