//! The events that a text consists of, in document order, and the values and tags of nodes.

use std::borrow::Cow;

use super::tree::Kind;
use super::{Result, malformed, scalar};
use rigy_base::diag::{Diagnostic, Mend, Span};
use saphyr_parser::Tag;

/// One event of a text.
pub enum Event<'s> {
    /// A scalar: a key or a value.
    Scalar {
        /// Its value, borrowed if the text has it like that.
        text: Cow<'s, str>,
        /// Its notation.
        style: Style,
        /// Its anchor and its tag.
        properties: Properties,
    },
    /// A mapping or a sequence begins.
    Open {
        /// True for a mapping.
        is_map: bool,
        /// Its anchor and its tag.
        properties: Properties,
    },
    /// The innermost collection ends. Its span is empty if nothing is written there.
    Close,
    /// A reference to the node of an anchor, by the number of the anchor.
    Alias(usize),
}

/// The notation of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes, so that it may be something else than text.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// After `|` or `>`.
    Block,
}

/// The anchor and the tag of a node.
#[derive(Clone, Copy, Default)]
pub struct Properties {
    /// The number of its anchor in the text, from 1; 0 if it has none.
    pub anchor: usize,
    pub(crate) tag: Option<CoreTag>,
}

/// The tags that a document may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoreTag {
    Str,
    Int,
    Float,
    Bool,
    Null,
    Seq,
    Map,
}

impl CoreTag {
    const ALL: [Self; 7] = [
        Self::Str,
        Self::Int,
        Self::Float,
        Self::Bool,
        Self::Null,
        Self::Seq,
        Self::Map,
    ];

    /// Returns its name after `!!`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Str => "str",
            Self::Int => "int",
            Self::Float => "float",
            Self::Bool => "bool",
            Self::Null => "null",
            Self::Seq => "seq",
            Self::Map => "map",
        }
    }

    /// Returns the tag of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

/// A receiver of events. It returns true if it needs no more of them.
pub trait Receiver<'s> {
    /// Takes the next event, which is written at `span`.
    ///
    /// # Errors
    /// The text is not a document.
    fn take(&mut self, event: Event<'s>, span: Span) -> std::result::Result<bool, Diagnostic>;
}

/// Returns the value of a scalar. Without a tag, quoted and block scalars are text, and plain scalars are resolved by the
/// table.
#[inline]
pub(super) fn resolve<'s>(
    text: Cow<'s, str>,
    is_plain: bool,
    tag: Option<CoreTag>,
    span: Span,
) -> Result<Kind<'s>> {
    match tag {
        None if !is_plain => Ok(Kind::Str(text)),
        None => scalar::resolve(text).ok_or_else(|| {
            let fault = malformed(span, "a bare `=` or `<<` is no value");
            fault.help("put quotes around it").mend(Mend::Quote)
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

/// Returns the core tag that a tag means, which may be written as `!!str`, with a `%TAG` handle, or in full.
pub(super) fn core_tag(tag: &Tag, span: Span) -> Result<CoreTag> {
    let full = format!("{}{}", tag.handle, tag.suffix);
    let name = full.strip_prefix("tag:yaml.org,2002:");
    name.and_then(CoreTag::of_name).ok_or_else(|| {
        malformed(span, format!("unknown tag `{full}`"))
            .help("only !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are understood")
    })
}

/// Refuses a tag that is not that of a mapping or of a sequence.
pub(super) fn collection_tag(tag: Option<CoreTag>, is_map: bool, span: Span) -> Result<()> {
    let expected = match is_map {
        true => CoreTag::Map,
        false => CoreTag::Seq,
    };
    match tag {
        Some(tag) if tag != expected => {
            let (tag, expected) = (tag.name(), expected.name());
            Err(malformed(span, format!("tag !!{tag} on a !!{expected}")))
        }
        _ => Ok(()),
    }
}
