//! The tables together.

use super::example::Explanation;
use super::{extensions, project, specification};
use rigy_base::diag::Code;

/// Returns the explanations of all codes, in the order of [`Code::ALL`].
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    let parts = [
        specification::EXPLANATIONS,
        extensions::EXPLANATIONS,
        project::EXPLANATIONS,
    ];
    parts.into_iter().flatten()
}

/// Returns the explanation of a code; `None` if the table lacks it, which a test excludes.
pub fn of(code: Code) -> Option<&'static Explanation> {
    all().find(|explanation| explanation.code == code)
}
