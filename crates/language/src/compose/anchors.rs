//! Anchors that instances name: those of parts (V29) and of the document itself (V30).

use std::collections::BTreeSet;

use super::{ByDocument, Parts, parted};
use crate::base::diag::{Code, Diagnostic, Findings, Spanned};
use crate::model::{Document, Instanced};

/// Returns the errors of anchors that do not exist (V29, V30), for each instance the three `from` anchors and then the three
/// `to` anchors. Namespaces are checked later.
pub fn unknown_anchors(document: &Document, parts: &Parts<'_>) -> Vec<Diagnostic> {
    let own = AnchorIds::new(document).0;
    let of_parts = ByDocument::new(parts, |part| AnchorIds::new(part).0);
    let none = BTreeSet::new();
    let mut findings = Findings::default();
    for instance in &document.instances {
        let Some(attach) = &instance.attach3 else {
            continue;
        };
        if findings.is_full() {
            break;
        }
        let mut of_part = &none;
        if let Instanced::Import(import) = &instance.of
            && let Some(known) = of_parts.get(&import.value)
        {
            of_part = known;
            let missing = |r: &&Spanned<String>| !known.contains(parted(&r.value).1);
            for reference in attach.from.value.iter().filter(missing) {
                let (namespace, anchor) = parted(&reference.value);
                let import = &import.value;
                let message = format!("import `{import}` has no anchor `{anchor}`");
                let finding = Diagnostic::new(Code::V29, reference.span, message);
                findings.report(match namespace {
                    Some(other) if other != import => {
                        finding.help(format!("this instance places `{import}`, not `{other}`"))
                    }
                    None if own.contains(anchor) => finding.help(SWAPPED),
                    _ => unknown(finding, anchor, known, &findings),
                });
            }
        }
        let missing = |r: &&Spanned<String>| !own.contains(&*r.value);
        for reference in attach.to.value.iter().filter(missing) {
            let anchor = &reference.value;
            let message = format!("this document has no anchor `{anchor}`");
            let finding = Diagnostic::new(Code::V30, reference.span, message);
            findings.report(match of_part.contains(parted(anchor).1) {
                true => finding.help(SWAPPED),
                false => unknown(finding, anchor, &own, &findings),
            });
        }
    }
    findings.into_errors()
}

/// Advice about an anchor that exists on the other side.
const SWAPPED: &str =
    "`from` names anchors of the part and `to` those of this document; are they swapped?";

/// Most anchors that advice lists.
const FEW: usize = 12;

/// Adds advice to the finding about an unknown anchor: the likeliest candidate, or the list of all anchors if there are few.
pub(super) fn unknown(
    finding: Diagnostic,
    anchor: &str,
    known: &BTreeSet<&str>,
    findings: &Findings,
) -> Diagnostic {
    match findings.nearest(anchor, known.iter().copied()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => finding.help("it has no anchors at all"),
        None if known.len() > FEW => finding,
        None => {
            let list: Vec<&str> = known.iter().copied().collect();
            finding.help(format!("its anchors are `{}`", list.join("`, `")))
        }
    }
}

/// The ids of a document's anchors, sorted.
#[derive(Clone, Debug)]
pub struct AnchorIds<'d>(pub(super) BTreeSet<&'d str>);

impl<'d> AnchorIds<'d> {
    /// Returns the ids of the anchors of a document.
    pub fn new(document: &'d Document) -> Self {
        Self(document.anchors.iter().map(|a| &*a.id.value).collect())
    }
}
