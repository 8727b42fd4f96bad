//! The language server: messages of an editor in, findings and answers out.
//!
//! A [`Server`] is a state machine. [`Server::receive`] takes a message and returns answers; [`Server::work`] judges one open
//! document that has changed, or that refers to a file that has changed, when no message waits. So of several edits that
//! arrive together only the last is judged. The texts of open documents overlay the disk ([`overlay`]). The server
//! finds the same errors and warnings as `rigy-batch PATH` ([`judge`](mod@judge)). Each finding is shown in the file that it is about,
//! which may be a file that the document imports ([`published`]).
//!
//! [`assist`](crate::assist) answers requests about a position in a text. The disk, threads and the names of outputs are the [`Host`]'s.
//!
//! The messages of a client are untrusted: lengths are checked before memory is taken ([`frame`]), positions outside a text
//! count as its ends ([`positions`]), and a malformed message is answered with an error or ignored.
//!
//! This module does not know standard streams; the program around it has them.

mod actions;
mod assistance;
pub mod document;
pub mod findings;
pub mod frame;
mod host;
pub mod judge;
mod lifecycle;
mod notifications;
pub mod overlay;
pub mod positions;
mod proposals;
pub mod published;
mod queue;
mod requests;
mod state;
pub mod uri;
mod workspace;

pub use host::Host;
pub use lsp_server;
pub use queue::Queue;
pub use state::Server;
