//! An input and an output that are in memory instead of on the disk, for batches of one input.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of the one input of a batch, which are not read from its path. References in it are relative to the directory of
/// that path. Clones share the bytes.
#[derive(Clone)]
pub struct HeldInput(Arc<[u8]>);

impl HeldInput {
    /// Makes an input of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl AsRef<[u8]> for HeldInput {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for HeldInput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "HeldInput({} bytes)", self.0.len())
    }
}

/// Takes the bytes of the one output of a batch, which is not written to the disk. An input with several outputs fails. Clones
/// share the bytes.
///
/// ```
/// use rigy_batch::run::batch::{HeldOutput, Options};
///
/// let output = HeldOutput::default();
/// let options = Options {
///     held_output: Some(output.clone()),
///     ..Options::default()
/// };
/// // Run a batch of one input with these options, then:
/// assert_eq!(output.take(), None); // the output was not made
/// ```
#[derive(Clone, Default)]
pub struct HeldOutput(Arc<Mutex<Option<Vec<u8>>>>);

impl HeldOutput {
    /// Returns the bytes, and keeps none; `None` if the output was not made.
    pub fn take(&self) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps the bytes of the output.
    pub(crate) fn put(&self, bytes: Vec<u8>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes);
    }
}

impl fmt::Debug for HeldOutput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("HeldOutput")
    }
}
