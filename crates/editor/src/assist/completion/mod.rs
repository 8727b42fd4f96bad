//! Proposals of an editor: the keys, words and ids that an author may write at an offset.
//!
//! The text is read with a mark at the offset. The node that contains the mark, and the mappings around it, say whether a key or
//! a value is being typed, and of which field.

mod expressions;
mod keys;
mod offer;
mod paths;
mod position;
mod proposal;
mod values;

pub use offer::completion;
pub use proposal::{Completion, CompletionKind};
