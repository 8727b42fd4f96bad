//! How much one document may import: files and text.

use std::collections::{HashMap, HashSet};

use crate::base::diag::{Code, Diagnostic, Span};
use crate::base::loader::Location;
use crate::language::model::{Document, Import};

/// Most files one document may import, directly or not, contracts included.
pub const MAX_FILES: usize = 1024;
/// Longest path by which a document may refer to a file, in bytes: no system opens longer ones.
pub const MAX_PATH: usize = 4096;
/// Most text that the imports of one document may come to, in bytes, or with all aliases written out if that is more.
pub const MAX_WEIGHT: u64 = 32 << 20;

/// The fault (U10) of an import that is one too many.
pub(super) fn crowd(import: Span) -> Diagnostic {
    let message = format!("a document may import at most {MAX_FILES} files");
    Diagnostic::new(Code::U10, import, message)
}

/// Refuses (U10) references of one document that are too long, or name too many files to import, before any of them is
/// looked for.
///
/// # Errors
/// The first of either.
pub(super) fn refer(document: &Document) -> Result<(), Diagnostic> {
    let references = || document.imports.iter().flat_map(Import::references);
    let mut all = document.weight_sources().chain(references());
    if let Some(long) = all.find(|reference| reference.value.len() > MAX_PATH) {
        let message = format!("a path may have at most {MAX_PATH} bytes");
        return Err(Diagnostic::new(Code::U10, long.span, message));
    }
    let mut paths = HashSet::new();
    let mut new = references().filter(|reference| paths.insert(&reference.value));
    let beyond = new.nth(MAX_FILES);
    beyond.map_or(Ok(()), |reference| Err(crowd(reference.span)))
}

/// What the imports of one document have come to.
pub(super) struct Allowance<'r> {
    /// What each file counts for.
    counted: HashMap<Location, u64>,
    weight: u64,
    /// Whether there is room for text of so many bytes.
    room: &'r dyn Fn(u64) -> bool,
    /// Whether there was none.
    refused: bool,
}

impl<'r> Allowance<'r> {
    pub fn new(room: &'r dyn Fn(u64) -> bool) -> Self {
        Self {
            counted: HashMap::new(),
            weight: 0,
            room,
            refused: false,
        }
    }

    /// Whether it has been exceeded, or there is no room.
    pub fn is_exceeded(&self) -> bool {
        self.refused || self.counted.len() > MAX_FILES || self.weight > MAX_WEIGHT
    }

    /// Asks for room for all that has been counted.
    ///
    /// # Errors
    /// That there is none (U10), with the first import that would take it.
    pub fn ask(&mut self, import: Span) -> Result<(), Diagnostic> {
        self.refused = !(self.room)(self.weight);
        if !self.refused {
            return Ok(());
        }
        let message = format!("there is no room for {} bytes of imports", self.weight);
        Err(Diagnostic::new(Code::U10, import, message))
    }

    /// Counts a file, once, for as much as was ever known of it: for its length before it is read, and then for what
    /// it comes to.
    ///
    /// # Errors
    /// What is exceeded (U10) by this import.
    pub fn count(
        &mut self,
        location: &Location,
        weight: u64,
        import: Span,
    ) -> Result<(), Diagnostic> {
        let counted = match self.counted.get_mut(location) {
            Some(counted) => counted,
            None => self.counted.entry(location.clone()).or_default(),
        };
        let more = weight.saturating_sub(*counted);
        *counted += more;
        self.weight += more;
        if self.counted.len() > MAX_FILES {
            Err(crowd(import))
        } else if self.weight > MAX_WEIGHT {
            let message = format!("a document may import at most {MAX_WEIGHT} bytes of text");
            Err(Diagnostic::new(Code::U10, import, message))
        } else {
            Ok(())
        }
    }
}
