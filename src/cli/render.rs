//! Diagnostics as text for people: the source line, the offending value underlined, and advice.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::LazyLock;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::base::diag::{Category, Diagnostic, Place, without_mirrored_repeats};
use crate::base::terminal::is_control;
pub use crate::base::terminal::printable;

/// Most findings that are shown for one input; JSON lines and reports have them all.
const MOST: usize = 20;

/// Coloured if standard error is a terminal when the first finding is rendered.
static RENDERER: LazyLock<Renderer> = LazyLock::new(|| {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match std::io::stderr().is_terminal() && !no_color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    }
});

/// Renders the findings of one document, coloured only where a terminal shows it and `NO_COLOR` is not set.
pub fn render(findings: &[&Diagnostic]) -> String {
    let findings = without_mirrored_repeats(findings);
    let mut text = String::new();
    for finding in findings.iter().take(MOST) {
        text.push_str(&one(&RENDERER, finding));
        text.push_str("\n\n");
    }
    if findings.len() > MOST {
        let more = findings.len() - MOST;
        text.push_str(&format!(
            "… and {more} more in this document; `--format json` has them all\n\n"
        ));
    }
    text
}

fn one(renderer: &Renderer, finding: &Diagnostic) -> String {
    let level = if finding.is_warning() {
        Level::WARNING
    } else {
        Level::ERROR
    };
    // The message about a file that cannot be read says everything.
    let category = match finding.category {
        Category::FileError => String::new(),
        _ if finding.is_warning() => String::new(),
        category => format!(" ({category})"),
    };
    let title = match &finding.place {
        Some(place) if place.position.is_none() => {
            format!("{}: {}{category}", place.file, finding.message_with_path())
        }
        _ => format!("{}{category}", finding.message),
    };
    let title = printable(&title);
    let code = finding.code.map(|code| code.name());
    let title = match code {
        Some(code) => level.primary_title(title).id(code),
        None => level.primary_title(title),
    };
    let mut group = Group::with_title(title);
    if let Some(place) = &finding.place {
        let annotation = AnnotationKind::Primary;
        group = quoted(group, place, annotation, &place.path);
    }
    for importer in &finding.importers {
        group = quoted(group, importer, AnnotationKind::Context, "imported here");
    }
    if finding.promoted {
        group =
            group.element(Level::NOTE.message("a warning, which `--warn-as-error` made an error"));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    renderer.render(&[group])
}

fn quoted<'a>(group: Group<'a>, place: &'a Place, kind: AnnotationKind, label: &str) -> Group<'a> {
    let (Some((line, _)), Some(excerpt)) = (place.position, &place.excerpt) else {
        return group;
    };
    let underline = kind.span(excerpt.start..excerpt.end);
    let snippet = Snippet::source(harmless(&excerpt.line))
        .line_start(line as usize)
        .path(printable(&place.file))
        .annotation(underline.label(printable(label)));
    group.element(snippet)
}

/// Replaces control characters beyond ASCII in a line of source by others of the same length in bytes, so that offsets stay
/// valid. The renderer itself replaces tabs and the control characters of ASCII.
fn harmless(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return line.into();
    }
    let replaced = |c: char| match c.len_utf8() {
        2 if is_control(c) => '\u{b7}',
        3 if is_control(c) => '\u{fffd}',
        4 if is_control(c) => '\u{1f533}',
        _ => c,
    };
    line.chars().map(replaced).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_the_same_in_source_lines_and_in_messages() {
        for c in (0..=0x2_ffff).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            let (line, title) = (harmless(&text), printable(&text));
            assert_eq!(line.len(), text.len(), "{c:?}");
            assert_eq!(title.contains(c), !is_control(c), "{c:?}");
            assert_eq!(line == title, !is_control(c), "{c:?}");
        }
        for c in [
            '\u{1b}', '\u{9b}', '\u{61c}', '\u{200f}', '\u{202e}', '\u{2066}',
        ] {
            assert!(is_control(c), "{c:?}");
        }
        assert_eq!(printable("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(harmless("a\u{61c}\u{202e}b"), "a\u{b7}\u{fffd}b");
    }
}
