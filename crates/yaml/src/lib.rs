//! One reader of the structure of YAML: tolerant, lossless and bounded.
//!
//! [`parse`] reads one document into a flat list of nodes in the order of the text. Nothing is copied: nodes are spans, and
//! [`Tree::text`] decodes a scalar when it is asked for. Faults do not end the reading; they are listed beside the nodes.
//! What no span covers is blanks, comments, indicators and text that a fault covers.

mod block;
mod block_scalar;
mod document;
mod entry;
mod fault;
mod flow;
mod nodes;
mod properties;
mod reader;
mod scalar;
mod simple;
mod tree;
mod value;

pub use fault::{Fault, Problem, Stray};
pub use tree::{Kind, Limits, Node, Properties, Tree};

/// Reads the one document of a text.
pub fn parse(text: &str, limits: Limits) -> Tree<'_> {
    reader::read(text, limits)
}

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
