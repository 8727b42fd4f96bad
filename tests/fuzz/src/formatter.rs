//! The text of a document or scene in canonical layout: the same layout when it is put into that again, and what the text
//! compiles to stays the same.

use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::{Location, MemoryLoader};

use crate::archive::Archive;
use crate::formatted::{compiled, format};

/// Small enough for every input to be quick.
const LIMITS: Limits = Limits::DEFAULT.aliases(1 << 18).vertices(3_000);

/// Limits that a text which keeps to [`LIMITS`] keeps in any layout.
const IN_ANY_LAYOUT: Limits = LIMITS.aliases(1 << 20);

/// Formats the first file of an archive, or the bytes themselves if they are none, and compares what both texts compile to.
pub fn compare(bytes: &[u8]) {
    let mut files = Archive::parse(bytes).files.into_iter();
    let root = files.next();
    let (name, text) = root.unwrap_or_else(|| ("fuzz.rigy.yaml".to_owned(), bytes.to_vec()));
    let Ok(text) = std::str::from_utf8(&text) else {
        return;
    };
    let Some(formatted) = format(text) else {
        return;
    };
    let others = MemoryLoader {
        files: files.collect(),
    };
    let at = Location(name.into());
    let before = compiled(text, &at, others.clone(), LIMITS);
    if before.is_ok() {
        let after = compiled(&formatted, &at, others, IN_ANY_LAYOUT);
        assert!(before == after, "{:?}:\n{formatted}", after.err());
    }
}
