//! The events that a text consists of, in document order.

use std::borrow::Cow;

use crate::base::diag::{Diagnostic, Span};

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
    fn take(&mut self, event: Event<'s>, span: Span) -> Result<bool, Diagnostic>;
}

/// Keeps all events.
impl<'s> Receiver<'s> for Vec<(Event<'s>, Span)> {
    fn take(&mut self, event: Event<'s>, span: Span) -> Result<bool, Diagnostic> {
        self.push((event, span));
        Ok(false)
    }
}
