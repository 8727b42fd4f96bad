//! Findings about text that is not YAML.

use super::{MAX_NODES, malformed, too_deep};
use rigy_base::diag::{Diagnostic, Mend, Span};
use rigy_yaml::{Fault, Problem};

/// Returns the finding of a fault of a text, which may have collections up to `depth` levels deep.
pub fn finding(fault: &Fault, text: &str, depth: usize) -> Diagnostic {
    let (start, problem) = (fault.span.start, fault.problem);
    let written = &text[fault.span.clone()];
    // Of more than a line, the first is shown.
    let first = written.lines().next().unwrap_or_default();
    let span = Span::new(start as u32, (start + first.len()) as u32);
    let help = match problem {
        Problem::TooDeep => return too_deep(depth, Span::new(span.start, span.start + 1)),
        Problem::TooMany => return too_many(span),
        Problem::Character => {
            let code = written.chars().next().map_or(0, u32::from);
            let message = format!("the character U+{code:04X} may not stand in a document");
            return malformed(span, message).help(problem.help());
        }
        _ => help(problem, text, start, first),
    };
    if let Some(stray) = fault.stray(text) {
        let span = Span::new(stray.span.start as u32, stray.span.end as u32);
        let written = &text[stray.span];
        return malformed(span, message(problem))
            .help(stray.advice)
            .written_as(written, stray.meant);
    }
    let fault = malformed(span, message(problem)).help(help);
    match (problem, unspaced(first)) {
        (Problem::Tab, _) => fault.written_as("\t", "  "),
        (Problem::ColonSpace, _) => fault.written_as(":", ": "),
        (Problem::MissingColon, Some((key, value))) => {
            fault.written_as(first, format!("{key} {value}"))
        }
        _ => fault,
    }
}

fn message(problem: Problem) -> String {
    format!("this is not YAML: {}", problem.message())
}

fn help(problem: Problem, text: &str, start: usize, written: &str) -> String {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line..].lines().next().unwrap_or_default();
    let is_marker = |sign: &str| line.starts_with(&sign.repeat(7));
    let is_of_braces = matches!(
        problem,
        Problem::NotClosed | Problem::WrongBracket | Problem::MissingComma
    );
    match problem {
        _ if ["<", "=", ">", "|"].into_iter().any(is_marker) => {
            "a merge conflict was left here".into()
        }
        Problem::MissingColon => match unspaced(written) {
            Some((key, _)) => format!("write a space after the `:` of `{key}`"),
            None => format!("`{written}` lacks a `:` after its key"),
        },
        _ if is_of_braces && line.contains("${") => {
            "put quotes around text that contains `${…}`: a brace begins a mapping".into()
        }
        _ => problem.help().into(),
    }
}

/// Returns `key:` and the value of a text such as `key:value`.
fn unspaced(written: &str) -> Option<(&str, &str)> {
    let colon = written.find(':')? + 1;
    (colon < written.len()).then(|| written.split_at(colon))
}

/// Returns the error of a document with too many values.
pub fn too_many(span: Span) -> Diagnostic {
    let message = format!("the document has more than {MAX_NODES} values");
    malformed(span, message).help("divide the document")
}

/// Quotes that word processors write.
const CURLY: [char; 4] = ['“', '”', '‘', '’'];

/// Returns the text between quotes that are none of YAML.
fn between_curly_quotes(text: &str) -> Option<&str> {
    Some(text.strip_prefix(CURLY)?.trim_end_matches(CURLY))
}

/// Adds advice to the finding about a text, if it stands in quotes that are none of YAML; else returns the finding as it was.
///
/// # Errors
/// The text has no such quotes.
pub fn curly_quotes(finding: Diagnostic, text: &str) -> Result<Diagnostic, Diagnostic> {
    let Some(inner) = between_curly_quotes(text) else {
        return Err(finding);
    };
    let mend = Mend::Replace {
        from: text.to_owned(),
        to: inner.to_owned(),
    };
    let help = format!("write straight quotes: `\"{inner}\"`");
    Ok(finding.help(help).mend(mend))
}
