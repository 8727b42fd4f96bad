//! JSON as a tree that keeps the order of keys and the text of numbers when it is read, edited and written.
//!
//! In: text. Out: a [`Value`] that borrows from it. `serde_json` could keep both only through features that change its
//! numbers for the whole crate. This parser also reports the offset of an error, refuses duplicate keys (glTF 2.0
//! §2.7.1 forbids them) and limits the memory and the recursion depth that a text can need.

mod limits;
mod parse;
mod text;
mod value;

pub use limits::{MAX_DEPTH, MAX_VALUES, SyntaxError, end_of_string};
pub use parse::{parse, parse_extended};
pub use value::{Value, object};

#[cfg(test)]
mod tests;
