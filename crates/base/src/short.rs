//! Names at a length that a person can still read.

use std::borrow::Cow;

/// The longest name that is shown whole, in characters.
pub const MAX_SHOWN: usize = 400;

/// Returns a name as pages show it: one of more than [`MAX_SHOWN`] characters is cut and ends with `…`, so that it has as many.
///
/// ```
/// use rigy_base::short::{MAX_SHOWN, short_name};
///
/// assert_eq!(short_name("arm"), "arm");
/// assert_eq!(short_name(&"é".repeat(1 << 20)).chars().count(), MAX_SHOWN);
/// ```
pub fn short_name(name: &str) -> Cow<'_, str> {
    if name.chars().nth(MAX_SHOWN).is_none() {
        return name.into();
    }
    let beginning = name.chars().take(MAX_SHOWN - 1);
    beginning.chain(['…']).collect()
}
