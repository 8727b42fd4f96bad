//! The files that answers are about: their URIs, and the texts by which offsets become positions.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{Location as LspLocation, Range as LspRange, Uri};

use super::document::Document;
use super::overlay::Overlay;
use super::positions::{Encoding, Lines};
use crate::base::loader::{Loader, Location};
use crate::base::uri::of_path;

/// The files to which an open document refers. The lines of each are searched for once.
pub struct Files<'a> {
    overlay: &'a Overlay,
    /// The open documents.
    open: Vec<&'a Document>,
    /// The unit of positions.
    pub encoding: Encoding,
    /// Files by their locations; `None` for one that has no URI.
    known: HashMap<PathBuf, Option<File>>,
}

/// A file with the text that counts for it.
pub struct File {
    /// The URI by which the client knows it.
    pub uri: Uri,
    /// Its text and its lines; `None` if it cannot be read.
    pub text: Option<(Arc<String>, Lines)>,
}

impl<'a> Files<'a> {
    /// Returns the files that `overlay` finds.
    pub fn new(
        overlay: &'a Overlay,
        open: impl Iterator<Item = &'a Document>,
        encoding: Encoding,
    ) -> Self {
        Self {
            overlay,
            open: open.collect(),
            encoding,
            known: HashMap::new(),
        }
    }

    /// Returns the file at a location; `None` if it has no URI.
    pub fn at(&mut self, location: &Location) -> Option<&File> {
        if !self.known.contains_key(&location.0) {
            let file = self.find(location);
            self.known.insert(location.0.clone(), file);
        }
        self.known[&location.0].as_ref()
    }

    /// Returns the file that has a name in findings, if the document has referred to it.
    pub fn named(&mut self, name: &str) -> Option<&File> {
        let location = self.overlay.location(name)?;
        self.at(&location)
    }

    /// Returns a range of bytes of a file as the protocol has it.
    pub fn location(&mut self, location: &Location, bytes: &Range<usize>) -> Option<LspLocation> {
        let encoding = self.encoding;
        let file = self.at(location)?;
        let (text, lines) = file.text.as_ref()?;
        let position = |at: usize| lines.position(text, at, encoding);
        let range = LspRange::new(position(bytes.start), position(bytes.end));
        Some(LspLocation::new(file.uri.clone(), range))
    }

    fn find(&self, location: &Location) -> Option<File> {
        let identity = self.overlay.identity(location);
        let open = self.open.iter().find(|open| open.identity == identity);
        if let Some(open) = open {
            return Some(File {
                uri: open.uri.clone(),
                text: Some((open.text.clone(), open.lines.clone())),
            });
        }
        let text = self.overlay.text(location).map(|text| {
            let lines = Lines::new(&text);
            (Arc::new(text), lines)
        });
        let uri = of_path(&location.0).parse().ok()?;
        Some(File { uri, text })
    }
}
