//! Stages C to E for a document with its imports: verdicts, contracts, anchors, frames.

use std::sync::Arc;

use super::imports::Imported;
use super::unit::{Unit, Valid};
use crate::compose;
use crate::diag::{Code, Diagnostic};
use crate::math::Affine;
use crate::model::{Contract, Import, Instanced};

/// A direct import that is valid on its own.
pub(super) struct Part {
    pub import: Import,
    pub valid: Valid,
    contract: Option<Arc<Contract>>,
}

impl Part {
    /// Located findings about the part, with where `root` imports it.
    pub fn imported(&self, root: &Valid, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if findings.is_empty() {
            return findings;
        }
        let place = root.file.place(self.import.source.span);
        let add = |finding: Diagnostic| finding.imported_from(&place);
        findings.into_iter().map(add).collect()
    }
}

/// Stage C: the verdicts on the document and on each of its direct imports.
///
/// # Errors
/// The ValidationErrors of all of them, the document's own first.
pub(super) fn judge(
    unit: &Unit,
    direct: Vec<Imported>,
) -> Result<(Valid, Vec<Part>), Vec<Diagnostic>> {
    let root = unit.verdict();
    let mut errors = root
        .as_ref()
        .map_or_else(|faults| faults.to_vec(), |_| Vec::new());
    let mut parts = Vec::with_capacity(direct.len());
    for imported in direct {
        match imported.unit.verdict() {
            Ok(valid) => parts.push(Part {
                import: imported.import,
                valid,
                contract: imported.contract,
            }),
            Err(faults) => {
                let place = unit.file.place(imported.import.source.span);
                let faults = faults.iter().cloned();
                errors.extend(faults.map(|fault| fault.imported_from(&place)));
            }
        }
    }
    match root {
        Ok(root) if errors.is_empty() => Ok((root, parts)),
        _ => Err(errors),
    }
}

/// Stages D and E: where each instance stands. `malformed` holds the faults of contracts, each with the number
/// of the part under which it was met.
///
/// # Errors
/// V29 and V30; or ContractErrors in the order of the imports, then U07 to U09.
pub(super) fn places(
    root: &Valid,
    parts: &[Part],
    mut malformed: Vec<(usize, Vec<Diagnostic>)>,
) -> Result<Vec<Affine>, Vec<Diagnostic>> {
    let namespaces = parts.iter().map(|part| &*part.import.namespace.value);
    let documents = parts.iter().map(|part| &**part.valid.document);
    let by_namespace = namespaces.zip(documents).collect();
    let unknown = compose::unknown_anchors(&root.document, &by_namespace);
    if !unknown.is_empty() {
        return Err(root.file.locate(unknown));
    }
    let mut errors = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let own = malformed.extract_if(.., |(of, _)| *of == index);
        errors.extend(own.flat_map(|(_, faults)| faults));
        if let (Some(contract), Some(at)) = (&part.contract, &part.import.contract) {
            let namespace = &part.import.namespace.value;
            let breaches = compose::breaches(contract, &part.valid.document, namespace, at);
            errors.extend(root.file.locate(breaches));
        }
    }
    match compose::place(&root.document, &by_namespace) {
        Ok(places) if errors.is_empty() => return Ok(places),
        Ok(_) => {}
        Err(found) => errors.extend(root.file.locate(found)),
    }
    Err(errors)
}

/// W05: parts that are placed without what they place themselves. W06: instances that no bake has.
pub(super) fn left_out(root: &Valid, parts: &[Part]) -> Vec<Diagnostic> {
    let instances = &root.document.instances;
    let placed = |part: &&Part| {
        let namespace = &part.import.namespace.value;
        instances.iter().any(
            |instance| matches!(&instance.of, Instanced::Import(name) if name.value == *namespace),
        )
    };
    let mut warnings = Vec::new();
    for part in parts.iter().filter(placed) {
        let count = part.valid.document.instances.len();
        if count > 0 {
            let source = &part.import.source;
            let message = format!(
                "`{}` places instances of its own ({count}), which are left out",
                source.value
            );
            let help = "only one level of imports is composed; import what it places directly";
            warnings.push(Diagnostic::new(Code::W05, source.span, message).help(help));
        }
    }
    if let (Some(first), false) = (instances.first(), root.document.poses.is_empty()) {
        let message = "baked output leaves instances out";
        let help = "the ordinary export has them";
        warnings.push(Diagnostic::new(Code::W06, first.span, message).help(help));
    }
    root.file.locate(warnings)
}
