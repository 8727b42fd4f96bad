//! Params: values with names, put in the place of `$name` (`extensions.md` §2.3 and §2.4).

use std::collections::BTreeMap;

use super::Rotations;
use super::budget;
use super::draft::Draft;
use super::expression;
use crate::version::{Feature, Version};
use crate::yaml::{Entry, Kind, NodeId, Step, is_identifier};
use rigy_base::diag::{Code, Diagnostic, Mend, Span};
use rigy_base::maps::HashSet;

/// The params of a document.
#[derive(Default)]
pub struct Params<'s> {
    by_name: BTreeMap<String, NodeId>,
    /// The entry `params` and its index among the keys of the document, if it has one.
    authored: Option<(usize, Entry<'s>)>,
    /// The params that stay in the document because their value would be read as something else.
    kept: HashSet<String>,
}

impl<'s> Params<'s> {
    /// Returns the value of a param: a boolean, a finite number or a text.
    pub fn get<'d>(&self, name: &str, draft: &'d Draft<'s>) -> Option<&'d Kind<'s>> {
        self.by_name.get(name).map(|id| draft.kind(*id))
    }

    /// Returns the names of all params.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Puts the params back that the document refers to.
    pub fn restore(self, draft: &mut Draft<'s>) {
        let Some((index, entry)) = self.authored.filter(|_| !self.kept.is_empty()) else {
            return;
        };
        if let Kind::Map(entries) = &mut draft.tree.node_mut(entry.value).kind {
            entries.retain(|entry| self.kept.contains(&*entry.key));
        }
        let root = draft.tree.root;
        if let Kind::Map(entries) = &mut draft.tree.node_mut(root).kind {
            entries.insert(index, entry);
        }
    }
}

/// Takes the params out of the document.
///
/// # Errors
/// Reports V57 for null, and V58.
pub fn take<'s>(draft: &mut Draft<'s>) -> Params<'s> {
    let mut params = Params::default();
    let root = draft.tree.root;
    let Kind::Map(entries) = &mut draft.tree.node_mut(root).kind else {
        return params;
    };
    let Some(index) = entries.iter().position(|entry| entry.key == "params") else {
        return params;
    };
    let authored = entries.remove(index);
    match draft.kind(authored.value) {
        Kind::Map(entries) => {
            for entry in entries.clone() {
                check(draft, &entry);
                draft.params.push(entry.key.to_string());
                params.by_name.insert(entry.key.into_owned(), entry.value);
            }
        }
        Kind::Null => {
            let message = "`params` is a mapping from names to values, and cannot be null";
            draft.findings.error(Code::V57, authored.key_span, message);
        }
        other => {
            let message = format!("`params` is a mapping, not {}", other.describe());
            let span = draft.span(authored.value);
            draft.findings.error(Code::V58, span, message);
        }
    }
    params.authored = Some((index, authored));
    params
}

/// Reports a name or a value that a param cannot have (V58).
fn check(draft: &mut Draft, entry: &Entry) {
    let node = draft.tree.node(entry.value);
    let key = &entry.key;
    let (span, message) = match &node.kind {
        _ if !is_identifier(key) => (
            entry.key_span,
            format!("`{key}` is not a name: ASCII letters, digits and `_`, no digit first"),
        ),
        Kind::Bool(_) | Kind::Int(_) => return,
        Kind::Float(value) if value.is_finite() => return,
        Kind::Str(text) if token(text).is_none() => return,
        Kind::Str(text) => {
            let message = format!("param `{key}` contains the token of a repeat: `{text}`");
            (node.span, message)
        }
        other => {
            let found = other.describe();
            let message =
                format!("param `{key}` is {found}, not a boolean, a finite number or a text");
            (node.span, message)
        }
    };
    draft.findings.error(Code::V58, span, message);
}

