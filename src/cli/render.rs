//! Diagnostics as text for people: the source line, the offending value underlined, and advice.

mod plain;

use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::LazyLock;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::base::diag::{Diagnostic, Place, without_mirrored_repeats};

/// Most findings that are shown for one input; JSON lines and reports have them all.
const MOST: usize = 20;

/// True if standard error is a terminal when the first finding is rendered, and `NO_COLOR` is not set.
static COLOURED: LazyLock<bool> = LazyLock::new(|| {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !no_color
});

/// Note of a warning that `--warn-as-error` has made an error.
const PROMOTED: &str = "a warning, which `--warn-as-error` made an error";

/// Renders the findings of one document, coloured only where a terminal shows it and `NO_COLOR` is not set.
pub fn render(findings: &[&Diagnostic]) -> String {
    let findings = without_mirrored_repeats(findings);
    let mut text = String::new();
    for finding in findings.iter().take(MOST) {
        if *COLOURED || !write_plain(finding, &mut text) {
            text.push_str(&drawn(finding, *COLOURED));
        }
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

/// Returns the message of a finding with what belongs to it, unescaped.
fn title(finding: &Diagnostic) -> Cow<'_, str> {
    let mut title = Cow::Borrowed(&*finding.message);
    if let Some(place) = &finding.place
        && place.position.is_none()
    {
        title = format!("{}: {title}", place.file).into();
    }
    if !finding.is_warning() {
        title = format!("{title} ({})", finding.category).into();
    }
    title
}

/// Appends a finding to `out` if it is a usual one, as [`plain`] says; returns false otherwise.
fn write_plain(finding: &Diagnostic, out: &mut String) -> bool {
    let Some((place, (line_number, _), excerpt)) = finding
        .place
        .as_ref()
        .and_then(|place| Some((place, place.position?, place.excerpt.as_ref()?)))
    else {
        return false;
    };
    let promoted = finding.promoted.then_some(("note", PROMOTED));
    let help = finding.help.as_deref().map(|help| ("help", help));
    let quoted = plain::Quoted {
        level: match finding.is_warning() {
            true => "warning",
            false => "error",
        },
        code: finding.code.map(|code| code.name()),
        title: &title(finding),
        file: &place.file,
        line_number,
        line: &excerpt.line,
        underlined: excerpt.start..excerpt.end,
        label: &place.path,
        notes: [promoted, help],
    };
    finding.importers.is_empty() && quoted.write(out)
}

/// Returns any finding as text.
fn drawn(finding: &Diagnostic, coloured: bool) -> String {
    let renderer = match coloured {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let level = if finding.is_warning() {
        Level::WARNING
    } else {
        Level::ERROR
    };
    let title = level.primary_title(printable(&title(finding)));
    let title = match finding.code {
        Some(code) => title.id(code.name()),
        None => title,
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
        group = group.element(Level::NOTE.message(PROMOTED));
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

/// Returns true for control characters, for characters that change the direction of text or end a line, and for those that
/// cannot be seen.
fn is_control(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends_a_line = matches!(c, '\u{2028}' | '\u{2029}');
    let is_hidden = matches!(
        c,
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}'
    );
    c.is_control() || turns || ends_a_line || is_hidden
}

/// Replaces control characters beyond ASCII in a line of source by others of the same length in bytes, so that offsets stay
/// valid. The renderer itself replaces tabs and the control characters of ASCII.
fn harmless(line: &str) -> String {
    let replaced = |c: char| match c.len_utf8() {
        2 if is_control(c) => '\u{b7}',
        3 if is_control(c) => '\u{fffd}',
        4 if is_control(c) => '\u{1f533}',
        _ => c,
    };
    line.chars().map(replaced).collect()
}

/// Escapes control characters.
pub fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match is_control(c) {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::diag::{Category, Code, Lines, Source, Span};
    use crate::base::random::Random;

    /// Returns a finding about a part of a line, with texts of all lengths.
    fn finding(random: &mut Random) -> Diagnostic {
        let mut text = |most: usize| -> String {
            let letters = ["a", "b.c", " ", "[0]", "`", "~", "{", "        ", "x: 1, "];
            let mut text = String::new();
            for _ in 0..random.below(most) {
                text.push_str(letters[random.below(letters.len())]);
            }
            text
        };
        let (line, path) = (" ".repeat(text(30).len()) + &text(80), text(30));
        let (message, help) = (text(50), text(20));
        let before = "\n".repeat([0, 1, 50, 2000][random.below(4)]);
        let start = random.below(line.len() + 1);
        let end = (start + random.below(200)).min(line.len());
        let at = |offset: usize| (before.len() + offset) as u32;
        let text = format!("{before}{line}\nlast: line\n");
        let (name, text) = ("a/b.rigy.yaml", &*text);
        let lines = Lines::new(Source { name, text }, str::len);
        let mut finding = Diagnostic::without_code(Category::ParseError, message);
        finding.code = [None, Some(Code::W04), Some(Code::V11)][random.below(3)];
        finding.promoted = random.below(8) == 0;
        finding.help = (random.below(2) == 0).then_some(help);
        finding.set_place(lines.place(Span::new(at(start), at(end)), path));
        finding
    }

    #[test]
    fn usual_findings_are_written_as_the_renderer_of_all_findings_draws_them() {
        let mut random = Random::new(1);
        let mut count = 0;
        for _ in 0..4_000 {
            let (finding, mut text) = (finding(&mut random), String::new());
            if write_plain(&finding, &mut text) {
                assert_eq!(text, drawn(&finding, false));
                count += 1;
            } else {
                assert!(text.is_empty());
            }
        }
        assert!(count > 2_000, "{count}");
    }

    #[test]
    fn unusual_findings_are_left_to_the_renderer_of_all_findings() {
        let mut random = Random::new(2);
        let mut usual = finding(&mut random);
        while !write_plain(&usual, &mut String::new()) {
            usual = finding(&mut random);
        }
        let unusual: [fn(&mut Diagnostic); 5] = [
            |finding| finding.message.push('\u{1b}'),
            |finding| finding.help = Some("\u{202e}".to_owned()),
            |finding| finding.place.as_mut().unwrap().file.push('\t'),
            |finding| finding.place.as_mut().unwrap().path.push('è'),
            |finding| finding.importers = vec![(**finding.place.as_ref().unwrap()).clone()],
        ];
        for change in unusual {
            let mut finding = usual.clone();
            change(&mut finding);
            assert!(!write_plain(&finding, &mut String::new()), "{finding:?}");
        }
    }

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
