//! Preprocessing (`extensions.md` 2): repeats, params, tokens, expressions, corners of boxes and macros, for a whole
//! file one after the other. Rotations are brought into one form where transforms are read.
//!
//! Text that comes from a param is literal to the end. Until then it is kept in a YAML tag, which no document has.

use serde_yaml::value::{Tag, TaggedValue};
use serde_yaml::{Mapping, Value};

use super::expression;
use super::macros;
use super::yaml::{field, string};

/// The second number of the version.
pub fn minor(root: &Value) -> u32 {
    let version = field(root, "version").or(field(root, "rigy_version"));
    let version = version.and_then(Value::as_str).expect("a version");
    let minor = version.strip_prefix("0.").expect("a known version");
    minor.parse().expect("a known version")
}

/// The document that the schema reads.
pub fn preprocessed(mut root: Value) -> Value {
    let minor = minor(&root);
    if minor < 6 {
        return root;
    }
    let mapping = root.as_mapping_mut().expect("a mapping");
    mapping.shift_remove("geometry_checks");
    if minor >= 10 {
        root = repeated(&root);
        let mapping = root.as_mapping_mut().expect("a mapping");
        let params = mapping.shift_remove("params").unwrap_or_default();
        root = each_string(&root, &|text| substituted(text, &params));
        if minor >= 12 {
            root = each_string(&root, &|text| evaluated(text, &params));
        }
    }
    macros::expand(&mut root);
    without_marks(root)
}

/// 2.2: every element of a list that is a repeat gives way to its copies.
fn repeated(value: &Value) -> Value {
    let each = |item: &Value| match repeat(item) {
        Some(block) => copies(block),
        None => vec![repeated(item)],
    };
    match value {
        Value::Sequence(items) => Value::Sequence(items.iter().flat_map(each).collect()),
        Value::Mapping(mapping) => mapped(mapping, repeated),
        scalar => scalar.clone(),
    }
}

fn mapped(mapping: &Mapping, change: impl Fn(&Value) -> Value) -> Value {
    let pairs = mapping.iter();
    Value::Mapping(
        pairs
            .map(|(key, value)| (key.clone(), change(value)))
            .collect(),
    )
}

fn repeat(item: &Value) -> Option<&Value> {
    let mapping = item.as_mapping()?;
    mapping.get("repeat").filter(|_| mapping.len() == 1)
}

fn copies(block: &Value) -> Vec<Value> {
    let count = block["count"].as_u64().expect("a count");
    let token = format!("${{{}}}", string(block, "as"));
    let copy = |k: u64| {
        let counted = |text: &str| match text == token {
            true => Value::from(k),
            false => Value::from(text.replace(&token, &k.to_string())),
        };
        repeated(&each_string(&block["body"], &counted))
    };
    (0..count).map(copy).collect()
}

/// The tree with every string value replaced by what `change` makes of it; keys and marked text stay.
fn each_string(value: &Value, change: &dyn Fn(&str) -> Value) -> Value {
    match value {
        Value::String(text) => change(text),
        Value::Sequence(items) => items.iter().map(|item| each_string(item, change)).collect(),
        Value::Mapping(mapping) => mapped(mapping, |value| each_string(value, change)),
        scalar => scalar.clone(),
    }
}

/// 2.3: `$name`, the whole string.
fn substituted(text: &str, params: &Value) -> Value {
    let name = text.strip_prefix('$').filter(|name| is_identifier(name));
    let Some(name) = name else {
        return text.into();
    };
    match &params[name] {
        Value::Null => panic!("no param {name:?}"),
        text @ Value::String(_) => literal(text.clone()),
        scalar => scalar.clone(),
    }
}

/// The pattern `[A-Za-z_][A-Za-z0-9_]*`.
fn is_identifier(text: &str) -> bool {
    let word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word && !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// 2.7: `=` and at least one character, of one line.
fn evaluated(text: &str, params: &Value) -> Value {
    let line = text.strip_suffix('\n').unwrap_or(text);
    match line.strip_prefix('=') {
        Some(rest) if !rest.is_empty() && !rest.contains('\n') => {
            Value::from(expression::value(rest, &|name| param(params, name)))
        }
        _ => text.into(),
    }
}

fn param(params: &Value, name: &str) -> f64 {
    match &params[name] {
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Number(number) => number.as_f64().expect("a number"),
        other => panic!("param {name:?} is no number: {other:?}"),
    }
}

fn literal(value: Value) -> Value {
    let tag = Tag::new("literal");
    Value::Tagged(Box::new(TaggedValue { tag, value }))
}

fn without_marks(value: Value) -> Value {
    match value {
        Value::Tagged(tagged) => tagged.value,
        Value::Sequence(items) => items.into_iter().map(without_marks).collect(),
        Value::Mapping(mapping) => mapped(&mapping, |value| without_marks(value.clone())),
        scalar => scalar,
    }
}
