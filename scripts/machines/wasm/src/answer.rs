//! The answers of the module: lists of files.

use rigy_batch::base::diag::Diagnostic;

/// A list of files.
#[derive(Default)]
pub struct Answer(Vec<u8>);

impl Answer {
    /// Returns the answer about a refused input: a file `error` with a line for each finding.
    pub fn refusal(errors: &[Diagnostic]) -> Self {
        let line = |error: &Diagnostic| {
            let code = error.code.map_or("", |code| code.name());
            format!("{code} {}\n", error.message)
        };
        let lines: String = errors.iter().map(line).collect();
        Self::default().with("error", lines.as_bytes())
    }

    /// Adds a file.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: &[u8]) -> Self {
        for len in [name.len(), bytes.len()] {
            let len = u32::try_from(len).expect("an address has 32 bits");
            self.0.extend(len.to_le_bytes());
        }
        self.0.extend(name.as_bytes());
        self.0.extend(bytes);
        self
    }

    /// Returns the bytes for the host.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
