//! How much one document may import: files and text.

use std::collections::{HashMap, HashSet};

use crate::diag::{Code, Diagnostic, Span};
use crate::loader::Location;
use crate::model::Import;

/// Most files one document may import, directly or not, contracts included.
pub const MAX_FILES: usize = 1024;
/// Most text that the imports of one document may come to, in bytes, or with all aliases written out if that is more.
pub const MAX_WEIGHT: u64 = 32 << 20;

/// The fault (U10) of an import that is one too many.
pub(super) fn crowd(import: Span) -> Diagnostic {
    let message = format!("a document may import at most {MAX_FILES} files");
    Diagnostic::new(Code::U10, import, message)
}

/// Refuses (U10) imports of one document that name too many files, before any of them is looked for.
pub(super) fn too_many(imports: &[Import]) -> Option<Diagnostic> {
    let mut paths = HashSet::new();
    let references = imports.iter().flat_map(Import::references);
    let mut new = references.filter(|reference| paths.insert(&reference.value));
    let beyond = new.nth(MAX_FILES)?;
    Some(crowd(beyond.span))
}

/// What the imports of one document have come to.
#[derive(Default)]
pub(super) struct Allowance {
    /// What each file counts for.
    counted: HashMap<Location, u64>,
    weight: u64,
}

impl Allowance {
    /// Whether it has been exceeded.
    pub fn is_exceeded(&self) -> bool {
        self.counted.len() > MAX_FILES || self.weight > MAX_WEIGHT
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
