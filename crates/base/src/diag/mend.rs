//! Mends: changes of a text that remove a finding, as editors offer them.

use serde::{Deserialize, Serialize};

use super::Diagnostic;

/// A change of the file that a finding is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Mend {
    /// The key or text at the finding's span is replaced.
    Replace {
        /// The value that it has.
        from: String,
        /// The value that it is to have.
        to: String,
    },
    /// The same, by a text that need not be a scalar: it is put in as it is.
    Write {
        /// The value that stands there, or the bytes.
        from: String,
        /// YAML that takes its place.
        to: String,
    },
    /// The number, or the numbers between brackets, at the finding's span are replaced.
    Numbers {
        /// The numbers that stand there.
        from: Vec<f64>,
        /// Those that are to stand there.
        to: Vec<f64>,
    },
    /// The key or value at the finding's span, which is no text because it has no quotes, gets some.
    Quote,
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

    /// Returns the same finding, whose key is called `field` in the language: as advice and as a mend.
    #[must_use]
    pub fn called(self, key: &str, field: &str) -> Self {
        let help = format!("`{key}` is called `{field}` here");
        self.did_you_mean(key, field).help(help)
    }

    /// Returns the same finding about a text, with advice and a mend if the text is the name of a param.
    #[must_use]
    pub fn unmarked_param(self, text: &str, params: &[String]) -> Self {
        if !params.iter().any(|param| param == text) {
            return self;
        }
        let marked = format!("${text}");
        let help = format!("`{text}` is a param: write `{marked}`");
        self.did_you_mean(text, &marked).help(help)
    }

    /// Returns the same finding about a name which is written after that of a part and a point, if there is one.
    #[must_use]
    pub fn of_part(mut self, part: Option<&str>) -> Self {
        if let (Some(part), Some(Mend::Replace { from, to })) = (part, self.mend.as_deref_mut()) {
            for name in [from, to] {
                name.insert_str(0, &format!("{part}."));
            }
        }
        self
    }

    /// Returns the same finding, at whose span a text is written as another.
    #[must_use]
    pub fn written_as(self, from: impl Into<String>, to: impl Into<String>) -> Self {
        let (from, to) = (from.into(), to.into());
        self.mend(Mend::Write { from, to })
    }

    /// Returns the same finding with a change that removes it.
    #[must_use]
    pub fn mend(self, mend: Mend) -> Self {
        let mend = Some(Box::new(mend));
        Self { mend, ..self }
    }
}
