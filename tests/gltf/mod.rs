//! The glTF reader: real files against second opinions, made files against rules, broken files against panics.

mod containers;
mod hostile;
mod made;
mod rules;
mod samples;
