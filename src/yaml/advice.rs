//! What to do about text that is not YAML.

/// Fragments of the parser's messages, in the order in which they are looked for, and the advice for each.
const TABLE: &[(&str, &str)] = &[
    ("tabs disallowed", "indent with spaces"),
    (
        "indentation in quoted scalar",
        "the quote that opens here is not closed",
    ),
    (
        "invalid indentation",
        "a bracket or brace further up is not closed",
    ),
    (
        "illegal placement of ':'",
        "a bracket or brace further up is not closed",
    ),
    (
        "flow sequence, expected",
        "a comma is missing, or the bracket is closed by the wrong sign",
    ),
    (
        "flow mapping, did not find",
        "a comma is missing, or the brace is closed by the wrong sign",
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

const ONE_COLUMN: &str =
    "the fields of one mapping, and the dashes of one list, begin in one column";

/// Advice about a message of the parser, from the text around byte `at`.
pub(super) fn advice(message: &str, text: &str, at: usize) -> Option<String> {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let above = before[..line_start].trim_end().lines().next_back();
    let above = above.map(str::trim_start).unwrap_or_default();
    if message.contains("expect ':'") {
        // Noticed only behind the line that lacks it.
        let lacking = if above.contains(':') { "a line" } else { above };
        return Some(format!("`{lacking}` lacks a `:` after its key"));
    }
    if message.contains("mapping values are not allowed") {
        return Some(match unspaced(above) {
            Some(key) => format!("write a space after the `:` of `{key}` in the line above"),
            None => format!("put quotes around text that contains `: `; {ONE_COLUMN}"),
        });
    }
    let row = TABLE
        .iter()
        .find(|(fragment, _)| message.contains(fragment));
    row.map(|(_, advice)| (*advice).to_owned())
}

/// The `key:` of a line such as `- key:value`.
fn unspaced(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', ' ']);
    let colon = line.find(':')? + 1;
    let next = line[colon..].chars().next()?;
    (!next.is_whitespace() && !line.contains(": ")).then(|| &line[..colon])
}
