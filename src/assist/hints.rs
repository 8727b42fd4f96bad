//! The values of params and expressions, as an editor shows them beside their texts.

use std::ops::Range;

use super::Source;
use super::project::{ReadText, RecentTexts, read};
use super::sketch::{Scalar, Value};
use super::walk::{TextKind, version_of};
use crate::base::maps::HashMap;
use crate::language::preprocess::value_of;
use crate::language::version::Feature;
use crate::language::yaml::{Kind, plain_scalar};

/// Most values of an answer.
const MOST_HINTS: usize = 2_000;
/// Most characters of a text that is a value.
const MOST_SHOWN: usize = 40;

/// A value, and where it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte behind the text that has the value.
    pub offset: usize,
    /// The value, such as `= 1.5`.
    pub label: String,
}

/// The value of a param.
struct Param<'a> {
    shown: &'a str,
    /// The number that it is in an expression; `None` for a text.
    number: Option<f64>,
}

/// Returns the values of the params and expressions in a part of a text. Those in a repeat have a value if no token of the repeat is in
/// them.
pub fn hints(source: Source<'_>, within: &Range<usize>, recent: Option<&RecentTexts>) -> Vec<Hint> {
    let read = read(source, recent);
    let version = version_of(&read.sketch, &read.text);
    if read.kind != TextKind::Document || !version.has(Feature::Params) {
        return Vec::new();
    }
    let (params, literal) = params(&read);
    let has_expressions = version.has(Feature::Expressions);
    let scalars = read.sketch.nodes().filter_map(|node| match &node.value {
        Value::Scalar(scalar) => Some(scalar),
        _ => None,
    });
    let is_here = |scalar: &&Scalar| {
        let Range { start, end } = scalar.range;
        start <= within.end && within.start <= end && !literal.contains(&start)
    };
    let hint = |scalar: &Scalar| {
        let text = scalar.value(&read.text);
        let label = match text.strip_prefix('$') {
            Some(name) => params.get(name)?.shown.chars().take(MOST_SHOWN).collect(),
            None if has_expressions => {
                let number = |name: &str| params.get(name).and_then(|param| param.number);
                rounded(value_of(text, number)?)
            }
            None => return None,
        };
        let offset = scalar.range.end;
        Some(Hint {
            offset,
            label: format!("= {label}"),
        })
    };
    let texts = scalars.filter(|scalar| scalar.is_text).filter(is_here);
    let mut found: Vec<Hint> = texts.filter_map(hint).take(MOST_HINTS).collect();
    found.sort_by_key(|hint| hint.offset);
    found
}

/// Returns the params of a document and the bytes in which they stand, where texts are literal.
fn params(read: &ReadText) -> (HashMap<&str, Param<'_>>, Range<usize>) {
    let (sketch, text) = (&read.sketch, &*read.text);
    let Some(entry) = sketch.entry(sketch.root, "params", text) else {
        return (HashMap::default(), 0..0);
    };
    let params = sketch.entries(entry.value).iter().filter_map(|entry| {
        let scalar = sketch.scalar(entry.value)?;
        let shown = scalar.value(text);
        let number = match plain_scalar(shown.into()).filter(|_| !scalar.is_text) {
            Some(Kind::Bool(value)) => Some(f64::from(u8::from(value))),
            Some(Kind::Int(int)) => Some(int.nearest),
            Some(Kind::Float(value)) => Some(value),
            _ => None,
        };
        Some((entry.key.value(text), Param { shown, number }))
    });
    (params.collect(), sketch.raw(entry.value).range.clone())
}

/// Returns a number as authors write it. Values of expressions are multiples of 1e-9, which binary numbers only come near.
fn rounded(number: f64) -> String {
    if number.abs() >= 1e6 {
        return number.to_string();
    }
    let text = format!("{number:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}