/// Puts the values of params in the place of their names. Where rotations stay as authored, the document will be written as
/// text again; then a name stays whose value would be read as something else.
///
/// # Errors
/// Reports V59 and V60, and U10 for limits.
pub fn substitute<'s>(params: &mut Params<'s>, draft: &mut Draft<'s>) {
    draft.visit_texts(|draft, id, text| {
        let span = draft.span(id);
        if let Some(name) = reference(&text) {
            let Some(&value) = params.by_name.get(name) else {
                return draft.report(unknown(params, name, span, draft));
            };
            let param = draft.tree.node(value).clone();
            let step = Step::Param {
                name: name.to_owned(),
                at: param.span,
            };
            let span = draft.made(span, step);
            let node = draft.tree.node_mut(id);
            node.span = span;
            match &param.kind {
                Kind::Str(text)
                    if draft.rotations == Rotations::Authored && is_read_again(text) =>
                {
                    params.kept.insert(name.to_owned());
                }
                _ => node.kind = param.kind,
            }
        } else if !text.starts_with('=') && is_read_again(&text) {
            let message = format!("`{text}` has the name of a param inside a text");
            let error = Diagnostic::new(Code::V60, span, message);
            draft.report(match unmarked_expression(&text, draft.version) {
                Some(body) => {
                    let help = format!("an expression begins with `=`: `\"={body}\"`");
                    let (from, to) = (text.to_string(), format!("={body}"));
                    error.help(help).mend(Mend::Replace { from, to })
                }
                None => error.help("a param replaces a whole value: `$name` and nothing else"),
            });
        }
    });
    if let Some(excess) = budget::of_document(&draft.tree).excess() {
        draft.malformed(draft.span(draft.tree.root), excess);
    }
}

fn unknown(params: &Params, name: &str, span: Span, draft: &Draft) -> Diagnostic {
    let message = format!("there is no param `{name}`");
    let error = Diagnostic::new(Code::V59, span, message);
    match draft.findings.nearest(name, params.names()) {
        Some(near) => error.did_you_mean(&format!("${name}"), &format!("${near}")),
        None => error,
    }
}

/// Returns a text that would be an expression if `=` stood before it, without blanks around it.
fn unmarked_expression(text: &str, version: Version) -> Option<&str> {
    let body = text.trim();
    let is_one = version.has(Feature::Expressions) && expression::is_well_formed(body);
    is_one.then_some(body)
}

/// Reports tokens of repeats that no repeat has substituted (V65).
pub fn unresolved(params: &Params, draft: &mut Draft) {
    draft.visit_texts(|draft, id, text| {
        if let Some(token) = token(&text) {
            let message = format!("no repeat around this value substitutes `{token}`");
            let error = Diagnostic::new(Code::V65, draft.span(id), message);
            let name = token.trim_matches(['$', '{', '}']);
            draft.report(if params.by_name.contains_key(name) {
                error.help(format!("`{name}` is a param: write `${name}`"))
            } else {
                error.help("the name is what a repeat around it says after `as`")
            });
        }
    });
}

/// Returns the name in a text that is `$name` and nothing else.
fn reference(text: &str) -> Option<&str> {
    text.strip_prefix('$').filter(|name| is_identifier(name))
}

/// Returns true if a text is an expression, or has the name of a param, so that it means something else when the document
/// is read again.
fn is_read_again(text: &str) -> bool {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(token) = token(rest) {
        let (before, after) = rest.split_once(token).unwrap_or((rest, ""));
        plain.push_str(before);
        rest = after;
    }
    plain.push_str(rest);
    let names =
        |at: usize| plain[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    text.starts_with('=') || plain.match_indices('$').any(|(at, _)| names(at))
}

/// Returns the first token of a repeat in a text, such as `${i}`.
fn token(text: &str) -> Option<&str> {
    let mut tokens = text.match_indices("${").map(|(at, _)| at).filter_map(|at| {
        let name = &text[at + 2..];
        let end = name.find('}')?;
        is_identifier(&name[..end]).then(|| &text[at..at + end + 3])
    });
    tokens.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_references() {
        assert_eq!(token("a${i}b${j}"), Some("${i}"));
        assert_eq!(token("${1}${}${ i}$i"), None);
        assert_eq!(token("${${i}"), Some("${i}"));
        assert_eq!(reference("$a_1"), Some("a_1"));
        assert_eq!(reference("$a\n"), None);
        assert!(is_read_again("US$a") && is_read_again("=") && is_read_again("$${i}a"));
        assert!(!is_read_again("US$5") && !is_read_again("${i}"));
    }
}
