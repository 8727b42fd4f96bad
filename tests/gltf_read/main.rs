//! The glTF reader: real files against second opinions, made files against rules, broken files against panics.

#[path = "../support/mod.rs"]
mod support;

mod hostile;
mod made;
mod rules;
mod samples;
