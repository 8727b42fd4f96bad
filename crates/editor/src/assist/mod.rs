//! Answers to the questions of an editor about a Rigy text, as functions of texts and byte offsets.
//!
//! The texts are documents (`.rigy.yaml`), scenes (`.rigs.yaml`), contracts (`.ricy.yaml`) and weight files (JSON). A text may be
//! incomplete, because someone is typing it: a fault of YAML makes an answer smaller, and any offset is allowed. Nothing here
//! reads a disk or knows a protocol of editors. Other files come through a [`Loader`](rigy_base::loader::Loader), whose answer for an open file
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
mod question;
mod quote;
mod rename;
mod sketch;
mod symbols;
mod walk;

pub use completion::{Completion, CompletionKind, completion};
pub use hover::{Hover, code_text, hover};
pub use links::{Reference, definition, references};
pub use mend::{Mender, Mending};
pub use project::{MOST_READ, RecentTexts};
pub use question::{Files, Source, TextRange};
pub use rename::{Edit, Nameable, nameable, rename};
pub use rigy_language::schema::names::NameKind;
pub use symbols::{Symbol, SymbolKind, symbols};
