//! Advice about text that is not YAML.

use std::ops::Range;

use rigy_base::diag::{Diagnostic, Mend};

/// Fragments of the parser's messages, in the order in which they are looked for, and the advice for each.
const TABLE: &[(&str, &str)] = &[
    ("tabs disallowed", "indent with spaces"),
    ("found a tab", "indent with spaces, the next line too"),
    (
        "indentation in quoted scalar",
        "the quote that opens here is not closed",
    ),
    ("invalid indentation", NOT_CLOSED),
    ("illegal placement of ':'", NOT_CLOSED),
    ("only valid inside a block", NOT_CLOSED),
    (
        "misplaced bracket",
        "there is one bracket or brace too many, or one too few further up",
    ),
    (
        "expected node content",
        "something is missing here, between two commas or after a colon",
    ),
    (
        "flow sequence, expected",
        "a comma is missing, or the bracket is not closed, or by the wrong sign",
    ),
    (
        "flow mapping, did not find",
        "a comma is missing, or the brace is not closed, or by the wrong sign",
    ),
    (
        "unknown escape",
        "in double quotes a backslash begins an escape; write it twice, or use single quotes",
    ),
    (
        "comments must be separated",
        "put a space before the `#` of a comment",
    ),
    (
        "unknown anchor",
        "no anchor of this name stands further up; put quotes around text that begins with `*`",
    ),
    (
        "anchor or alias",
        "put quotes around text that begins with `*` or `&`",
    ),
    (
        "unexpected character",
        "put quotes around text that begins with this sign",
    ),
    ("'-' indicator", ONE_COLUMN),
    ("expected key", ONE_COLUMN),
];

const NOT_CLOSED: &str = "a bracket or brace further up is not closed";
const ONE_COLUMN: &str =
    "the fields of one mapping, and the dashes of one list, begin in one column";

/// Returns the text before byte `at`, and where its last line begins.
fn before(text: &str, at: usize) -> (&str, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before, start)
}

/// Returns the line that begins at an offset.
fn line_at(text: &str, start: usize) -> &str {
    text[start..].split('\n').next().unwrap_or_default()
}

/// Returns advice about a message of the parser, from the text around byte `at`.
pub(super) fn advice(message: &str, text: &str, at: usize) -> Option<String> {
    let (before, line_start) = before(text, at);
    let above = before[..line_start].trim_end().lines().next_back();
    let above = above.map(str::trim_start).unwrap_or_default();
    // The parser finds a missing colon only after the line that lacks it.
    let is_field = !above.is_empty() && !above.starts_with(['#', '%']) && above != "---";
    let lacking = is_field && !above.contains(':');
    if message.contains("expect ':'") {
        return Some(match above {
            above if above.starts_with("<<<<<<<") => "a merge conflict was left here".into(),
            above if lacking => format!("`{above}` lacks a `:` after its key"),
            _ => {
                "the line above is no field: it lacks a `- ` before it, or a `:` after a key".into()
            }
        });
    }
    if message.contains("mapping values are not allowed") {
        return Some(match unspaced(above) {
            Some(key) => format!("write a space after the `:` of `{key}` in the line above"),
            None if lacking => format!("`{above}` in the line above lacks a `:` after its key"),
            None => format!("put quotes around text that contains `: `; {ONE_COLUMN}"),
        });
    }
    if message.contains("flow") && line_at(text, line_start).contains("${") {
        return Some(
            "put quotes around text that contains `${…}`: a brace begins a mapping".into(),
        );
    }
    let row = TABLE
        .iter()
        .find(|(fragment, _)| message.contains(fragment));
    row.map(|(_, advice)| (*advice).to_owned())
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

/// A character that looks like another one or belongs to another language.
pub(super) struct Stray {
    /// Its bytes.
    pub range: Range<usize>,
    pub advice: &'static str,
    /// The text that is meant.
    pub meant: &'static str,
}

/// Returns the stray character near byte `at`. The parser finds out about it there, or in the line below or above.
pub(super) fn stray(message: &str, text: &str, at: usize) -> Option<Stray> {
    let (_, start) = before(text, at);
    let (_, above) = before(text, text[..start].trim_end().len());
    let below = (start + line_at(text, start).len() + 1).min(text.len());
    let lines = [start, above, below].map(|start| (start, line_at(text, start)));
    let tab = |(start, line): &(usize, &str)| {
        let indent = &line[..line.len() - line.trim_start().len()];
        Some(start + indent.find('\t')?)
    };
    if message.contains("tab") {
        let at = lines.iter().find_map(tab)?;
        return Some(Stray {
            range: at..at + 1,
            advice: "indent with spaces, not with tabs",
            meant: "  ",
        });
    }
    let odd = |(start, line): &(usize, &str)| {
        let indent = line.trim_start_matches(|c: char| c.is_whitespace() || c == '-');
        let indent = &line[..line.len() - indent.len()];
        if let Some(found) = indent.find(|c: char| !c.is_ascii()) {
            let len = indent[found..].chars().next().map_or(1, char::len_utf8);
            return Some(Stray {
                range: start + found..start + found + len,
                advice: "this is a no-break space or another blank that is none of YAML: write plain spaces",
                meant: " ",
            });
        }
        let comment = line.trim_start().starts_with("//");
        let slashes = start + indent.len();
        comment.then(|| Stray {
            range: slashes..slashes + 2,
            advice: "comments begin with `#`",
            meant: "#",
        })
    };
    lines[..2].iter().find_map(odd)
}

/// Returns the `key:` of a line such as `- key:value`.
fn unspaced(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', ' ']);
    let colon = line.find(':')? + 1;
    let next = line[colon..].chars().next()?;
    (!next.is_whitespace() && !line.contains(": ")).then(|| &line[..colon])
}
