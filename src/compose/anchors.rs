//! Anchors that instances name: those of parts (V29) and of the document itself (V30).

use std::collections::HashSet;

use super::{Parts, parted};
use crate::diag::{Code, Diagnostic, Spanned, nearest};
use crate::model::{Document, Instanced};

/// V29 and V30, instance by instance: three `from`, then three `to`. Namespaces are not looked at yet.
pub fn unknown_anchors(document: &Document, parts: &Parts<'_>) -> Vec<Diagnostic> {
    let own = ids(document);
    let of_part: Vec<(&str, HashSet<&str>)> = parts
        .iter()
        .map(|(name, part)| (*name, ids(part)))
        .collect();
    let mut errors = Vec::new();
    for instance in &document.instances {
        let Some(attach) = &instance.attach3 else {
            continue;
        };
        if let Instanced::Import(import) = &instance.of
            && let Some((name, known)) = of_part.iter().find(|(name, _)| *name == import.value)
        {
            for reference in &attach.from.value {
                let anchor = parted(&reference.value).1;
                if !known.contains(anchor) {
                    let message = format!("import `{name}` has no anchor `{anchor}`");
                    errors.push(unknown(Code::V29, reference, anchor, message, known));
                }
            }
        }
        for reference in &attach.to.value {
            if !own.contains(&*reference.value) {
                let anchor = &reference.value;
                let message = format!("this document has no anchor `{anchor}`");
                errors.push(unknown(Code::V30, reference, anchor, message, &own));
            }
        }
    }
    errors
}

/// An anchor nobody knows, with the likeliest candidate or all there are.
pub(super) fn unknown(
    code: Code,
    reference: &Spanned<String>,
    anchor: &str,
    message: String,
    known: &HashSet<&str>,
) -> Diagnostic {
    let finding = Diagnostic::new(code, reference.span, message);
    let mut sorted: Vec<&str> = known.iter().copied().collect();
    sorted.sort_unstable();
    match nearest(anchor, sorted.iter().copied()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None if sorted.is_empty() => finding.help("it has no anchors at all"),
        None => finding.help(format!("its anchors are `{}`", sorted.join("`, `"))),
    }
}

/// The ids of a document's anchors.
pub(super) fn ids(document: &Document) -> HashSet<&str> {
    document.anchors.iter().map(|a| &*a.id.value).collect()
}
