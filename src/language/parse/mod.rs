//! From spanned nodes to the typed document.
//!
//! In: a [`Tree`]. Out: a [`Document`], or all schema faults of the file in document order. This module checks the shape and
//! the type of single fields (`language.md` §1.2–§1.4); it does not check that ids exist or that numbers are in range.

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

/// Fields whose values are mappings from names of the author's to mappings or lists. The keys of all other mappings are
/// fields.
pub const NAMED: &[&str] = &["bones", "frame3_sets", "imports"];

/// Parses a composed document. The version is checked before anything else.
///
/// # Errors
/// ParseErrors: a version that is missing, misspelled or not supported; then, together and in document order,
/// `V33` unknown fields, `V34` missing fields, `U04` descending gradient ranges and `U10` for every other
/// violation of the schema.
pub fn parse(tree: &Tree<'_>) -> Result<Document, Vec<Diagnostic>> {
    let declared = match version::check(tree) {
        Ok(declared) => declared,
        // The version may come after the cut.
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

/// Reads a tree, which declares minor version `declared`, by the function `schema`.
///
/// # Errors
/// All faults, in document order.
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

/// Returns the errors of a tree that was cut off, without those about collections that may continue after the cut.
fn before(cut: Cut, mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.retain(|error| error.span.is_none_or(|span| span.end <= cut.at));
    if errors.is_empty() {
        let message = "up to this key there are more keys than the fields of any document";
        errors.push(Diagnostic::new(Code::U10, cut.key, message));
    }
    errors
}
