//! From text to a tree of spanned nodes.
//!
//! In: the text of one document, whose structure `rigy_yaml` reads. Out: a [`Tree`] whose scalars are resolved by the one table of
//! `language.md` §1.1, whose aliases are shared rather than copied, and whose mappings have unique string
//! keys. This module does not know the meaning of keys.

mod compose;
mod duplicates;
mod faults;
mod line;
mod merge;
mod origin;
mod paths;
mod scalar;
mod tags;
mod tree;
mod written;

use rigy_base::diag::{Code, Diagnostic, Span};
use rigy_base::limits::Limits;

pub use compose::{Malformed, Options, compose, too_deep};
pub(crate) use faults::curly_quotes;
pub use line::{body, content_len};
pub(crate) use origin::through_alias;
pub use origin::{Origins, Step};
pub use paths::Paths;
pub use scalar::resolve as plain_scalar;
pub use scalar::{Int, is_identifier, numeric_text};
pub use tree::{Cut, Entry, Items, Kind, Node, NodeId, Tree};
pub use written::as_written;

/// Most nodes of a tree: mappings, sequences, scalars that are values, and aliases. They bound its memory, however long a
/// text may be.
pub const MAX_NODES: usize = 1_000_000;
/// Aliases may expand a document to ten times its size, or to this many bytes if that is more.
pub const MAX_EXPANSION: usize = Limits::DEFAULT.aliases as usize;

/// A value, or the error that ends composing.
type Result<T> = std::result::Result<T, Diagnostic>;

/// Returns a ParseError with code U10, as all errors of this module are.
pub(crate) fn malformed(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::U10, span, message)
}
