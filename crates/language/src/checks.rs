//! The checks of alignment that authors write under `geometry_checks` (`extensions.md` §11.2).
//!
//! In: the composed tree of a file. Out: its checks. No stage of compiling reads them; `inspect` evaluates them.

use std::borrow::Cow;

use super::preprocess::CHECKS;
use super::yaml::{Kind, NodeId, Tree};

/// The tolerance of a check that has none.
const TOLERANCE: f64 = 1e-6;

/// One element of `geometry_checks.alignment`, as far as it has the form of a check.
#[derive(Debug, PartialEq)]
pub struct AlignmentCheck {
    /// The kind of check; `None` if the element does not name one.
    pub check: Option<String>,
    /// The author's words for it; empty if there are none.
    pub label: String,
    /// The result passes if it is below this; `None` if the element has something else than a number.
    pub tolerance: Option<f64>,
    /// The two faces of `normal_parallel`.
    pub faces: [Option<String>; 2],
    /// The point of `point_on_line`.
    pub point: Option<String>,
    /// The line of `point_on_line`.
    pub line: Option<String>,
}

/// Returns the checks of a file in order; none if it has no list of this name.
pub fn alignment(tree: &Tree) -> Vec<AlignmentCheck> {
    let list = tree
        .value(tree.root, CHECKS)
        .and_then(|checks| tree.value(checks, "alignment"));
    let Some(Kind::Seq(items)) = list.map(|list| &tree.node(list).kind) else {
        return Vec::new();
    };
    let check = |item: &NodeId| {
        let text = |key: &str| {
            tree.value(*item, key)
                .and_then(|id| text(&tree.node(id).kind))
        };
        let owned = |key: &str| text(key).map(Cow::into_owned);
        AlignmentCheck {
            check: owned("check"),
            label: owned("label").unwrap_or_default(),
            tolerance: match tree.value(*item, "tolerance") {
                None => Some(TOLERANCE),
                Some(id) => number(&tree.node(id).kind),
            },
            faces: [owned("a"), owned("b")],
            point: owned("point"),
            line: owned("line"),
        }
    };
    items.iter().map(check).collect()
}

/// Returns the text of a scalar; `None` for null, dates, lists and mappings.
fn text<'s>(kind: &Kind<'s>) -> Option<Cow<'s, str>> {
    match kind {
        Kind::Str(text) => Some(text.clone()),
        Kind::Bool(value) => Some(value.to_string().into()),
        Kind::Int(int) => Some(match int.exact {
            Some(exact) => exact.to_string().into(),
            None => int.nearest.to_string().into(),
        }),
        Kind::Float(value) => Some(value.to_string().into()),
        _ => None,
    }
}

/// Returns a number, or the number in a string (`language.md` §1.3); `None` for anything else, and for what is not finite.
fn number(kind: &Kind) -> Option<f64> {
    kind.number().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn of(text: &str) -> Vec<AlignmentCheck> {
        alignment(&yaml::compose(text, &yaml::Options::default()).unwrap())
    }

    #[test]
    fn checks_are_read_through_aliases_and_odd_elements_stay_in_their_places() {
        let text = "geometry_checks:\n  alignment:\n  - &c {check: point_on_line, label: l, point: w.apex, line: v.ridge, tolerance: 0.5}\n  \
                    - *c\n  - 7\n  - {check: normal_parallel, a: a.+x, b: 3, tolerance: []}\n  - {tolerance: '1e-3'}\n";
        let checks = of(text);
        assert_eq!(checks.len(), 5);
        assert_eq!(checks[0], checks[1]);
        assert_eq!(checks[0].check.as_deref(), Some("point_on_line"));
        assert_eq!(checks[0].label, "l");
        assert_eq!(checks[0].tolerance, Some(0.5));
        assert_eq!(checks[0].point.as_deref(), Some("w.apex"));
        assert_eq!(checks[0].line.as_deref(), Some("v.ridge"));
        assert_eq!((&checks[2].check, &*checks[2].label), (&None, ""));
        assert_eq!(checks[2].tolerance, Some(1e-6));
        let faces = [Some("a.+x".to_owned()), Some("3".to_owned())];
        assert_eq!((&checks[3].faces, checks[3].tolerance), (&faces, None));
        assert_eq!(checks[4].tolerance, Some(1e-3));
    }

    #[test]
    fn documents_without_a_list_have_no_checks() {
        for text in [
            "a: 1",
            "geometry_checks: 3",
            "geometry_checks: {alignment: {check: x}}",
            "geometry_checks: [alignment]",
        ] {
            assert_eq!(of(text), [], "{text}");
        }
    }
}
