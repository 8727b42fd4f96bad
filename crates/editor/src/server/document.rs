//! A document that is open in the client.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{TextDocumentContentChangeEvent, Uri};

use super::positions::{Encoding, Lines};
use super::uri;
use crate::assist::Source;
use rigy_base::loader::Location;
use rigy_base::paths::Slashed;
use rigy_models::compile::is_document;

/// The language of documents whose name does not say that they are some, as the editors' extensions name it.
const LANGUAGE: &str = "rigy";

/// A document that is open in the client, with the text that it has there.
#[derive(Debug)]
pub struct Document {
    /// The URI by which the client names it.
    pub uri: Uri,
    /// The path by which the compiler knows it; the URI if that is not one of a file.
    pub location: Location,
    /// True if the URI is that of a file.
    pub is_file: bool,
    /// The same for all spellings of the path, with links resolved; the URI if there is no path.
    pub identity: PathBuf,
    /// The number that the client gives to its text.
    pub version: i32,
    /// Its text.
    pub text: Arc<String>,
    /// The lines of its text.
    pub lines: Lines,
    /// True for documents and scenes; false for other files, which only documents refer to.
    pub is_judged: bool,
}

impl Document {
    /// Returns a document that has just been opened; `identity` gives the identity of a path.
    pub fn new(
        uri: Uri,
        language: &str,
        version: i32,
        text: String,
        identity: &dyn Fn(&Path) -> PathBuf,
    ) -> Self {
        let path = uri::path_of(uri.as_str());
        let is_file = path.is_some();
        let location = path.unwrap_or_else(|| uri.as_str().into());
        let is_named = location.file_name().is_some_and(is_document);
        let identity = if is_file {
            identity(&location)
        } else {
            location.clone()
        };
        Self {
            is_judged: is_named || language == LANGUAGE,
            lines: Lines::new(&text),
            text: Arc::new(text),
            uri,
            location: Location(location),
            is_file,
            identity,
            version,
        }
    }

    /// Returns the name of the document in findings: its path, or else its URI.
    pub fn name(&self) -> String {
        if self.is_file {
            self.location.0.slashed().to_string()
        } else {
            self.uri.as_str().to_owned()
        }
    }

    /// Returns the text with its location, for questions about it.
    pub fn source(&self) -> Source<'_> {
        Source {
            location: &self.location,
            text: &self.text,
        }
    }

    /// Applies changes in their order. One without a range is the whole new text; a range that is reversed is turned round.
    pub fn edit(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        let text = Arc::make_mut(&mut self.text);
        for change in changes {
            let Some(range) = change.range else {
                *text = change.text;
                self.lines = Lines::new(text);
                continue;
            };
            let [first, second] =
                [range.start, range.end].map(|end| self.lines.offset(text, end, encoding));
            let range = first.min(second)..first.max(second);
            text.replace_range(range.clone(), &change.text);
            self.lines.replace(text, range, change.text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ls_types::{Position, Range};

    fn opened(uri: &str, language: &str) -> Document {
        let text = "a: 1\nb: 2\n".into();
        Document::new(uri.parse().unwrap(), language, 1, text, &Path::to_owned)
    }

    #[test]
    fn changes_are_applied_in_their_order() {
        let mut document = opened("untitled:x", "rigy");
        let change = |range: Option<[u32; 4]>, text: &str| TextDocumentContentChangeEvent {
            range: range.map(|[line, from, to_line, to]| {
                Range::new(Position::new(line, from), Position::new(to_line, to))
            }),
            range_length: None,
            text: text.into(),
        };
        let changes = vec![
            change(Some([0, 3, 0, 4]), "\u{1f980}"),
            change(Some([0, 5, 0, 5]), "!"),
            change(Some([1, 9, 1, 0]), ""),
            change(Some([9, 9, 9, 9]), "end"),
        ];
        document.edit(2, changes, Encoding::Utf16);
        assert_eq!(*document.text, "a: \u{1f980}!\n\nend");
        assert_eq!(document.version, 2);
        document.edit(3, vec![change(None, "whole\n")], Encoding::Utf16);
        assert_eq!(*document.text, "whole\n");
        assert_eq!(document.lines.line(&document.text, 1), 6..6);
    }

    #[test]
    fn names_and_languages_say_what_is_judged() {
        for (uri, language, is_judged) in [
            ("file:///a/b.rigy.yaml", "yaml", true),
            ("file:///a/b.rigs.yml", "yaml", true),
            ("file:///a/b.part.yaml", "yaml", false),
            ("file:///a/b.yaml", "rigy", true),
            ("untitled:Untitled-1", "rigy", true),
            ("untitled:Untitled-1", "yaml", false),
            ("file:///a/b.weights.json", "json", false),
        ] {
            assert_eq!(
                opened(uri, language).is_judged,
                is_judged,
                "{uri} {language}"
            );
        }
    }
}
