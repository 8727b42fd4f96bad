//! Faults: what they are and what to say about them.

use std::ops::Range;

/// A fault and its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub problem: Problem,
    /// Where.
    pub span: Range<usize>,
}

macro_rules! problems {
    ($($name:ident: $message:literal, $help:literal;)*) => {
        /// The kinds of faults.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Problem {
            $(#[doc = $message] $name,)*
        }

        impl Problem {
            /// Returns what is wrong.
            pub fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }

            /// Returns what to do.
            pub fn help(self) -> &'static str {
                match self { $(Self::$name => $help,)* }
            }
        }
    };
}

problems! {
    Character: "this character may not stand in a document", "write it as an escape in double quotes";
    Tab: "a tab indents this line", "indent with spaces, not with tabs";
    Indentation: "this begins in a column where nothing can begin", "the fields of one mapping, and the dashes of one list, begin in one column";
    BelowScalar: "this value has fields or items below it", "a value is a text or a collection; remove one of both";
    MissingColon: "this is no field", "write a `:` after its key";
    ColonSpace: "a space is missing after this `:`", "write a space after the `:` of a key";
    MissingDash: "this is no item of the list", "write a `- ` before it";
    DashAmongFields: "an item of a list stands among the fields of a mapping", "the dashes of a list begin below its key; a mapping has none";
    OnOneLine: "no mapping or list can begin here", "put quotes around text that contains `: `, and begin a mapping or a list on a line of its own";
    Trailing: "this stands after the end of a value", "remove it, or put quotes around the whole text";
    CommentSpace: "a comment has a space before it", "put a space before the `#` of a comment";
    NotClosed: "the bracket or brace that opens here is not closed", "close it, by the sign that goes with it, before the next field or item of the block";
    WrongBracket: "this bracket or brace closes none", "there is one too many, or one too few further up, or it is of the wrong kind";
    MissingComma: "a comma is missing before this", "write a comma, or close the bracket or the brace";
    NothingHere: "something is missing before this comma", "write it, or remove the comma";
    QuoteNotClosed: "the quote that opens here is not closed", "close it; the lines of a text in quotes are indented";
    Escape: "this is no escape", "in double quotes a backslash begins an escape; write it twice, or use single quotes";
    Sign: "text without quotes cannot begin with this sign", "put quotes around text that begins with this sign";
    BlockHeader: "this cannot stand after a `|` or a `>`", "only a digit, `+`, `-` and a comment may; the text begins on the next line";
    BlockIndentation: "a blank line is indented more than the text that begins below it", "remove its blanks";
    AnchorName: "an anchor, an alias or a tag needs a name, and a space after it", "put quotes around text that begins with `*`, `&` or `!`";
    UnknownAnchor: "no anchor of this name stands further up", "put quotes around text that begins with `*`";
    InsideItself: "an alias stands inside the very node it repeats", "repeat another node";
    AliasProperties: "an alias has an anchor or a tag", "remove it: an alias is what it repeats";
    PropertiesTwice: "a node has two anchors or two tags", "remove one of both";
    ForeignTag: "unknown tag", "only !!str, !!int, !!float, !!bool, !!null, !!seq and !!map are understood";
    ComplexKey: "a mapping key must be a string, not a collection", "put quotes around a key that begins with a bracket or a brace";
    EmptyKey: "a key is missing before the `:`", "write one, or put quotes around text that begins with `:`";
    LongKey: "a key has one line of at most 1024 bytes", "shorten it, or put quotes around text that contains `: `";
    Directive: "this directive is not understood", "only `%YAML 1.1` and `%YAML 1.2` are, with a `---` in a line below; remove it";
    SecondDocument: "a second document starts here", "a file holds exactly one document";
    TooDeep: "nesting is deeper than the limit", "write the inner collections elsewhere";
    TooMany: "the text has more nodes than the limit", "divide the document";
}

/// A character near a fault that looks like another one, or belongs to another language.
#[derive(Debug)]
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
