//! Contracts: the requirements that an import has to meet (V31).

use std::collections::HashSet;

use super::AnchorIds;
use crate::base::diag::{Category, Code, Diagnostic, MOST_FINDINGS, Spanned, Suggestions};
use crate::model::Contract;

/// Returns the requirements of a contract that a part with these anchors, imported as `namespace`, does not meet, in the
/// order of the contract. `at` is the reference to the contract.
pub fn breaches(
    contract: &Contract,
    AnchorIds(anchors): &AnchorIds<'_>,
    namespace: &str,
    at: &Spanned<String>,
    suggestions: &Suggestions,
) -> Vec<Diagnostic> {
    let breach = |message: String| Diagnostic::new(Code::V31, at.span, message);
    let lacks = |anchor: &Spanned<String>, why: &str| {
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
    use crate::base::diag::Span;
    use crate::{parse, yaml};

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
        let at = Spanned::new("c.ricy.yaml".to_owned(), Span::default());
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
