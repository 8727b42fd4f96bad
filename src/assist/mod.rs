//! What an editor asks about a Rigy text. So far it asks what a code means.

pub mod explanation;
