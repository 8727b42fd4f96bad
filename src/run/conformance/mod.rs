//! Running conformance manifests.
//!
//! The input is a `manifest.json` in the published format. [`verify`] returns a verdict for one of its tests; if a GLB
//! differs, the verdict names the first field that does. Files are compared byte for byte, without tolerances. [`against`]
//! compares the outputs of another implementation instead, with distances and a tolerance if the caller wishes one.

mod against;
mod manifest;
mod verify;

pub use against::{Compared, Others, against, verdict, with_files};
pub use manifest::{Expectation, Manifest, ManifestError, Test, positions_difference};
pub use verify::{Suite, Verdict, verify};
