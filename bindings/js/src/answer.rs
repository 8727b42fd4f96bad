//! Answers: JSON, and parts of bytes or numbers.

use rigy_batch::Diagnostic;
use rigy_batch::base::diag::FullFinding;
use serde_json::{Value, json};

/// A part of an answer.
pub enum Part {
    Bytes(Vec<u8>),
    Floats(Vec<f32>),
    Indices(Vec<u32>),
}

impl Part {
    pub fn address(&self) -> *const u8 {
        match self {
            Self::Bytes(bytes) => bytes.as_ptr(),
            Self::Floats(numbers) => numbers.as_ptr().cast(),
            Self::Indices(numbers) => numbers.as_ptr().cast(),
        }
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Floats(numbers) => size_of_val(&**numbers),
            Self::Indices(numbers) => size_of_val(&**numbers),
        }
    }
}

/// The reasons why a request has no result.
pub enum Refusal {
    /// The input has these errors.
    Errors(Vec<Diagnostic>),
    /// An argument is not of its type, for this reason.
    Malformed(String),
    /// An argument names something that is not there, as this sentence says.
    Unknown(String),
}

impl From<Vec<Diagnostic>> for Refusal {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Self::Errors(errors)
    }
}

/// The JSON of an answer, as its first part, and the other parts.
#[derive(Default)]
pub struct Answer(Vec<Part>);

impl Answer {
    /// Returns an answer whose JSON has one key, `kind`.
    fn of_kind(kind: &str, value: Value) -> Self {
        let json = json!({ kind: value }).to_string();
        Self(vec![Part::Bytes(json.into_bytes())])
    }

    /// Returns the answer with a result and without other parts.
    pub fn new(result: Value) -> Self {
        Self::of_kind("result", result)
    }

    /// Returns the answer that consists of bytes.
    pub fn bytes(bytes: Vec<u8>) -> Self {
        Self::new(Value::Null).with(Part::Bytes(bytes))
    }

    pub fn refusal(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Errors(errors) => Self::of_kind("errors", findings(&errors)),
            Refusal::Malformed(message) => Self::of_kind("malformed", message.into()),
            Refusal::Unknown(message) => Self::of_kind("unknown", message.into()),
        }
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        self.0.push(part);
        self
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns a part, of which the host knows that it is there.
    pub fn part(&self, index: usize) -> &Part {
        &self.0[index]
    }
}

/// Returns a finding as JSON.
pub fn finding(finding: &Diagnostic) -> Value {
    json!(FullFinding::new(finding))
}

/// Returns findings as JSON.
pub fn findings(findings: &[Diagnostic]) -> Value {
    findings.iter().map(finding).collect()
}
