//! Anchors that do not exist: those that instances name, of parts (V29) and of the document itself (V30), and those that the
//! contracts of imports require (V31).

use std::collections::BTreeSet;

use super::{ByDocument, Parts, parted};
use crate::model::{Contract, Document, Instanced};
use rigy_base::diag::{
    Category, Code, Diagnostic, Findings, MOST_FINDINGS, Suggestions, Text, quoted,
};
use rigy_base::maps::HashSet;

/// Returns the errors of anchors that do not exist (V29, V30), for each instance the three `from` anchors and then the three
/// `to` anchors. Namespaces are checked later.
pub fn unknown_anchors(document: &Document, parts: &Parts) -> Vec<Diagnostic> {
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
            for reference in attach
                .from
                .value
                .iter()
                .filter(|r| !known.contains(parted(&r.value).1))
            {
                let (namespace, anchor) = parted(&reference.value);
                let import = &import.value;
                let message = format!("import `{import}` has no anchor `{anchor}`");
                let finding = Diagnostic::new(Code::V29, reference.span, message);
                findings.report(match namespace {
                    Some(other) if other != import => {
                        finding.help(format!("this instance places `{import}`, not `{other}`"))
                    }
                    None if own.contains(anchor) => finding.help(SWAPPED),
                    _ => unknown(finding, anchor, known, &findings).of_part(namespace),
                });
            }
        }
        for reference in attach.to.value.iter().filter(|r| !own.contains(&*r.value)) {
            let anchor = &reference.value;
            let message = format!("this document has no anchor `{anchor}`");
            let finding = Diagnostic::new(Code::V30, reference.span, message);
            findings.report(if of_part.contains(parted(anchor).1) {
                finding.help(SWAPPED)
            } else {
                unknown(finding, anchor, &own, &findings)
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
pub fn unknown(
    finding: Diagnostic,
    anchor: &str,
    known: &BTreeSet<&str>,
    findings: &Findings,
) -> Diagnostic {
    match findings.nearest(anchor, known.iter().copied()) {
        Some(near) => finding.did_you_mean(anchor, near),
        None if known.is_empty() => finding.help("it has no anchors at all"),
        None if known.len() > FEW => finding,
        None => finding.help(format!("its anchors are {}", quoted(known.iter().copied()))),
    }
}

/// The ids of a document's anchors, sorted.
#[derive(Debug)]
pub struct AnchorIds<'d>(pub(super) BTreeSet<&'d str>);

impl<'d> AnchorIds<'d> {
    /// Returns the ids of the anchors of a document.
    pub fn new(document: &'d Document) -> Self {
        Self(document.anchors.iter().map(|a| &*a.id.value).collect())
    }
}

/// Returns the requirements of a contract that a part with these anchors, imported as `namespace`, does not meet, in the
/// order of the contract. `at` is the reference to the contract.
pub fn breaches(
    contract: &Contract,
    AnchorIds(anchors): &AnchorIds,
    namespace: &str,
    at: &Text,
    suggestions: &Suggestions,
) -> Vec<Diagnostic> {
    let breach = |message: String| Diagnostic::new(Code::V31, at.span, message);
    let lacks = |anchor: &Text, why: &str| {
        let (anchor, name) = (&anchor.value, &at.value);
        breach(format!(
            "import `{namespace}` has no anchor `{anchor}`, which {why} of `{name}`"
        ))
        .help(match suggestions.nearest(anchor, anchors.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add the anchor to the part, or relax the contract".into(),
        })
    };
    let mut found = Vec::new();
    let full = |found: &Vec<Diagnostic>| found.len() >= MOST_FINDINGS;
    for anchor in &contract.required_anchors {
        if !full(&found) && !anchors.contains(&*anchor.value) {
            found.push(lacks(anchor, "is required by `required_anchors`"));
        }
    }
    let sets: HashSet<&str> = contract
        .frame3_sets
        .iter()
        .map(|(id, _)| &*id.value)
        .collect();
    for set in &contract.required_frame3_sets {
        if !full(&found) && !sets.contains(&*set.value) {
            let message = format!(
                "contract `{}` requires a frame set `{}` but does not define it",
                at.value, set.value
            );
            found.push(breach(message).help("list it in the contract's own `frame3_sets`"));
        }
    }
    for (set, members) in &contract.frame3_sets {
        for anchor in members {
            if !full(&found) && !anchors.contains(&*anchor.value) {
                found.push(lacks(anchor, &format!("is in frame set `{}`", set.value)));
            }
        }
    }
    found
}

/// Returns a fault of a contract file as a V31, whatever its code would be in a document.
pub fn malformed(mut fault: Diagnostic) -> Diagnostic {
    fault.category = Category::ContractError;
    fault.code = Some(Code::V31);
    fault
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, yaml};
    use rigy_base::diag::Span;

    #[test]
    fn breaches_come_in_the_order_of_the_contract() {
        let contract = "contract_version: '1'\nrequired_anchors: [a, x]\nrequired_frame3_sets: [s, t]\n\
                        frame3_sets: {s: [a, y, a]}";
        let contract =
            parse::contract(&yaml::compose(contract, &yaml::Options::default()).unwrap()).unwrap();
        let part = "version: '0.2'\nanchors: [{id: a, translation: [0, 0, 0]}]";
        let part = parse::parse(&yaml::compose(part, &yaml::Options::default()).unwrap())
            .document
            .unwrap();
        let at = Text::new("c.ricy.yaml".to_owned(), Span::default());
        let anchors = AnchorIds::new(&part);
        let found = breaches(&contract, &anchors, "p", &at, &Suggestions::default());
        let named: Vec<bool> = ["`x`", "`t`", "`y`"]
            .iter()
            .zip(&found)
            .map(|(name, breach)| breach.message.contains(name))
            .collect();
        assert_eq!(named, [true; 3]);
        assert_eq!(found.len(), 3);
    }
}
