//! Tags, and the values of scalars by them.

use std::borrow::Cow;

use super::tree::Kind;
use super::{Result, malformed, scalar};
use rigy_base::diag::{Mend, Span};

rigy_base::named! {
    /// The tags that a document may have.
    pub(super) enum CoreTag {
        Str = "str",
        Int = "int",
        Float = "float",
        Bool = "bool",
        Null = "null",
        Seq = "seq",
        Map = "map",
    }
}

impl CoreTag {
    /// Returns the tag that is written as `!!str` or in full.
    pub fn of(written: &str) -> Option<Self> {
        Self::named(written.strip_prefix("!!").or_else(|| {
            written
                .strip_prefix("!<tag:yaml.org,2002:")?
                .strip_suffix('>')
        })?)
    }
}

/// Returns the value of a scalar. Without a tag, quoted and block scalars are text, and plain scalars are resolved by the
/// table.
#[inline]
pub fn resolve(
    text: Cow<'_, str>,
    is_plain: bool,
    tag: Option<CoreTag>,
    span: Span,
) -> Result<Kind<'_>> {
    match tag {
        None if !is_plain => Ok(Kind::Str(text)),
        None => scalar::resolve(text).ok_or_else(|| {
            malformed(span, "a bare `=` or `<<` is no value")
                .help("put quotes around it")
                .mend(Mend::Quote)
        }),
        Some(tag) => tagged(text, tag, span),
    }
}

/// Returns the value of a scalar with a tag.
fn tagged(text: Cow<'_, str>, tag: CoreTag, span: Span) -> Result<Kind<'_>> {
    let wrong = || malformed(span, format!("`{text}` is not a valid !!{}", tag.name()));
    Ok(match tag {
        CoreTag::Str => Kind::Str(text),
        CoreTag::Null if matches!(&*text, "" | "~" | "null" | "Null" | "NULL") => Kind::Null,
        CoreTag::Int => Kind::Int(scalar::int(&text).ok_or_else(wrong)?),
        CoreTag::Float => Kind::Float(match scalar::int(&text) {
            Some(int) => int.nearest,
            None => scalar::float(&text).ok_or_else(wrong)?,
        }),
        CoreTag::Bool => match scalar::resolve(Cow::Borrowed(&text)) {
            Some(Kind::Bool(value)) => Kind::Bool(value),
            _ => return Err(wrong()),
        },
        CoreTag::Null | CoreTag::Seq | CoreTag::Map => return Err(wrong()),
    })
}

/// Refuses a tag that is not that of a mapping or of a sequence.
pub fn collection_tag(tag: Option<CoreTag>, is_map: bool, span: Span) -> Result<()> {
    let expected = if is_map { CoreTag::Map } else { CoreTag::Seq };
    match tag {
        Some(tag) if tag != expected => {
            let (tag, expected) = (tag.name(), expected.name());
            Err(malformed(span, format!("tag !!{tag} on a !!{expected}")))
        }
        _ => Ok(()),
    }
}
