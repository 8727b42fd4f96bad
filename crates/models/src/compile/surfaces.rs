//! The implicit surfaces of a document and of its parts, extracted within the limits on samples and vertices.

use std::sync::Arc;

use super::findings::{FileFindings, FileSpan};
use super::unit::Valid;
use super::{BuildError, Part, composition};
use crate::geometry::tessellate::{Excess, Surfaces};
use rigy_kernel::simd::Isa;
use rigy_language::base::diag::{Code, Diagnostic};
use rigy_language::base::executor::Executor;
use rigy_language::base::limits::Limits;
use rigy_language::model::Mesh;

/// Extracts the implicit surfaces of the document and of its parts. `proceed` is called before each mesh.
///
/// # Errors
/// U17 if they take more samples than the limit, before one is extracted if their grids do; U17 if they have more vertices than
/// an output may have; or the error of `proceed`.
pub(super) fn extract<E>(
    root: &Valid,
    parts: &[Part],
    limits: &Limits,
    isa: Isa,
    executor: &dyn Executor,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Surfaces, BuildError<E>> {
    let documents = std::iter::once(root).chain(composition::distinct(parts));
    let meshes: Vec<(&Valid, &Mesh)> = documents
        .flat_map(|valid| valid.document.meshes.iter().map(move |mesh| (valid, mesh)))
        .collect();
    let refused = |valid: &Valid, mesh: &Mesh, excess: Excess| {
        let span = mesh.primitives[excess.primitive].id.span;
        let error = Diagnostic::new(Code::U17, span, excess.message).help(excess.help);
        let importers = importers(root, parts, valid);
        let mut errors = FileFindings::default();
        errors.add(&valid.file, [error], &importers);
        BuildError::Faulty(errors.located())
    };
    let mut surfaces = Surfaces::default();
    for (valid, mesh) in &meshes {
        let counted = surfaces.count(mesh, limits);
        counted.map_err(|excess| refused(valid, mesh, excess))?;
    }
    for (valid, mesh) in meshes {
        proceed().map_err(BuildError::Stopped)?;
        let extracted = surfaces.extract(mesh, isa, executor, limits);
        extracted.map_err(|excess| refused(valid, mesh, excess))?;
    }
    Ok(surfaces)
}

/// Returns the first reference by which the document imports a part; none if it is the document itself.
fn importers(root: &Valid, parts: &[Part], valid: &Valid) -> Vec<FileSpan> {
    let is_part = |part: &&Part| Arc::ptr_eq(&part.valid.document, &valid.document);
    let part = parts.iter().find(is_part);
    part.map(|part| part.importer(root)).into_iter().collect()
}
