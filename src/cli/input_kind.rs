//! The inputs and outputs of a command, in words.

use std::ffi::OsStr;

use super::expanded::Expansions;
use super::page::Shown;
use crate::base::diag::Category;
use crate::run::batch::Outcome;

/// The inputs of a command, in words.
pub struct InputKind {
    /// The word for an input.
    pub input: &'static str,
    /// Returns advice about a file that belongs to another command, judged by its name.
    pub advice: fn(&OsStr) -> Option<&'static str>,
    /// Writes expanded documents, if there are to be any.
    pub expansions: Option<Expansions>,
    /// The kind of its outputs.
    pub shown: Shown,
}

impl InputKind {
    /// Adds advice to an input that cannot be parsed and may belong to another command.
    pub fn advise(&self, outcome: &mut Outcome) {
        let advice = outcome.input.file_name().and_then(self.advice);
        if let (Some(advice), Some(error)) = (advice, outcome.errors.first_mut())
            && error.category == Category::ParseError
        {
            error.help = Some(advice.into());
        }
    }
}
