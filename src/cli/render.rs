//! Diagnostics as text for people: the source line, the offending value underlined, and advice.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::printer::and_more;
use super::warning_groups::{WarningGroup, WarningGroups};
use super::{color, width};
use crate::base::diag::{Category, Diagnostic, Place, without_repeats};
use crate::base::terminal::is_control;
pub use crate::base::terminal::printable;

/// Most findings that are shown for one input; JSON lines and reports have them all.
const MOST: usize = 20;

/// Coloured as `--color` and the environment say. Lines of source are cut to the width of the terminal, and elsewhere to the
/// 140 columns of the renderer.
static RENDERER: LazyLock<Renderer> = LazyLock::new(|| {
    let renderer = if color::on_standard_error() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    match width::of_standard_error() {
        Some(width) => renderer.term_width(width),
        None => renderer,
    }
});

/// Renders the findings of one document so that they fit the terminal: the first of them.
pub fn render(findings: &[Diagnostic]) -> String {
    let findings = without_repeats(findings.to_vec());
    let mut text = all(&findings[..findings.len().min(MOST)]);
    if findings.len() > MOST {
        let line = and_more(findings.len() - MOST, " in this document") + "\n\n";
        text += &width::wrapped(&line, width::of_standard_error(), 0);
    }
    text
}

/// Renders findings, all of them.
pub fn all(findings: &[Diagnostic]) -> String {
    let columns = width::of_standard_error();
    findings
        .iter()
        .map(|finding| one(&RENDERER, columns, finding, None))
        .flat_map(|text| [text, "\n\n".to_owned()])
        .collect()
}

/// Renders equal warnings as one each, with their number and the first files that they are about, and the number of warnings that
/// are in no group.
pub fn groups(warnings: &WarningGroups) -> String {
    let columns = width::of_standard_error();
    let mut text: String = warnings
        .all
        .iter()
        .map(|group| {
            let repeated = (group.count > 1).then_some(group);
            one(&RENDERER, columns, &group.first, repeated) + "\n\n"
        })
        .collect();
    let others: Vec<String> = warnings
        .others
        .iter()
        .map(|(code, count)| match code {
            Some(code) => format!("{code}: {count}"),
            None => count.to_string(),
        })
        .collect();
    if !others.is_empty() {
        let sum: usize = warnings.others.values().sum();
        let (noun, others) = (
            if sum == 1 { "warning" } else { "warnings" },
            others.join(", "),
        );
        let line = format!(
            "… and {sum} more {noun} ({others}); `--verbose` shows each, `--format json` has them all\n\n"
        );
        text += &width::wrapped(&line, columns, 0);
    }
    text
}

