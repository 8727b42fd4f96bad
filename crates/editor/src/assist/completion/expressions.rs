//! Completion inside of texts that are computed: params after `$`, tokens of repeats after `${`, and functions in expressions.

use std::ops::Range;

use super::position::{Marked, Typed};
use super::proposal::{Completion, CompletionKind};
use crate::assist::project::Project;
use crate::assist::walk::TextKind;
use rigy_language::preprocess::functions;
use rigy_language::schema::names::NameKind;
use rigy_language::version::{Feature, Version};

/// Returns the params, tokens or functions that complete the text being typed; `None` if it is another text.
pub fn of_text(
    marked: &Marked,
    typed: &Typed,
    project: &Project,
    version: Version,
) -> Option<Vec<Completion>> {
    if marked.reading().kind != TextKind::Document || !version.has(Feature::Params) {
        return None;
    }
    let scalar = typed.scalar();
    let prefix = marked.prefix(scalar);
    let before = prefix.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let start = scalar.inner().start;
    let (word, end) = (start + before.len(), start + prefix.len());
    let is_expression = prefix.starts_with('=') && version.has(Feature::Expressions);
    let found = if before.ends_with("${") {
        let range = word - 2..end + usize::from(marked.is_before('}'));
        marked
            .tokens()
            .map(|name| param(format!("${{{name}}}"), &range))
            .collect()
    } else if before.ends_with('$') {
        let range = if is_expression {
            word - 1..end
        } else {
            marked.replaced(scalar, before.len() - 1)
        };
        params(project, range)
    } else if is_expression {
        functions()
            .map(|name| Completion {
                insert: format!("{name}("),
                ..Completion::of(name.to_owned(), word..end, CompletionKind::Word)
            })
            .chain(params(project, word..end))
            .collect()
    } else {
        return None;
    };
    Some(found)
}

fn params(project: &Project, range: Range<usize>) -> Vec<Completion> {
    project
        .names(0)
        .all
        .iter()
        .filter(|name| name.is_definition && name.kind == NameKind::Param)
        .map(|name| param(format!("${}", name.text), &range))
        .collect()
}

fn param(text: String, range: &Range<usize>) -> Completion {
    Completion::of(text, range.clone(), CompletionKind::Name(NameKind::Param))
}
