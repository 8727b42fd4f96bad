//! Materials of imports that meshes and primitives name (V42).

use std::collections::HashMap;

use super::Parts;
use crate::base::diag::{Code, Diagnostic, Findings};
use crate::language::model::{Document, MaterialTable, NamedMaterial};

/// Returns the errors of references to materials that an import does not have (V42, `extensions.md` D13), for each mesh its
/// own reference and then those of its primitives.
pub fn unknown_materials(document: &Document, parts: &Parts<'_>) -> Vec<Diagnostic> {
    let own = MaterialTable::new(document);
    let mut tables: HashMap<&str, MaterialTable<'_>> = HashMap::new();
    let mut findings = Findings::default();
    for mesh in &document.meshes {
        let primitives = mesh.primitives.iter();
        let of_primitives = primitives.filter_map(|primitive| primitive.material.as_ref());
        for reference in mesh.material.iter().chain(of_primitives) {
            if findings.is_full() {
                return findings.into_errors();
            }
            let NamedMaterial::Imported(namespace, id) = own.find(&reference.value) else {
                continue;
            };
            let Some(part) = parts.get(namespace) else {
                continue;
            };
            let table = tables
                .entry(namespace)
                .or_insert_with(|| MaterialTable::new(part));
            if table.own(id).is_none() {
                let message = format!("import `{namespace}` has no material `{id}`");
                let finding = Diagnostic::new(Code::V42, reference.span, message);
                findings.report(match findings.nearest(id, table.ids()) {
                    Some(near) => finding.help(format!("did you mean `{namespace}.{near}`?")),
                    None => finding,
                });
            }
        }
    }
    findings.into_errors()
}
