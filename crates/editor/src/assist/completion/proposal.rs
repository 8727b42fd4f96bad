//! Proposals.

use std::ops::Range;

use rigy_language::schema::names::NameKind;

/// The kind of a proposal.
#[derive(Clone, Copy, Debug)]
pub enum CompletionKind {
    /// A field, or a name of a mapping of names.
    Key,
    /// A word that the language knows.
    Word,
    /// A path of a file.
    File,
    /// The id of an element.
    Name(NameKind),
}

/// A proposal.
#[derive(Debug)]
pub struct Completion {
    /// The words for a list.
    pub label: String,
    /// The bytes that it replaces: the part of it that the author has typed already.
    pub range: Range<usize>,
    /// The text that takes their place.
    pub insert: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// An explanation in Markdown; empty if there is none.
    pub about: String,
    /// True for a field that has to be there.
    pub is_required: bool,
}

impl Completion {
    /// A proposal whose words in a list are the text that it inserts, without an explanation.
    pub(super) fn of(insert: String, range: Range<usize>, kind: CompletionKind) -> Self {
        Self {
            label: insert.clone(),
            range,
            insert,
            kind,
            about: String::new(),
            is_required: false,
        }
    }
}
