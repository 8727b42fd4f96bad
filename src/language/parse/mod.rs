//! From spanned nodes to the typed document.
//!
//! In: a [`Tree`]. Out: a [`Document`], or every schema fault of the file in document order. This room checks
//! shape and type of single fields (`language.md` §1.2–§1.4); it refuses to know whether ids exist or numbers
//! make sense.

mod advice;
mod coerce;
mod contract;
mod document;
mod meshes;
mod object;
mod reader;
mod rigging;
mod version;

use crate::base::diag::{Code, Diagnostic};
use crate::language::model::{Contract, Document};
use crate::language::yaml::{Cut, Tree};
use reader::Reader;

/// Fields whose values map names of the author's to mappings or lists; the keys of all other mappings are fields.
pub const NAMED: &[&str] = &["bones", "frame3_sets", "imports"];

/// Parses a composed document. The version is checked first, and alone.
///
/// # Errors
/// ParseErrors: a version that is missing, misspelled or not supported; then, together and in document order,
/// `V33` unknown fields, `V34` missing fields, `U04` descending gradient ranges and `U10` for every other
/// violation of the schema.
pub fn parse(tree: &Tree<'_>) -> Result<Document, Vec<Diagnostic>> {
    let declared = match version::check(tree) {
        Ok(declared) => declared,
        // Behind a cut there may be one.
        Err(error) if error.code == Some(Code::V34) && tree.cut().is_some() => version::NEWEST,
        Err(error) => return Err(vec![error]),
    };
    read(tree, declared, document::document)
}

/// Parses a composed contract.
///
/// # Errors
/// `V33`, `V34` and `U10`, in document order.
pub fn contract(tree: &Tree<'_>) -> Result<Contract, Vec<Diagnostic>> {
    read(tree, version::NEWEST, contract::contract)
}

/// What `schema` makes of the tree, which declares minor version `declared`, or every fault that it found.
fn read<T>(
    tree: &Tree<'_>,
    declared: u32,
    schema: impl Fn(&Reader<'_, '_>) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let reader = Reader::new(tree, declared);
    let value = schema(&reader);
    let mut errors = reader.into_errors();
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    if let Some(cut) = tree.cut() {
        return Err(before(cut, errors));
    }
    match value {
        Some(value) if errors.is_empty() => Ok(value),
        _ => Err(errors),
    }
}

/// Errors of a tree that was cut off, but for those about collections that may go on behind the cut.
fn before(cut: Cut, mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.retain(|error| error.span.is_none_or(|span| span.end <= cut.at));
    if errors.is_empty() {
        let message = "up to this key there are more keys than the fields of any document";
        errors.push(Diagnostic::new(Code::U10, cut.key, message));
    }
    errors
}
