//! What an editor asks about Rigy texts, and the language server that answers it.
//!
//! | module | what it does |
//! |---|---|
//! | [`assist`] | questions about a position of a text: explanations, proposals, names, outlines, mends |
//! | `server`, with the feature `server` | messages of the Language Server Protocol in, findings and answers out |

pub mod assist;
#[cfg(feature = "server")]
pub mod server;

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
