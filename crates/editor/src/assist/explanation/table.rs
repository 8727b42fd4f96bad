//! The explanations of `codes.txt`, which `build.rs` turns into constants.

use super::example::{Example, Explanation, Fixture};
use rigy_base::diag::Code;

/// The explanations of all codes, in the order of [`Code::ALL`].
pub const EXPLANATIONS: &[Explanation] = include!(concat!(env!("OUT_DIR"), "/explanations.rs"));

/// Returns the explanation of a code; `None` if the table lacks it, which a test excludes.
pub fn of(code: Code) -> Option<&'static Explanation> {
    EXPLANATIONS.get(code as usize)
}
