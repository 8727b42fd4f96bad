//! Describing a document or a glTF file.

use std::path::Path;

use pyo3::prelude::*;
use rigy_batch::bake::gltf;
use rigy_batch::base::diag::Warned;
use rigy_batch::base::terminal;
use rigy_batch::mesh::MAX_POSED;
use rigy_batch::run::batch::gltf_stem;
use rigy_batch::view::description::{DocumentObject, DocumentOptions, GltfObject, of_document};
use rigy_batch::{Diagnostic, Files, Input, Isa, Limits, Sequential, check};

use crate::errors::{warn, working};
use crate::files::{PathOrBytes, directory_of, read};
use crate::loader::PythonLoader;
use crate::options::limits;

/// A description and warnings that it does not contain.
type Described = (String, Vec<Diagnostic>);

/// Returns what a document, a scene or a glTF file has: the object that `rigy-batch inspect --format json` prints for a single file.
///
/// `source` is a path, or the bytes of a GLB. `primitives`, `expanded`, `pairwise_gaps`, `intent_checks` and `limit` are for documents and do
/// what the options of the program do.
///
/// Warnings about documents are emitted as RigyWarning; those about glTF files are in the result. Raises RigyError with all findings
/// if the file has errors.
#[pyfunction]
#[pyo3(signature = (source, *, primitives=None, expanded=false, pairwise_gaps=false, intent_checks=false, limit=None))]
pub fn inspect<'py>(
    py: Python<'py>,
    source: PathOrBytes,
    primitives: Option<Vec<String>>,
    expanded: bool,
    pairwise_gaps: bool,
    intent_checks: bool,
    limit: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = limits(limit)?;
    let options = DocumentOptions {
        primitives: primitives.unwrap_or_default(),
        pairwise_gaps,
        intent_checks,
    };
    let name = source.name("file.glb");
    let (json, warnings) = working(py, &name, || match source {
        PathOrBytes::Path(path) if !is_gltf(&path) => {
            document(&path, &name, &options, limits, expanded)
        }
        source => file(source, &name),
    })?;
    warn(py, &warnings)?;
    py.import("json")?.getattr("loads")?.call1((json,))
}

/// Returns true if a path has the name of a glTF file, or its file begins like a GLB.
fn is_gltf(path: &Path) -> bool {
    let is_named = path.file_name().is_some_and(|name| gltf_stem(name) != name);
    is_named || read(path, Limits::DEFAULT.bytes).is_ok_and(|bytes| bytes.starts_with(b"glTF"))
}

fn document(
    path: &Path,
    name: &str,
    options: &DocumentOptions,
    limits: Limits,
    with_expanded: bool,
) -> Result<Described, Vec<Diagnostic>> {
    let bytes = read(path, limits.bytes)?;
    let input = Input {
        name,
        location: rigy_batch::Location(path.to_owned()),
        text: rigy_batch::compile::decode(name, &bytes)?,
    };
    let most = Limits::DEFAULT.vertices(MAX_POSED);
    let files = Files::new(directory_of(path, None)?).within(limits.at_most(most));
    let checked = check(input.clone(), &files)?;
    let built = checked.value.build_by(Isa::best(), &Sequential)?;
    let description = of_document(&built.value, options, name)?;
    let expanded = if with_expanded {
        rigy_batch::compile::expanded(input, limits)?
    } else {
        None
    };
    let object = DocumentObject {
        file: None,
        format: None,
        description,
        expanded_yaml: expanded,
    };
    let warnings = [checked.warnings, built.warnings].concat();
    Ok((terminal::json(&object), warnings))
}

fn file(source: PathOrBytes, name: &str) -> Result<Described, Vec<Diagnostic>> {
    let none = PythonLoader::new(None);
    let opened = source.open(name, None, &none)?;
    let (bytes, location, loader) = (opened.bytes(), &opened.location, &*opened.loader);
    let Warned { value, warnings } = gltf::read(bytes, location, loader)?;
    let object = GltfObject::new(&value, bytes, location, loader, warnings)?.value;
    Ok((terminal::json(&object), Vec::new()))
}
