//! The findings of one stage of one file, gathered up to a limit.

use super::{Code, Diagnostic, MOST_FINDINGS, Span, Spanned, Suggestions, Warned};

/// Errors and warnings in the order in which they are reported, at most [`MOST_FINDINGS`] of each.
#[derive(Debug, Default)]
pub struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    suggestions: Suggestions,
}

impl Findings {
    /// Adds a finding with this code, which is a warning if the code begins with `W`.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Adds a finding to the errors or, if it is a warning, to the warnings.
    pub fn report(&mut self, finding: Diagnostic) {
        let list = if finding.is_warning() {
            &mut self.warnings
        } else {
            &mut self.errors
        };
        if list.len() < MOST_FINDINGS {
            list.push(finding);
        }
    }

    /// Adds an error about a name that does not exist, with the likeliest candidate as advice ([`Suggestions`] says for
    /// how many findings).
    pub fn unknown<'a>(
        &mut self,
        code: Code,
        name: &Spanned<String>,
        message: String,
        candidates: impl IntoIterator<Item = &'a str>,
    ) {
        if self.is_full() {
            return; // the error would be dropped
        }
        let finding = Diagnostic::new(code, name.span, message);
        self.report(match self.nearest(&name.value, candidates) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        });
    }

    /// Returns the candidate nearest to a misspelt word, within the limits of [`Suggestions`].
    pub fn nearest<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.suggestions.nearest(word, candidates)
    }

    /// Returns true if further errors are dropped.
    pub fn is_full(&self) -> bool {
        self.errors.len() >= MOST_FINDINGS
    }

    /// Returns true if further warnings are dropped.
    pub fn is_full_of_warnings(&self) -> bool {
        self.warnings.len() >= MOST_FINDINGS
    }

    /// Ends a stage; the warnings stay.
    ///
    /// # Errors
    /// The errors so far, if there are any.
    pub fn stop(&mut self) -> Result<(), Vec<Diagnostic>> {
        match self.errors.is_empty() {
            true => Ok(()),
            false => Err(std::mem::take(&mut self.errors)),
        }
    }

    /// Returns a value with the warnings.
    ///
    /// # Errors
    /// The errors, if there are any.
    pub fn conclude<T>(mut self, value: T) -> Result<Warned<T>, Vec<Diagnostic>> {
        self.stop()?;
        let warnings = self.warnings;
        Ok(Warned { value, warnings })
    }

    /// Returns the errors.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.errors
    }
}
