//! Mends: changes of a text that remove a finding, as editors offer them.

use serde::{Deserialize, Serialize};

use super::Diagnostic;

/// A change of the file that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mend {
    /// The key or text at the finding's span is replaced.
    Replace {
        /// The value that it has.
        from: String,
        /// The value that it is to have.
        to: String,
    },
    /// The mapping at the finding's span gets a field.
    Insert {
        /// The name of the field.
        field: String,
        /// Its value in YAML, in one line, which the author completes.
        value: String,
    },
    /// The document declares this version.
    Declare(String),
}

impl Diagnostic {
    /// Returns the same finding, whose key or text `from` is likely a misspelling of `to`: as advice and as a mend.
    #[must_use]
    pub fn did_you_mean(self, from: &str, to: &str) -> Self {
        let mend = Mend::Replace {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        self.help(format!("did you mean `{to}`?")).mend(mend)
    }

    /// Returns the same finding with a change that removes it.
    #[must_use]
    pub fn mend(self, mend: Mend) -> Self {
        let mend = Some(Box::new(mend));
        Self { mend, ..self }
    }
}
