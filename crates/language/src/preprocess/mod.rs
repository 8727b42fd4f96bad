//! Preprocessing: from the tree of a text to the tree that the schema reads (`extensions.md` §2).
//!
//! In: the composed tree of one file of version 0.6 or later. Out: a tree without aliases in which repeats, params,
//! expressions, boxes by their corners and macros are written out and rotations of primitives are quaternions. The steps
//! run one after the other over the whole file, and the next begins only if the one before has found nothing.
//!
//! A node that this stage makes has the span of the template that it is made from, and an origin
//! ([`Origins`]) that says which repetition, param or macro made it.

mod budget;
mod decompose;
mod draft;
mod expression;
mod macros;
mod params;
mod prism;
mod repeat;
mod rotations;
mod values;

use draft::Draft;
use params::Params;

use self::expression::is_expression;
use crate::schema::preprocessed::PRISM_NAME;
use crate::version::{Feature, Version};
use crate::yaml::{Kind, Origins, Tree};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Mend, Span};

pub(super) use draft::CHECKS;
pub use expression::functions;
pub use repeat::MAX_DEPTH;
pub(super) use rotations::beyond_turn;

/// The form in which preprocessing leaves rotations of primitives and operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotations {
    /// They become canonical quaternions, as compiling needs them.
    Canonical,
    /// They are checked and stay as authored, as an expanded document has them (`extensions.md` §2.12).
    Authored,
}

/// The tree that preprocessing makes, and where its nodes come from.
#[derive(Debug)]
pub struct Preprocessed<'s> {
    /// The tree, or the findings of the first step that has any, in document order.
    pub tree: Diagnosed<Tree<'s>>,
    /// Warnings (W18).
    pub warnings: Vec<Diagnostic>,
    /// The origins of its nodes, and of the nodes that the findings are about.
    pub origins: Origins,
    /// The names of the params that it had.
    pub params: Vec<String>,
}

/// Preprocesses the tree of a file, which declares `version`.
///
/// The tree that comes out keeps `geometry_checks`, which no step touches, as its last key.
///
/// # Errors
/// In the order of the steps: V64, V62, V63 and U10 for repeats and limits; V57, V58; V59 and V60; V65; V77; V68 to V71;
/// V72, V73, V57, V67 and V78 for rotations; F115 and others for boxes by their corners; F116, V76 and others for macros.
pub fn preprocess<'s>(
    source: &Tree<'s>,
    version: Version,
    rotations: Rotations,
) -> Preprocessed<'s> {
    let mut draft = Draft::new(version, rotations);
    let done = steps(source, &mut draft);
    Preprocessed {
        tree: done.map(|()| draft.tree),
        warnings: draft.findings.into_warnings(),
        origins: draft.origins,
        params: draft.params,
    }
}

fn steps<'s>(source: &Tree<'s>, draft: &mut Draft<'s>) -> Diagnosed<()> {
    let version = draft.version;
    let checks = repeat::write_out(source, draft);
    draft.findings.stop()?;
    let mut params = Params::default();
    if version.has(Feature::Params) {
        params = params::take(draft);
        draft.findings.stop()?;
        params::substitute(&mut params, draft);
        draft.findings.stop()?;
        params::unresolved(&params, draft);
        draft.findings.stop()?;
    }
    if version.has(Feature::Expressions) {
        expression::evaluate_all(&params, draft);
        draft.findings.stop()?;
        rotations::normalise(draft);
    } else {
        check_version(draft);
    }
    draft.findings.stop()?;
    prism::expand(draft);
    draft.findings.stop()?;
    macros::expand(draft);
    draft.findings.stop()?;
    params.restore(draft);
    draft.append_checks(checks);
    Ok(())
}

#[cfg(test)]
mod tests;

/// Reports features of version 0.12 (V77).
fn check_version(draft: &mut Draft) {
    let mut found: Vec<(Span, String)> = Vec::new();
    if draft.version.has(Feature::Params) {
        draft.visit_texts(|draft, id, text| {
            if is_expression(&text) {
                found.push((draft.span(id), format!("the expression `{text}`")));
            }
        });
    }
    let key = |id, key: &str, what: &str| Some((draft.find(id, key)?.key_span, what.to_owned()));
    for mesh in draft.meshes() {
        found.extend(key(mesh, "material", "the `material` of a mesh"));
    }
    for primitive in draft.primitives() {
        if let Some(transform) = draft.value(primitive, "transform") {
            for rotation in ["rotation_axis_angle", "rotation_quat"] {
                found.extend(key(transform, rotation, &format!("`{rotation}`")));
            }
        }
        let Some(name) = draft.value(primitive, "macro") else {
            continue;
        };
        found.extend(key(primitive, "offset_mode", "`offset_mode`"));
        if matches!(draft.kind(name), Kind::Str(text) if text == PRISM_NAME) {
            let span = draft.span(name);
            found.push((span, "the macro `triangle_prism_on_plane`".into()));
        }
    }
    found.sort_by_key(|(span, _)| span.start);
    let version = draft.version;
    for (span, what) in found {
        let message = format!("{what} begins with version 0.12; this document declares {version}");
        let help = "declare `version: \"0.12\"`";
        let error = Diagnostic::new(Code::V77, span, message).help(help);
        draft.report(error.mend(Mend::Declare("0.12".into())));
    }
}
