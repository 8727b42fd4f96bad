//! Stages C to E for a document with its imports: validity, contracts, anchors, frames.

use std::sync::Arc;

use super::findings::{FileFindings, FileSpan};
use super::imports::Imported;
use super::unit::{Unit, Valid};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Suggestions, Text};
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::meter::{Cost, Meter};
use rigy_kernel::math::Affine;
use rigy_language::compose::{self, AnchorIds};
use rigy_language::model::{Contract, Document, Import, Instanced};
use rigy_language::validate::{self, Checked};

/// A direct import that is valid on its own.
pub struct Part {
    pub import: Import,
    pub valid: Valid,
    pub contract: Option<Arc<Contract>>,
}

impl Part {
    /// The warning (W05) that its own instances are left out, if it has any.
    pub fn left_out(&self, help: &str) -> Option<Diagnostic> {
        let source = &self.import.source;
        let count = self.valid.document.instances.len();
        (count > 0).then(|| {
            Diagnostic::new(
                Code::W05,
                source.span,
                format!(
                    "`{}` places instances of its own ({count}), which are left out",
                    source.value
                ),
            )
            .help(help)
        })
    }

    /// The reference by which `root` imports it.
    pub fn importer(&self, root: &Valid) -> FileSpan {
        FileSpan {
            file: root.file.clone(),
            span: self.import.source.span,
        }
    }
}

/// The documents of some parts, each once even if it is imported several times.
pub fn distinct(parts: &[Part]) -> impl Iterator<Item = &Valid> {
    let mut seen = HashSet::default();
    let valid = parts.iter().map(|part| &part.valid);
    valid.filter(move |valid| seen.insert(Arc::as_ptr(&valid.document)))
}

/// Stage C: returns the document and its direct imports if all of them are valid.
///
/// # Errors
/// The ValidationErrors of all of them, the document's own first; last V42 and V46 for materials of imports that the document
/// names.
pub fn valid(unit: &Unit, direct: Vec<Imported>) -> Diagnosed<(Valid, Vec<Part>)> {
    let mut errors = FileFindings::default();
    let root = match unit.valid() {
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
        match part.valid() {
            Ok(valid) => parts.push(Part {
                import,
                valid,
                contract,
            }),
            Err(faults) => {
                let file = unit.file.clone();
                let span = import.source.span;
                errors.add(
                    &part.file,
                    faults.iter().cloned(),
                    &[FileSpan { file, span }],
                );
            }
        }
    }
    if let Some(root) = &root {
        let by_namespace = by_namespace(&parts);
        let unknown = validate::imported_materials(&root.document, &by_namespace);
        errors.add(&unit.file, unknown.err().unwrap_or_default(), &[]);
    }
    match root {
        Some(root) if errors.is_empty() => Ok((root, parts)),
        _ => Err(errors.located()),
    }
}

fn by_namespace(parts: &[Part]) -> HashMap<&str, &Document> {
    parts
        .iter()
        .map(|part| (&*part.import.namespace.value, &**part.valid.document))
        .collect()
}

/// Stages D and E: returns the transform of each instance. `malformed` has the faults of contracts, each with the index of
/// the part below which it was found.
///
/// # Errors
/// V29 and V30; or ContractErrors in the order of the imports, then U07 to U09; U17 if the contracts require so much that checking
/// takes too much work.
pub fn places(
    root: &Valid,
    parts: &[Part],
    malformed: Vec<(usize, FileFindings)>,
    meter: &mut Meter,
) -> Diagnosed<Vec<Affine>> {
    let by_namespace = by_namespace(parts);
    let mut errors = FileFindings::default();
    let anchors = compose::unknown_anchors(&root.document, &by_namespace);
    errors.add(&root.file, anchors, &[]);
    errors.check_none()?;
    let mut errors = contracts(root, parts, malformed, meter);
    match compose::place(&root.document, &by_namespace) {
        Ok(places) if errors.is_empty() => return Ok(places),
        Ok(_) => {}
        Err(found) => errors.add(&root.file, found, &[]),
    }
    Err(errors.located())
}

/// Checks the parts against their contracts, in the order of the imports. `malformed` has the faults of contracts, each with the
/// index of the part below which it was found.
pub fn contracts(
    root: &Valid,
    parts: &[Part],
    malformed: Vec<(usize, FileFindings)>,
    meter: &mut Meter,
) -> FileFindings {
    let mut errors = FileFindings::default();
    let mut malformed = malformed.into_iter().peekable();
    let mut fulfilment = Fulfilment::default();
    for (index, part) in parts.iter().enumerate() {
        while let Some((_, faults)) = malformed.next_if(|(of, _)| *of == index) {
            errors.append(faults);
        }
        if let (Some(contract), Some(at)) = (&part.contract, &part.import.contract)
            && !errors.is_full()
        {
            match fulfilment.breaches(part, contract, at, meter) {
                Ok(breaches) => errors.add(&root.file, breaches, &[]),
                Err(error) => {
                    errors.add(&root.file, [error], &[]);
                    break;
                }
            }
        }
    }
    for (_, faults) in malformed {
        errors.append(faults);
    }
    errors
}

/// Checks parts against contracts, and keeps the pairs that have passed, so that they are checked once.
#[derive(Default)]
struct Fulfilment<'p> {
    anchors: HashMap<*const Checked<Document>, AnchorIds<'p>>,
    fulfilled: HashSet<(*const Contract, *const Checked<Document>)>,
    suggestions: Suggestions,
}

impl<'p> Fulfilment<'p> {
    /// The requirements of a contract that a part does not meet (V31).
    ///
    /// # Errors
    /// U17, at the reference to the contract: one part may be imported with many contracts, and one contract be required of many parts.
    fn breaches(
        &mut self,
        part: &'p Part,
        contract: &Arc<Contract>,
        at: &Text,
        meter: &mut Meter,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let document = Arc::as_ptr(&part.valid.document);
        let pair = (Arc::as_ptr(contract), document);
        if self.fulfilled.contains(&pair) {
            return Ok(Vec::new());
        }
        let count = contract.requirement_count() as u64;
        meter
            .spend(Cost::Requirements, count)
            .map_err(|over| over.at(at.span))?;
        let anchors = self
            .anchors
            .entry(document)
            .or_insert_with(|| AnchorIds::new(&part.valid.document));
        let namespace = &part.import.namespace.value;
        let breaches = compose::breaches(contract, anchors, namespace, at, &self.suggestions);
        if breaches.is_empty() {
            self.fulfilled.insert(pair);
        }
        Ok(breaches)
    }
}

/// Warnings without places: W05 for parts whose own instances are left out, W06 for instances if the document is
/// baked, because baked output leaves them out.
pub fn left_out(root: &Valid, parts: &[Part]) -> Vec<Diagnostic> {
    let instances = &root.document.instances;
    let placed: HashSet<&str> = instances
        .iter()
        .filter_map(|instance| match &instance.of {
            Instanced::Import(name) => Some(&*name.value),
            Instanced::Mesh(_) => None,
        })
        .collect();
    let mut warnings = Vec::new();
    for part in parts
        .iter()
        .filter(|part| placed.contains(&*part.import.namespace.value))
    {
        warnings.extend(
            part.left_out("only one level of imports is composed; import what it places directly"),
        );
    }
    if let (Some(first), false) = (instances.first(), root.document.poses.is_empty()) {
        warnings.push(
            Diagnostic::new(Code::W06, first.span, "baked output leaves instances out")
                .help("the ordinary export has them"),
        );
    }
    warnings
}
