//! A text as a tree of mappings, lists and scalars, with or without faults.
//!
//! [`rigy_yaml`] reads the text, which goes on behind a fault. What an author may be typing is kept beside it: a value that has fields
//! below it, and what follows a value in its line.

mod read;
#[cfg(test)]
mod tests;
mod tree;

pub use tree::{Entry, NodeId, Scalar, Sketch, Style, Value};
