//! Limits on the files that one document imports: their number and the length of their text.

use rigy_base::diag::{Code, Diagnostic, Span};
use rigy_base::loader::Location;
use rigy_base::maps::{HashMap, HashSet};
use rigy_language::model::{Document, Import};

/// Most files one document may import, directly or not, contracts included.
pub const MAX_FILES: usize = 1024;
/// Longest path by which a document may refer to a file, in bytes: no system opens longer ones.
pub const MAX_PATH: usize = 4096;
/// Greatest expanded length of all files that one document imports, in bytes. The expanded length of a file is the length
/// of its text, or its length with all aliases written out if that is more.
pub const MAX_EXPANDED_LEN: u64 = 32 << 20;

/// The error (U10) of an import that is one too many.
fn too_many_files(import: Span) -> Diagnostic {
    let message = format!("a document may import at most {MAX_FILES} files");
    Diagnostic::new(Code::U10, import, message)
}

/// Checks the references of one document before any of the files is looked for.
///
/// # Errors
/// U10 for the first path that is too long, or else for the first import of too many.
pub fn check_references(document: &Document) -> Result<(), Diagnostic> {
    let references = || document.imports.iter().flat_map(Import::references);
    let mut all = document.weight_sources().chain(references());
    if let Some(long) = all.find(|reference| reference.value.len() > MAX_PATH) {
        let message = format!("a path may have at most {MAX_PATH} bytes");
        return Err(Diagnostic::new(Code::U10, long.span, message));
    }
    let mut paths = HashSet::default();
    let mut new = references().filter(|reference| paths.insert(&reference.value));
    new.nth(MAX_FILES)
        .map_or(Ok(()), |reference| Err(too_many_files(reference.span)))
}

/// Reserves memory for imports of this expanded length in bytes, all in all; returns false if it cannot.
pub type Reserve<'r> = dyn FnMut(u64) -> bool + 'r;

/// The files that one document has imported so far.
pub struct Allowance<'r> {
    /// The expanded length that each file is counted with.
    counted: HashMap<Location, u64>,
    /// The sum of these lengths.
    expanded_len: u64,
    reserve: &'r mut Reserve<'r>,
    /// True if memory could not be reserved.
    pub is_refused: bool,
}

impl<'r> Allowance<'r> {
    pub fn new(reserve: &'r mut Reserve<'r>) -> Self {
        Self {
            counted: HashMap::default(),
            expanded_len: 0,
            reserve,
            is_refused: false,
        }
    }

    /// Returns true if no further file may be read: memory could not be reserved, or a limit is exceeded.
    pub fn is_exceeded(&self) -> bool {
        self.is_refused || self.counted.len() > MAX_FILES || self.expanded_len > MAX_EXPANDED_LEN
    }

    /// Reserves memory for all files that have been counted; returns `None` if it cannot.
    pub fn reserve(&mut self) -> Option<()> {
        self.is_refused = !(self.reserve)(self.expanded_len);
        (!self.is_refused).then_some(())
    }

    /// Counts a file: before it is read, with the length of its text, and then with its expanded length. It is counted
    /// once, with the greatest length given.
    ///
    /// # Errors
    /// U10 if this import exceeds a limit.
    pub fn count(
        &mut self,
        location: &Location,
        expanded_len: u64,
        import: Span,
    ) -> Result<(), Diagnostic> {
        let counted = match self.counted.get_mut(location) {
            Some(counted) => counted,
            None => self.counted.entry(location.clone()).or_default(),
        };
        let more = expanded_len.saturating_sub(*counted);
        *counted += more;
        self.expanded_len += more;
        if self.counted.len() > MAX_FILES {
            Err(too_many_files(import))
        } else if self.expanded_len > MAX_EXPANDED_LEN {
            let message = format!("a document may import at most {MAX_EXPANDED_LEN} bytes of text");
            Err(Diagnostic::new(Code::U10, import, message))
        } else {
            Ok(())
        }
    }
}
