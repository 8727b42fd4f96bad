//! Tags: what a scalar or collection means when its tag says so.

use std::borrow::Cow;

use saphyr_parser::{ScalarStyle, Tag};

use super::tree::Kind;
use super::{Result, malformed, scalar};
use crate::base::diag::Span;

/// The meaning of a scalar: quoted and block scalars are text, plain ones follow the table, tags decide.
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

/// The short name of a core tag, however it is spelled: `!!str`, by a `%TAG` handle, or in full.
fn core_tag(tag: &Tag, span: Span) -> Result<String> {
    let full = format!("{}{}", tag.handle, tag.suffix);
    let known = ["str", "int", "float", "bool", "null", "seq", "map"];
    match full.strip_prefix("tag:yaml.org,2002:") {
        Some(name) if known.contains(&name) => Ok(name.to_owned()),
        _ => Err(malformed(span, format!("unknown tag `{full}`"))
            .help("only !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are understood")),
    }
}

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
