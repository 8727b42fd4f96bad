//! The rules of the Rigy language (`language.md`): documents that are accepted, and the findings in others.

mod codes;
mod format;
mod imports;
mod invalid;
mod mistakes;
mod schema;
mod tables;
mod yaml;
