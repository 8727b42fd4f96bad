//! Preprocessing: from the tree of a text to the tree that the schema reads (`extensions.md` §2).
//!
//! In: the composed tree of one file of version 0.6 or later. Out: a tree without aliases in which repeats, params,
//! expressions, boxes by their corners and macros are written out and rotations of primitives are quaternions. The steps
//! run one after the other over the whole file, and the next begins only if the one before has found nothing.
//!
//! A node that this stage makes has the span of the template that it is made from, and an origin
//! ([`Origins`]) that says which repetition, param or macro made it.

mod budget;
mod corners;
mod decompose;
mod draft;
mod expression;
mod macros;
mod params;
mod prism;
mod repeat;
mod rotations;
mod values;
mod version_gate;

use crate::base::diag::Diagnostic;
use crate::version::{Feature, Version};
use crate::yaml::{Origins, Tree};
pub use budget::NODES as MAX_NODES;
pub(super) use draft::CHECKS;
use draft::Draft;
pub use repeat::MAX_DEPTH;

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
    pub tree: Result<Tree<'s>, Vec<Diagnostic>>,
    /// The origins of its nodes, and of the nodes that the findings are about.
    pub origins: Origins,
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
    let mut draft = Draft::new(version);
    let done = steps(source, rotations, &mut draft);
    let (tree, origins) = draft.into_parts();
    Preprocessed {
        tree: done.map(|()| tree),
        origins,
    }
}

fn steps<'s>(
    source: &Tree<'s>,
    rotations: Rotations,
    draft: &mut Draft<'s>,
) -> Result<(), Vec<Diagnostic>> {
    let version = draft.version;
    let mut kept = None;
    let checks = repeat::write_out(source, draft);
    draft.findings.stop()?;
    if version.has(Feature::Params) {
        let mut params = params::take(draft);
        draft.findings.stop()?;
        params::substitute(&mut params, rotations, draft);
        draft.findings.stop()?;
        params::unresolved(draft);
        draft.findings.stop()?;
        if !version.has(Feature::Expressions) {
            version_gate::check(draft);
            draft.findings.stop()?;
        } else {
            expression::evaluate_all(&params, draft);
            draft.findings.stop()?;
        }
        kept = Some(params);
    } else {
        version_gate::check(draft);
        draft.findings.stop()?;
    }
    if version.has(Feature::Expressions) {
        rotations::normalise(rotations, draft);
        draft.findings.stop()?;
    }
    corners::expand(draft);
    draft.findings.stop()?;
    macros::expand(rotations, draft);
    draft.findings.stop()?;
    if let Some(params) = kept {
        params.restore(draft);
    }
    draft.append_checks(checks);
    Ok(())
}

#[cfg(test)]
mod tests;
