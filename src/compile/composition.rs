//! Stages C to E for a document with its imports: verdicts, contracts, anchors, frames.

use std::collections::HashSet;
use std::sync::Arc;

use super::findings::{Findings, Stretch};
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
    /// Where `root` imports it.
    pub fn importer(&self, root: &Valid) -> Stretch {
        Stretch {
            file: root.file.clone(),
            span: self.import.source.span,
        }
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
    let mut errors = Findings::default();
    let root = match unit.verdict() {
        Ok(root) => Some(root),
        Err(faults) => {
            errors.add(&unit.file, faults.iter().cloned(), &[]);
            None
        }
    };
    let mut parts = Vec::with_capacity(direct.len());
    for Imported {
        import,
        unit: part,
        contract,
    } in direct
    {
        match part.verdict() {
            Ok(valid) => parts.push(Part {
                import,
                valid,
                contract,
            }),
            Err(faults) => {
                let (file, span) = (unit.file.clone(), import.source.span);
                errors.add(
                    &part.file,
                    faults.iter().cloned(),
                    &[Stretch { file, span }],
                );
            }
        }
    }
    match root {
        Some(root) if errors.is_empty() => Ok((root, parts)),
        _ => Err(errors.located()),
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
    malformed: Vec<(usize, Findings)>,
) -> Result<Vec<Affine>, Vec<Diagnostic>> {
    let namespaces = parts.iter().map(|part| &*part.import.namespace.value);
    let documents = parts.iter().map(|part| &**part.valid.document);
    let by_namespace = namespaces.zip(documents).collect();
    let mut errors = Findings::default();
    let unknown = compose::unknown_anchors(&root.document, &by_namespace);
    errors.add(&root.file, unknown, &[]);
    errors.none()?;
    let mut errors = Findings::default();
    let mut malformed = malformed.into_iter().peekable();
    for (index, part) in parts.iter().enumerate() {
        while let Some((_, faults)) = malformed.next_if(|(of, _)| *of == index) {
            errors.append(faults);
        }
        if let (Some(contract), Some(at)) = (&part.contract, &part.import.contract)
            && !errors.is_full()
        {
            let namespace = &part.import.namespace.value;
            let breaches = compose::breaches(contract, &part.valid.document, namespace, at);
            errors.add(&root.file, breaches, &[]);
        }
    }
    match compose::place(&root.document, &by_namespace) {
        Ok(places) if errors.is_empty() => return Ok(places),
        Ok(_) => {}
        Err(found) => errors.add(&root.file, found, &[]),
    }
    Err(errors.located())
}

/// W05: parts that are placed without what they place themselves. W06: instances that no bake has. Not located.
pub(super) fn left_out(root: &Valid, parts: &[Part]) -> Vec<Diagnostic> {
    let instances = &root.document.instances;
    let names = instances.iter().filter_map(|instance| match &instance.of {
        Instanced::Import(name) => Some(&*name.value),
        Instanced::Mesh(_) => None,
    });
    let placed: HashSet<&str> = names.collect();
    let placed = |part: &&Part| placed.contains(&*part.import.namespace.value);
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
    warnings
}
