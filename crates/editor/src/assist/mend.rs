//! Mends of findings as edits of a text.

mod numbers;

use std::cell::OnceCell;
use std::ops::Range;

use super::quote::{escaped, indent, spelled};
use super::sketch::{Sketch, Style};
use rigy_base::diag::Mend;
use rigy_language::yaml::{Kind, plain_scalar};

/// An edit that an editor offers for a finding.
#[derive(Debug)]
pub struct Mending {
    /// A few words that say what the edit does, for a menu.
    pub title: String,
    /// The bytes of the text that are replaced.
    pub range: Range<usize>,
    /// The text that takes their place.
    pub text: String,
}

/// A text whose findings are mended. It is read once, for all mends that need its tree.
pub struct Mender<'t> {
    text: &'t str,
    sketch: OnceCell<Sketch>,
}

impl<'t> Mender<'t> {
    /// Returns a text, which is read when that is needed.
    pub fn new(text: &'t str) -> Self {
        let sketch = OnceCell::new();
        Self { text, sketch }
    }

    /// Returns the edit that removes a finding; `at` are the bytes that the finding is about. `None` if something else stands
    /// there than the mend assumes, as in what an alias or a repeat brings to another place.
    pub fn mending(&self, at: &Range<usize>, mend: &Mend) -> Option<Mending> {
        let text = self.text;
        let sketch = || self.sketch.get_or_init(|| Sketch::read(text));
        match mend {
            Mend::Replace { from, to } => {
                let style = written_style(text, at, from)?;
                Some(replacement(to, at.clone(), spelled(to, style, false)))
            }
            Mend::Write { from, to } => {
                let raw = at.start..at.start.checked_add(from.len())?;
                // The span of a finding leaves out blanks at the beginning of a line, so it may be shorter than the written text.
                let is_raw = text.get(raw.clone()) == Some(from) && raw.end >= at.end;
                let style = written_style(text, at, from);
                let range = if is_raw { raw } else { at.clone() };
                (is_raw || style.is_some()).then(|| replacement(to, range, to.clone()))
            }
            Mend::Numbers { from, to } => {
                let (range, text) = numbers::replaced(text, sketch(), at.start, from, to)?;
                Some(replacement(&text, range, text.clone()))
            }
            Mend::Quote => quoted(text, at),
            Mend::Insert { field, value } => inserted(text, at.start, field, value),
            Mend::Declare(version) => declared(text, sketch(), version),
        }
    }
}

/// Returns the notation of the text at the bytes of a finding, if it has this value.
fn written_style(text: &str, at: &Range<usize>, value: &str) -> Option<Style> {
    let written = text.get(at.clone())?;
    let style = match written.chars().next()? {
        '"' => Style::Double,
        '\'' => Style::Single,
        _ => Style::Plain,
    };
    let is_it = |is_key| spelled(value, style, is_key) == written;
    (is_it(false) || is_it(true)).then_some(style)
}

fn replacement(shown: &str, range: Range<usize>, text: String) -> Mending {
    let title = match shown.trim() {
        "" => "Replace by spaces".to_owned(),
        shown => format!("Replace by `{shown}`"),
    };
    Mending { title, range, text }
}

/// Returns the edit that puts a scalar into quotes which is no text without them.
fn quoted(text: &str, at: &Range<usize>) -> Option<Mending> {
    let written = text.get(at.clone())?;
    let is_text = matches!(plain_scalar(written.into()), Some(Kind::Str(_)));
    let is_blank = written.is_empty() || written.contains(char::is_whitespace);
    let text = format!("\"{}\"", escaped(written));
    (!is_text && !is_blank).then(|| Mending {
        title: format!("Replace by `{text}`"),
        range: at.clone(),
        text,
    })
}

/// Returns the edit that puts a field before the others of the mapping that begins at an offset.
fn inserted(text: &str, start: usize, field: &str, value: &str) -> Option<Mending> {
    let entry = format!("{field}: {value}");
    let (before, rest) = text.split_at_checked(start)?;
    let (at, text) = if let Some(rest) = rest.strip_prefix('{') {
        let is_empty = rest.trim_start().starts_with('}');
        let comma = if is_empty { "" } else { ", " };
        (start + 1, format!("{entry}{comma}"))
    } else if let Some(indent) = indent(before)
        && rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\''))
    {
        (start, format!("{entry}\n{}", " ".repeat(indent)))
    } else {
        return None;
    };
    Some(Mending {
        title: format!("Insert `{entry}`"),
        range: at..at,
        text,
    })
}

fn declared(text: &str, sketch: &Sketch, version: &str) -> Option<Mending> {
    let entry = |key| sketch.entry(sketch.root, key, text);
    let entry = entry("version").or_else(|| entry("rigy_version"))?;
    Some(Mending {
        title: format!("Declare version {version}"),
        range: sketch.scalar(entry.value)?.range.clone(),
        text: format!("\"{version}\""),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after a mend of its first `part`; `None` if there is no edit.
    fn after(text: &str, part: &str, mend: &Mend) -> Option<String> {
        let start = text.find(part).unwrap();
        let edit = Mender::new(text).mending(&(start..start + part.len()), mend)?;
        let mut text = text.to_owned();
        text.replace_range(edit.range, &edit.text);
        Some(text)
    }

    #[test]
    fn a_name_is_replaced_in_its_notation() {
        let mend = |to: &str| Mend::Replace {
            from: "amr".into(),
            to: to.into(),
        };
        for (text, part, to, expected) in [
            ("bone: amr\n", "amr", "arm", Some("bone: arm\n")),
            ("bone: amr\n", "amr", "1", Some("bone: \"1\"\n")),
            ("bone: 'amr'\n", "'amr'", "it's", Some("bone: 'it''s'\n")),
            ("\"amr\": 1\n", "\"amr\"", "arm", Some("\"arm\": 1\n")),
            ("bone: leg\n", "leg", "arm", None),
        ] {
            let found = after(text, part, &mend(to));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_field_is_inserted_in_the_layout_of_its_mapping() {
        let mend = Mend::Insert {
            field: "id".into(),
            value: "\"\"".into(),
        };
        for (text, part, expected) in [
            ("{a: 1}\n", "{a: 1}", Some("{id: \"\", a: 1}\n")),
            ("k: { }\n", "{ }", Some("k: {id: \"\" }\n")),
            (
                "- a: 1\n  b: 2\n",
                "a: 1",
                Some("- id: \"\"\n  a: 1\n  b: 2\n"),
            ),
            ("k:\n  a: 1\n", "a: 1", Some("k:\n  id: \"\"\n  a: 1\n")),
            ("k: &x\n  a: 1\n", "&x", None),
        ] {
            assert_eq!(after(text, part, &mend).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_version_is_declared_where_the_old_one_stands() {
        let mend = Mend::Declare("0.12".into());
        let text = "# a\nversion: 0.5\nmeshes: []\n";
        let expected = "# a\nversion: \"0.12\"\nmeshes: []\n";
        assert_eq!(after(text, "meshes", &mend).as_deref(), Some(expected));
        assert_eq!(after("meshes: []\n", "meshes", &mend), None);
    }
}
