//! Findings as the protocol has them: with the URI of their file, and ranges in the units of the client.

use std::collections::BTreeMap;

use ls_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    Location as LspLocation, NumberOrString, Range, Uri,
};

use super::document::Document;
use super::overlay::Files;
use super::positions::{Encoding, Lines};
use rigy_base::diag::{Diagnostic, Place};
use rigy_base::terminal::printable;

/// The name by which clients show where a finding comes from.
const SOURCE: &str = "rigy-batch";

/// Findings by the URI of the file that they are about, in the order in which they were found.
pub type ByUri = BTreeMap<String, (Uri, Vec<LspDiagnostic>)>;

/// Turns places of findings into ranges.
pub struct Places<'a> {
    document: &'a Document,
    /// The name of the document in findings.
    name: String,
    files: Files<'a>,
}

impl<'a> Places<'a> {
    /// Returns the places of findings about a document and the files to which it has referred.
    pub fn new(document: &'a Document, files: Files<'a>) -> Self {
        Self {
            document,
            name: document.name(),
            files,
        }
    }

    /// Returns findings about a document by the URIs of their files. A finding without a place is about the document.
    pub fn by_uri(&mut self, findings: &[Diagnostic]) -> ByUri {
        let mut by_uri = ByUri::new();
        for finding in findings {
            let at = finding
                .place
                .as_ref()
                .and_then(|place| self.location(place))
                .unwrap_or_else(|| LspLocation::new(self.document.uri.clone(), Range::default()));
            let found = self.diagnostic(finding, at.range);
            let key = at.uri.as_str().to_owned();
            by_uri
                .entry(key)
                .or_insert_with(|| (at.uri, Vec::new()))
                .1
                .push(found);
        }
        by_uri
    }

    fn diagnostic(&mut self, finding: &Diagnostic, range: Range) -> LspDiagnostic {
        let related: Vec<_> = finding
            .importers
            .iter()
            .filter_map(|place| {
                Some(DiagnosticRelatedInformation {
                    location: self.location(place)?,
                    message: "imported here".into(),
                })
            })
            .collect();
        let message = printable(&finding.message);
        LspDiagnostic {
            range,
            severity: Some(if finding.is_warning() {
                DiagnosticSeverity::WARNING
            } else {
                DiagnosticSeverity::ERROR
            }),
            code: finding
                .code
                .map(|code| NumberOrString::String(code.name().to_owned())),
            source: Some(SOURCE.to_owned()),
            message: match &finding.help {
                Some(help) => format!("{message}\nhelp: {}", printable(help)),
                None => message,
            },
            related_information: (!related.is_empty()).then_some(related),
            data: finding
                .mend
                .as_ref()
                .and_then(|mend| serde_json::to_value(mend).ok()),
            ..LspDiagnostic::default()
        }
    }

    /// Returns the URI and the range of a place; `None` if its file has no URI.
    fn location(&mut self, place: &Place) -> Option<LspLocation> {
        let encoding = self.files.encoding;
        if place.file == self.name {
            let Document {
                uri, text, lines, ..
            } = self.document;
            return Some(LspLocation::new(
                uri.clone(),
                range(text, lines, place, encoding),
            ));
        }
        let file = self.files.named(&place.file)?;
        let range = match &file.text {
            Some((text, lines)) => range(text, lines, place, encoding),
            None => Range::default(),
        };
        Some(LspLocation::new(file.uri.clone(), range))
    }
}

/// Returns the range that is underlined at a place; the beginning of the text for a whole file.
fn range(text: &str, lines: &Lines, place: &Place, encoding: Encoding) -> Range {
    let Some((line, column)) = place.position else {
        return Range::default();
    };
    let mut bytes = lines.line(text, (line - 1) as usize);
    // Columns do not count the byte order mark.
    if text[bytes.clone()].starts_with('\u{feff}') && bytes.start == 0 {
        bytes.start += '\u{feff}'.len_utf8();
    }
    let content = &text[bytes.clone()];
    let characters = (column - 1) as usize;
    let before = if content.is_ascii() {
        characters.min(content.len())
    } else {
        content
            .char_indices()
            .nth(characters)
            .map_or(content.len(), |(at, _)| at)
    };
    let underlined = place
        .excerpt
        .as_ref()
        .map_or(0, |shown| shown.end - shown.start);
    let end = content.floor_char_boundary(before + underlined);
    let position = |within: usize| lines.position(text, bytes.start + within, encoding);
    Range::new(position(before), position(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ls_types::Position;
    use rigy_base::diag::{Lines as SourceLines, Source, Span};

    #[test]
    fn ranges_are_in_the_units_of_the_client() {
        let text = "\u{feff}\u{1f980}\u{df}: one\nk: \u{1f980}\u{1f980}\n";
        let body = &text[3..];
        let source = Source {
            name: "x",
            text: body,
        };
        let places = SourceLines::new(source, str::len);
        let lines = Lines::new(text);
        for (part, encoding, expected) in [
            ("one", Encoding::Utf16, [0, 6, 0, 9]),
            ("one", Encoding::Utf8, [0, 11, 0, 14]),
            ("\u{1f980}\u{1f980}", Encoding::Utf16, [1, 3, 1, 7]),
            ("\u{1f980}\u{1f980}", Encoding::Utf8, [1, 3, 1, 11]),
        ] {
            let at = body.find(part).unwrap();
            let span = Span::new(at as u32, (at + part.len()) as u32);
            let place = places.place(span, String::new());
            let [line, from, to_line, to] = expected;
            let expected = Range::new(Position::new(line, from), Position::new(to_line, to));
            assert_eq!(range(text, &lines, &place, encoding), expected, "{part}");
        }
    }
}
