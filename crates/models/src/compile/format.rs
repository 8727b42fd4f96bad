//! Formatting: the errors of a text that is no document get their places.

use super::locator::Locator;
use rigy_language::base::diag::{Diagnostic, Lines, Source};
use rigy_language::base::limits::Limits;
use rigy_language::yaml;

/// Returns the text of the document `name` in canonical layout, as [`rigy_language::format::format`] makes it. What it compiles
/// to stays the same.
///
/// # Errors
/// The text is no mapping in YAML (U10), is longer than `limits.bytes` or nested deeper than `limits.depth`, or would not be
/// the same document (an error without a code). Errors have their places.
pub fn format(name: &str, text: &str, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    rigy_language::format::format(text, limits).map_err(|errors| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_long = text.len() as u64 > limits.bytes;
        let malformed = (!is_long)
            .then(|| yaml::compose_within(text, limits).err())
            .flatten();
        let tree = malformed.and_then(|malformed| malformed.tree);
        let lines = Lines::new(Source { name, text }, yaml::content_len);
        Locator::new(lines, tree.as_ref(), None).locate_all(errors)
    })
}
