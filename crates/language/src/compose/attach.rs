//! The transforms of instances: from three anchors of a part to three anchors of the document.

use std::collections::BTreeSet;

use super::anchors::{AnchorIds, unknown};
use super::{ByDocument, IN_PLACE, Parts, parted};
use crate::model::{AttachMode, Document, Instance, Instanced, numbers};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Findings, Spanned};
use rigy_base::maps::HashMap;
use rigy_kernel::math::{Affine, Frame, Vec3};

/// Three references, with the span of their list.
type Triple = Spanned<[Spanned<String>; 3]>;

/// Points by anchor id.
type Points<'a> = HashMap<&'a str, Vec3>;

/// Returns the transform of each instance, in document order. The anchors must have been checked by
/// [`unknown_anchors`](super::unknown_anchors).
///
/// # Errors
/// CompositionErrors, instance by instance: U07 for anchors of another import, U09 for unknown anchors of a
/// local instance, U08 for frames and scales that are degenerate or not finite.
pub fn place(document: &Document, parts: &Parts) -> Diagnosed<Vec<Affine>> {
    let own = points(document);
    let own_ids = AnchorIds::new(document).0;
    let of_parts = ByDocument::new(parts, points);
    let mut findings = Findings::default();
    let mut places = Vec::with_capacity(document.instances.len());
    for instance in &document.instances {
        if findings.is_full() {
            break;
        }
        let (from, is_known) = match &instance.of {
            Instanced::Import(import) => (
                of_parts.get(&import.value),
                names_own_import(instance, &import.value, &mut findings),
            ),
            Instanced::Mesh(_) => (
                Some(&own),
                names_local_anchors(&own_ids, instance, &mut findings),
            ),
        };
        if !is_known {
            continue;
        }
        match from.map(|from| attached(instance, from, &own)) {
            Some(Ok(matrix)) => places.push(matrix),
            Some(Err(error)) => findings.report(error),
            None => {}
        }
    }
    findings.stop()?;
    Ok(places)
}

/// Returns the positions of a document's anchors.
fn points(document: &Document) -> Points<'_> {
    document
        .anchors
        .iter()
        .map(|anchor| (&*anchor.id.value, numbers(&anchor.translation)))
        .collect()
}

/// Returns true if no reference names another import than the one that the instance places; reports the others (U07).
fn names_own_import(instance: &Instance, import: &str, findings: &mut Findings) -> bool {
    let references = instance.attach3.iter().flat_map(|a| &a.from.value);
    let mut is_own = true;
    for reference in references {
        if let (Some(namespace), anchor) = parted(&reference.value)
            && namespace != import
        {
            let message = format!(
                "`{}` is an anchor of `{namespace}`, but this instance places `{import}`",
                reference.value
            );
            let help = format!("write `{import}.{anchor}`, or `{anchor}` alone");
            findings.report(Diagnostic::new(Code::U07, reference.span, message).help(help));
            is_own = false;
        }
    }
    is_own
}

/// Returns true if the document has the `from` anchors of a local instance; reports the others (U09).
fn names_local_anchors(
    known: &BTreeSet<&str>,
    instance: &Instance,
    findings: &mut Findings,
) -> bool {
    let mut is_known = true;
    for reference in instance.attach3.iter().flat_map(|a| &a.from.value) {
        let anchor = &reference.value;
        if !known.contains(&**anchor) {
            let message = format!("this document has no anchor `{anchor}`");
            let finding = Diagnostic::new(Code::U09, reference.span, message);
            findings.report(unknown(finding, anchor, known, findings));
            is_known = false;
        }
    }
    is_known
}

/// Returns the transform of one instance, whose anchors exist.
///
/// # Errors
/// U08 for frames and scales that are degenerate or not finite.
fn attached(instance: &Instance, from: &Points, to: &Points) -> Result<Affine, Diagnostic> {
    let Some(attach) = &instance.attach3 else {
        return Ok(IN_PLACE);
    };
    let anchor: fn(&str) -> &str = match instance.of {
        Instanced::Import(_) => |reference| parted(reference).1,
        Instanced::Mesh(_) => |reference| reference,
    };
    let from = frame("from", &attach.from, |reference| {
        from.get(anchor(reference))
    })?;
    let to = frame("to", &attach.to, |reference| to.get(reference))?;
    let degenerate = |message: String| Diagnostic::new(Code::U08, attach.mode.span, message);
    let matrix = match attach.mode.value {
        AttachMode::Rigid => from.rigid(&to),
        AttachMode::Uniform => from.uniform(&to).map_err(|scale| {
            degenerate(format!("the uniform scale would be {scale:e}"))
                .help("the `to` anchors are too close together for the `from` anchors")
        })?,
        AttachMode::Affine => from.affine(&to),
    };
    if matrix.iter().flatten().all(|element| element.is_finite()) {
        Ok(matrix)
    } else {
        Err(
            degenerate("the transform between these anchors is not finite".into())
                .help("the anchors are too far apart, or their sizes too different"),
        )
    }
}

/// Returns the frame of three anchors.
///
/// # Errors
/// U08 if the frame is degenerate.
fn frame<'a>(
    side: &str,
    triple: &Triple,
    point: impl Fn(&str) -> Option<&'a Vec3>,
) -> Result<Frame, Diagnostic> {
    let fault = |message: String| Diagnostic::new(Code::U08, triple.span, message);
    let [a, b, c] = triple.value.each_ref().map(|anchor| &*anchor.value);
    let (Some(p), Some(q), Some(r)) = (point(a), point(b), point(c)) else {
        return Err(fault(format!("the `{side}` anchors are not all known")));
    };
    if a == b || b == c || a == c {
        let twice = if a == b || a == c { a } else { b };
        return Err(fault(format!(
            "the `{side}` anchors make no frame: `{twice}` stands there twice"
        ))
        .help("a frame needs three points at different places, not all on one line"));
    }
    Frame::new([*p, *q, *r]).map_err(|degenerate| {
        fault(format!(
            "the `{side}` anchors `{a}`, `{b}`, `{c}` make no frame: {degenerate}"
        ))
        .help("a frame needs three points at different places, not all on one line")
    })
}
