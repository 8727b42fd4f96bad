//! What is refused before the semantic rules, and after them what cannot be compiled yet.

use crate::diag::{Category, Code, Diagnostic};
use crate::loader::{Loader, Location};
use crate::model::Document;

/// U14: every weight file must lie inside the root, and so must every import and contract.
pub(super) fn references(
    document: &Document,
    location: &Location,
    loader: &dyn Loader,
) -> Result<(), Vec<Diagnostic>> {
    let maps = document.bindings.iter().flat_map(|b| &b.weight_maps);
    let weights = maps
        .filter_map(|map| map.source.as_ref())
        .map(|source| &source.path);
    let imports = document
        .imports
        .iter()
        .flat_map(|import| std::iter::once(&import.source).chain(import.contract.as_ref()));
    let outside = weights
        .chain(imports)
        .filter(|path| loader.resolve(location, &path.value).is_err());
    let mut errors: Vec<Diagnostic> = outside
        .map(|path| {
            let message = format!("`{}` leads outside the root", path.value);
            Diagnostic::new(Code::U14, path.span, message)
                .help("name a directory above both with `--root`")
        })
        .collect();
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Refuses what this version cannot compile, rather than write a file that lacks it.
pub(super) fn composition(document: &Document) -> Result<(), Vec<Diagnostic>> {
    let imports = document.imports.iter().map(|import| import.namespace.span);
    let instances = document.instances.iter().map(|instance| instance.span);
    let errors: Vec<Diagnostic> = imports
        .chain(instances)
        .map(|span| {
            let message = "imports and instances are not supported yet";
            let mut error = Diagnostic::without_code(Category::CompositionError, message);
            error.span = Some(span);
            error
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
