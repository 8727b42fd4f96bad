//! Faults: what they are and what to say about them.

use std::ops::Range;

/// A fault and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub problem: Problem,
    /// Where.
    pub span: Range<usize>,
}

macro_rules! problems {
    ($($name:ident: $message:literal,)*) => {
        /// The kinds of faults.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $(#[doc = $message] $name,)*
        }

        impl Problem {
            /// Returns what is wrong.
            pub fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }
        }
    };
}

problems! {
    Character: "this character may not stand in a document; write it as an escape in double quotes",
    Tab: "indent with spaces, not with tabs",
    Indentation: "the fields of one mapping, and the dashes of one list, begin in one column",
    BelowScalar: "this value has fields or items below it; it can have only one of both",
    MissingColon: "this lacks a `:` after its key",
    MissingDash: "this is no item of the list: it lacks a `- ` before it",
    DashAmongFields: "an item of a list stands among the fields of a mapping",
    OnOneLine: "a mapping or a list that begins here must have a line of its own; put quotes around text with `: `",
    Trailing: "this stands after the end of a value",
    CommentSpace: "put a space before the `#` of a comment",
    NotClosed: "the bracket or brace that opens here is not closed",
    WrongBracket: "this bracket or brace closes none",
    MissingComma: "a comma is missing before this",
    NothingHere: "something is missing here, before the comma",
    QuoteNotClosed: "the quote that opens here is not closed",
    Escape: "in double quotes a backslash begins an escape; write it twice, or use single quotes",
    Sign: "put quotes around text that begins with this sign",
    BlockHeader: "after `|` or `>` only a digit, `+`, `-` and a comment may stand in the line",
    BlockIndentation: "a blank line at the beginning of a block scalar is indented more than its first line",
    AnchorName: "an anchor, an alias or a tag needs a name",
    UnknownAnchor: "no anchor of this name stands further up; put quotes around text that begins with `*`",
    InsideItself: "an alias stands inside the very node it repeats",
    AliasProperties: "an alias can have no anchor and no tag",
    PropertiesTwice: "a node can have one anchor and one tag",
    ForeignTag: "only !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are understood",
    ComplexKey: "a key must be text, not a collection",
    EmptyKey: "a key is missing before the `:`",
    LongKey: "a key has one line of at most 1024 bytes",
    Directive: "only the directive `%YAML` is understood, before a `---`",
    SecondDocument: "a second document starts here; a file holds exactly one",
    TooDeep: "nesting is deeper than the limit",
    TooMany: "the text has more nodes than the limit",
    TooLarge: "aliases expand this document beyond the limit",
}

/// A character near a fault that looks like another one, or belongs to another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Its bytes.
    pub span: Range<usize>,
    /// What to do.
    pub advice: &'static str,
    /// The text that is meant.
    pub meant: &'static str,
}

impl Fault {
    /// Returns the stray character at the beginning of the fault's line, which may be its reason.
    pub fn stray(&self, text: &str) -> Option<Stray> {
        let line = text[..self.span.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = text[line..].split('\n').next().unwrap_or_default();
        let content = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '-');
        let start = line + rest.len() - content.len();
        let indent = &text[line..start];
        let odd = indent.char_indices().find(|(_, c)| !c.is_ascii());
        let (span, advice, meant) = match odd {
            Some((at, c)) => (
                line + at..line + at + c.len_utf8(),
                "this is a no-break space or another blank that is none of YAML: write plain spaces",
                " ",
            ),
            None if content.starts_with("//") => (start..start + 2, "comments begin with `#`", "#"),
            None => return None,
        };
        Some(Stray {
            span,
            advice,
            meant,
        })
    }
}