/// Renders a finding, for a terminal of `columns` if there is one. `repeated` is its group, if that has others.
fn one(
    renderer: &Renderer,
    columns: Option<usize>,
    finding: &Diagnostic,
    repeated: Option<&WarningGroup>,
) -> String {
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
    let title = match (repeated, &finding.place) {
        (Some(group), _) => format!("{}, {} times", finding.message, group.count),
        (None, Some(place)) if place.position.is_none() => {
            format!("{}: {}{category}", place.file, finding.message_with_path())
        }
        _ => format!("{}{category}", finding.message),
    };
    let code = finding.code.map(|code| code.name());
    // `warning[W06]: ` stands before the title.
    let before = 9 + code.map_or(0, |code| code.len() + 2);
    let title = fitting(&printable(&title), columns, before);
    let title = match code {
        Some(code) => level.primary_title(title).id(code),
        None => level.primary_title(title),
    };
    let mut group = Group::with_title(title);
    let gutter = gutter(finding);
    let mut quotes = Vec::new();
    if let Some(place) = finding.place.as_deref() {
        quotes.push((place, AnnotationKind::Primary, &*place.path));
    }
    for importer in &finding.importers {
        quotes.push((importer, AnnotationKind::Context, "imported here"));
    }
    let mut notes = Vec::new();
    for (place, kind, label) in quotes {
        let label = printable(label);
        let room = columns.map(|columns| columns.saturating_sub(gutter));
        let Some(quote) = Quote::new(place, room, &label) else {
            continue;
        };
        let label = if quote.has_room_for_label {
            Some(label)
        } else {
            notes.push(label);
            None
        };
        group = group.element(quote.snippet(place, kind, label));
    }
    if let Some(group) = repeated {
        let files = group
            .files
            .iter()
            .map(|file| printable(file))
            .collect::<Vec<_>>()
            .join(", ");
        let more = if group.has_more_files {
            " and others"
        } else {
            ""
        };
        notes.push(format!("in {files}{more}; `--verbose` shows each"));
    }
    if finding.promoted {
        notes.push("a warning, which `--warn-as-error` made an error".to_owned());
    }
    // `= note: ` and `= help: ` stand before these.
    let before = gutter + 8;
    for note in notes {
        group = group.element(Level::NOTE.message(fitting(&note, columns, before)));
    }
    if let Some(help) = &finding.help {
        let help = fitting(&printable(help), columns, before);
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// Breaks a text that has `before` columns before each of its lines so that it fits.
fn fitting(text: &str, columns: Option<usize>, before: usize) -> String {
    let room = columns.map(|columns| columns.saturating_sub(before).max(1));
    width::wrapped(text, room, 0)
}

/// Returns the columns before the lines of source: the largest number of a line, a blank, a bar, a blank.
fn gutter(finding: &Diagnostic) -> usize {
    finding
        .place
        .as_deref()
        .into_iter()
        .chain(&finding.importers)
        .filter_map(|place| Some(place.position?.0))
        .max()
        .unwrap_or(0)
        .to_string()
        .len()
        + 3
}

/// A line of source, and what is underlined in it.
struct Quote<'p> {
    line: Cow<'p, str>,
    number: usize,
    /// The bytes of the line that are underlined.
    underlined: Range<usize>,
    has_room_for_label: bool,
}

/// The columns that the renderer leaves on each side of what is underlined when it cuts a line.
const AROUND: usize = 6;

impl<'p> Quote<'p> {
    /// Quotes the line of a place, if there is one. If the line has `room` columns and the underlined text and the label do not
    /// fit, the label goes elsewhere; if the underlined text alone does not, only its beginning is underlined, because
    /// the renderer cuts lines only outside of it.
    fn new(place: &'p Place, room: Option<usize>, label: &str) -> Option<Self> {
        let (Some((number, _)), Some(excerpt)) = (place.position, &place.excerpt) else {
            return None;
        };
        let line = harmless(&excerpt.line);
        let mut underlined = excerpt.start..excerpt.end;
        let room = room.map(|room| room.saturating_sub(2 * AROUND).max(1));
        if let (Some(room), Some(text)) = (room, line.get(underlined.clone())) {
            underlined.end = underlined.start + beginning(text, room).len();
        }
        let needed = line
            .get(underlined.clone())
            .map_or(0, UnicodeWidthStr::width)
            .max(1)
            + 1
            + label.width();
        Some(Self {
            line,
            number: number as usize,
            underlined,
            has_room_for_label: room.is_none_or(|room| needed <= room),
        })
    }

    fn snippet(
        self,
        place: &Place,
        kind: AnnotationKind,
        label: Option<String>,
    ) -> Snippet<'p, Annotation<'p>> {
        let underline = kind.span(self.underlined);
        let underline = match label {
            Some(label) => underline.label(label),
            None => underline,
        };
        Snippet::source(self.line)
            .line_start(self.number)
            .path(printable(&place.file))
            .annotation(underline)
    }
}

/// Returns the beginning of a text that has at most this many columns.
fn beginning(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(1);
        used > columns
    });
    &text[..end.map_or(text.len(), |(end, _)| end)]
}

/// Replaces control characters beyond ASCII in a line of source by others of the same length in bytes, so that offsets stay
/// valid. The renderer itself replaces tabs and the control characters of ASCII.
fn harmless(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return line.into();
    }
    line.chars()
        .map(|c: char| match c.len_utf8() {
            2 if is_control(c) => '\u{b7}',
            3 if is_control(c) => '\u{fffd}',
            4 if is_control(c) => '\u{1f533}',
            _ => c,
        })
        .collect::<String>()
        .into()
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
