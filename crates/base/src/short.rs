//! Names as sentences have them: several of them, and at a length that a person can still read.

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
    name.chars().take(MAX_SHOWN - 1).chain(['…']).collect()
}

/// Returns a number with three digits that count.
///
/// ```
/// use rigy_base::short::three_digits;
///
/// let texts = [0.0123456, 1.0, 123.4, 4567.8, 1.19e-7, 0.0].map(three_digits);
/// assert_eq!(texts, ["0.0123", "1.00", "123", "4568", "1.19e-7", "0"]);
/// ```
pub fn three_digits(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        0.001..1e6 => {
            let whole = number.log10().floor() as i32;
            let digits = usize::try_from(2 - whole).unwrap_or(0);
            format!("{number:.digits$}")
        }
        _ => format!("{number:.2e}"),
    }
}

/// Returns names with commas between them, and `word` before the last of several.
///
/// ```
/// use rigy_base::short::enumerated;
///
/// assert_eq!(enumerated(&["a", "b", "c"], "or"), "a, b or c");
/// assert_eq!(enumerated(&["a"], "or"), "a");
/// ```
pub fn enumerated<T: AsRef<str>>(names: &[T], word: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match &*names {
        [before @ .., last] if !before.is_empty() => {
            format!("{} {word} {last}", before.join(", "))
        }
        names => names.concat(),
    }
}
