//! Features of version 0.12 in documents of earlier versions (V77, `extensions.md` §2.6).

use super::draft::Draft;
use super::expression::is_expression;
use crate::base::diag::{Code, Diagnostic, Span};
use crate::schema::preprocessed::PRISM_NAME;
use crate::version::Feature;
use crate::yaml::{Kind, NodeId};

/// Reports features of version 0.12 (V77).
pub(super) fn check(draft: &mut Draft<'_>) {
    let mut found: Vec<(Span, String)> = Vec::new();
    if draft.version.has(Feature::Params) {
        draft.visit(|draft, id| {
            if let Some(text) = draft.authored_text(id).filter(|text| is_expression(text)) {
                found.push((draft.span(id), format!("the expression `{text}`")));
            }
        });
    }
    for mesh in draft.meshes() {
        note_key(
            draft,
            mesh,
            "material",
            "the `material` of a mesh",
            &mut found,
        );
    }
    for primitive in draft.primitives() {
        if let Some(transform) = draft.value(primitive, "transform") {
            for key in ["rotation_axis_angle", "rotation_quat"] {
                note_key(draft, transform, key, &format!("`{key}`"), &mut found);
            }
        }
        let Some(name) = draft.value(primitive, "macro") else {
            continue;
        };
        note_key(draft, primitive, "offset_mode", "`offset_mode`", &mut found);
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
        draft.report(Diagnostic::new(Code::V77, span, message).help(help));
    }
}

/// Notes the key of a mapping, even if its value is null.
fn note_key(draft: &Draft<'_>, id: NodeId, key: &str, what: &str, found: &mut Vec<(Span, String)>) {
    found.extend(
        draft
            .find(id, key)
            .map(|entry| (entry.key_span, what.to_owned())),
    );
}
