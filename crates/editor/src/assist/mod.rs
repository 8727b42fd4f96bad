//! Answers to the questions of an editor about a Rigy text, as functions of texts and byte offsets.
//!
//! The texts are documents (`.rigy.yaml`), scenes (`.rigs.yaml`), contracts (`.ricy.yaml`) and weight files (JSON). A text may be
//! incomplete, because someone is typing it: a fault of YAML makes an answer smaller, and any offset is allowed. Nothing here
//! reads a disk or knows a protocol of editors. Other files come through a [`Loader`], whose answer for an open file
//! should be the text in the editor.
//!
//! | function | takes | gives |
//! |---|---|---|
//! | [`symbols`] | a text | the outline: elements with their names, kinds and ranges, bones as a tree |
//! | [`hover`] | a text, an offset, files | an explanation in Markdown of the field, reference or code there |
//! | [`code_text`] | a code | the same explanation of the code, for a finding |
//! | [`completion`] | a text, an offset, files | proposals: the keys, words and ids that may be written there |
//! | [`definition`] | a text, an offset, files | the places of the definitions of the name there |
//! | [`references`] | a text, an offset, files | every place that names the same element, definitions included |
//! | [`nameable`] | a text, an offset, files | the name that can be renamed there |
//! | [`Mender`] | a text, the bytes of a finding, its mend | the edit that removes the finding |
//! | [`rename`] | a text, an offset, a new name, files | edits of this and other files, or the reason why there are none |
//!
//! Ranges are half-open ranges of bytes. The text that is asked about replaces what the loader has at its location.
//!
//! The parts: [`sketch`] reads a text into a tree, with or without faults; [`walk`] goes through the tree by the table of
//! [fields](rigy_language::schema); [`names`] collects definitions and references; [`project`] loads the files that a text
//! refers to and resolves references.

mod completion;
pub mod explanation;
mod hover;
mod links;
mod mend;
mod names;
mod project;
mod quote;
mod rename;
mod sketch;
mod symbols;
mod walk;

use std::ops::Range;

use rigy_base::loader::{Loader, Location};

pub use completion::{Completion, CompletionKind, completion};
pub use hover::{Hover, code_text, hover};
pub use links::{Reference, definition, references};
pub use mend::{Mender, Mending};
pub use project::{MOST_READ, RecentTexts};
pub use rename::{Edit, Nameable, nameable, rename};
pub use rigy_language::schema::names::NameKind;
pub use symbols::{Symbol, SymbolKind, symbols};

/// A text and the location of its file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The location of the file. Its name decides the kind of a text that does not show it.
    pub location: &'a Location,
    /// The text in the editor.
    pub text: &'a str,
}

/// The other files.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// Reads files; open ones as they are in the editor.
    pub loader: &'a dyn Loader,
    /// The locations of the files in which references to an element of another file are looked for: open ones, or those of a
    /// directory. Only the ones whose text contains the name of a file of the question are parsed.
    pub searched: &'a [Location],
    /// Lists the files that a path may name, for proposals; `None` if there is no directory of them.
    pub listed: Option<&'a dyn Fn() -> Vec<Location>>,
    /// The texts of the last question; `None` if every question reads its texts.
    pub recent: Option<&'a RecentTexts>,
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file.
    pub location: Location,
    /// The bytes.
    pub range: Range<usize>,
}
