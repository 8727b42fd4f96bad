//! From spanned nodes to the typed document.
//!
//! In: a [`Tree`]. Out: a [`Document`], or all schema faults of the file in document order. This module checks the shape and
//! the type of single fields (`language.md` §1.2–§1.4); it does not check that ids exist or that numbers are in range.

pub(crate) mod coerce;
pub(crate) mod distance;
mod meshes;
mod object;
mod reader;
pub(crate) mod record;
mod shapes;
mod surfaces;

use crate::model::{Contract, Document, RigsScene};
use crate::preprocess::{Preprocessed, Rotations, preprocess};
use crate::version::{Feature, Version, of_other_kind};
use crate::yaml::{Cut, Origins, Tree};
use rigy_base::diag::{Code, Diagnosed, Diagnostic};

pub(crate) use object::{Object, ROOT_BONE};
pub(crate) use reader::Reader;
pub(crate) use record::{Value, record, value};

/// Fields whose values are mappings from names of the author's to mappings or lists. The keys of all other mappings are
/// fields.
pub const NAMED: &[&str] = &[
    "bones",
    "frame3_sets",
    "geometry_checks",
    "imports",
    "materials",
    "params",
    "uv_roles",
    "uv_sets",
];

/// A document that has been parsed, and where the nodes come from that preprocessing has made.
#[derive(Debug)]
pub struct Parsed {
    /// The document, or the errors of the earliest stage that has any.
    pub document: Diagnosed<Document>,
    /// The origins of the spans of the document and of the errors.
    pub origins: Origins,
}

impl Parsed {
    fn failed(errors: Vec<Diagnostic>) -> Self {
        Self {
            document: Err(errors),
            origins: Origins::default(),
        }
    }
}

/// Parses a composed document: reads its version, preprocesses it from version 0.6 on, and reads it by the schema.
///
/// # Errors
/// ParseErrors: a version that is missing or misspelled; the findings of [`preprocess`]; then, together and
/// in document order, `V33` or `V57` unknown fields, `V34` missing fields, `U04` descending gradient ranges, `V61` params of the
/// wrong type and `U10` for every other violation of the schema.
pub fn parse(source: &Tree) -> Parsed {
    let version = match Version::read(source) {
        Ok(version) => version,
        // The version may come after the cut.
        Err(error) if error.code == Some(Code::V34) && source.cut.is_some() => {
            Feature::Poses.since()
        }
        Err(error) => return Parsed::failed(vec![error]),
    };
    if !version.has(Feature::Materials) {
        let origins = Origins::default();
        let document = read(source, version, &origins, &[]);
        return Parsed { document, origins };
    }
    if let Some(cut) = source.cut {
        return Parsed::failed(before(cut, Vec::new()));
    }
    let Preprocessed {
        tree,
        warnings,
        origins,
        params,
    } = preprocess(source, version, Rotations::Canonical);
    let document = tree.and_then(|tree| read(&tree, version, &origins, &params));
    let document = document.map(|document| Document {
        warnings,
        ..document
    });
    Parsed { document, origins }
}

/// Parses a composed scene, which is not preprocessed.
///
/// # Errors
/// `V34` alone for a file of another kind; else `V57` unknown fields, `V34` missing fields and `U10`, in document order.
pub fn scene(tree: &Tree) -> Diagnosed<RigsScene> {
    kind(tree, "rigs_version", "a scene")?;
    read(tree, Version::NEWEST, &Origins::default(), &[])
}

/// Refuses a file that is of another kind than `wanted`.
fn kind(tree: &Tree, version: &str, wanted: &str) -> Diagnosed<()> {
    let entries = tree.entries(tree.root).unwrap_or(&[]);
    match of_other_kind(entries, version, wanted) {
        Some(error) => Err(vec![error]),
        None => Ok(()),
    }
}

/// Parses a composed contract.
///
/// # Errors
/// `V34` alone for a file of another kind; else `V33`, `V34` and `U10`, in document order.
pub fn contract(tree: &Tree) -> Diagnosed<Contract> {
    kind(tree, "contract_version", "a contract")?;
    let version = Feature::Poses.since();
    read(tree, version, &Origins::default(), &[])
}

/// Reads the tree of a file, which declares `version` and had these params.
///
/// # Errors
/// All faults, in document order.
fn read<T: Value>(
    tree: &Tree,
    version: Version,
    origins: &Origins,
    params: &[String],
) -> Diagnosed<T> {
    let reader = Reader::new(tree, version, origins, params);
    let value = T::read(&reader, tree.root);
    let mut errors = reader.into_errors();
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    if let Some(cut) = tree.cut {
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
