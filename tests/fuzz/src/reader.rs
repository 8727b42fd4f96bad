//! The reader of the common subset of YAML compared with the event parser.

use rigy_batch::language::parse::NAMED;
use rigy_batch::language::yaml::subset_is_exact;

/// Asserts that the reader of the subset gives the tree of the event parser, or none.
pub fn compare(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        subset_is_exact(text, Some(NAMED));
    }
}
