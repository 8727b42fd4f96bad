//! Tags of scalars and collections.

use std::borrow::Cow;

use saphyr_parser::{ScalarStyle, Tag};

use super::tree::Kind;
use super::{Result, malformed, scalar};
use crate::base::diag::Span;

/// Returns the value of a scalar. Without a tag, quoted and block scalars are text, and plain scalars are resolved by the
/// table.
pub(super) fn resolve<'s>(
    text: Cow<'s, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    span: Span,
) -> Result<Kind<'s>> {
    let Some(tag) = tag else {
        if style != ScalarStyle::Plain {
            return Ok(Kind::Str(text));
        }
        return scalar::resolve(text).ok_or_else(|| {
            malformed(span, "a bare `=` or `<<` is no value").help("put quotes around it")
        });
    };
    let name = core_tag(tag, span)?;
    let wrong = || malformed(span, format!("`{text}` is not a valid !!{name}"));
    Ok(match &*name {
        "str" => Kind::Str(text),
        "null" if matches!(&*text, "" | "~" | "null" | "Null" | "NULL") => Kind::Null,
        "int" => Kind::Int(scalar::int(&text).ok_or_else(wrong)?),
        "float" => Kind::Float(match scalar::int(&text) {
            Some(int) => int.nearest,
            None => scalar::float(&text).ok_or_else(wrong)?,
        }),
        "bool" => match scalar::resolve(Cow::Borrowed(&text)) {
            Some(Kind::Bool(value)) => Kind::Bool(value),
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    })
}

/// Returns the short name of a core tag, which may be written as `!!str`, with a `%TAG` handle, or in full.
fn core_tag(tag: &Tag, span: Span) -> Result<String> {
    let full = format!("{}{}", tag.handle, tag.suffix);
    let known = ["str", "int", "float", "bool", "null", "seq", "map"];
    match full.strip_prefix("tag:yaml.org,2002:") {
        Some(name) if known.contains(&name) => Ok(name.to_owned()),
        _ => Err(malformed(span, format!("unknown tag `{full}`"))
            .help("only !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are understood")),
    }
}

/// Refuses a tag of a collection that is not `!!seq` or `!!map`, as `expected` says.
pub(super) fn collection_tag(tag: Option<&Tag>, expected: &str, span: Span) -> Result<()> {
    match tag {
        None => Ok(()),
        Some(tag) if core_tag(tag, span)? == expected => Ok(()),
        Some(tag) => Err(malformed(
            span,
            format!("tag !!{} on a !!{expected}", tag.suffix),
        )),
    }
}
