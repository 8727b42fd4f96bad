//! From spanned nodes to the typed document.
//!
//! In: a [`Tree`]. Out: a [`Document`], or every schema fault of the file in document order. This room checks
//! shape and type of single fields (`language.md` §1.2–§1.4); it refuses to know whether ids exist or numbers
//! make sense.

mod coerce;
mod contract;
mod document;
mod meshes;
mod object;
mod rigging;
mod version;

use crate::diag::Diagnostic;
use crate::model::{Contract, Document};
use crate::yaml::Tree;
use object::Reader;

/// Parses a composed document. The version is checked first, and alone.
///
/// # Errors
/// ParseErrors: a version that is missing, misspelled or not supported; then, together and in document order,
/// `V33` unknown fields, `V34` missing fields, `U04` descending gradient ranges and `U10` for every other
/// violation of the schema.
pub fn parse(tree: &Tree<'_>) -> Result<Document, Vec<Diagnostic>> {
    let declared = version::check(tree).map_err(|error| vec![error])?;
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
    match value {
        Some(value) if errors.is_empty() => Ok(value),
        _ => Err(errors),
    }
}
