//! Running conformance manifests.
//!
//! In: a `manifest.json` in the published format. Out: a verdict for each of its tests; for a GLB that differs,
//! the first field that does. Files are compared byte for byte, nothing is tolerated.

mod diff;
mod manifest;
mod run;

pub use diff::{first_difference, positions_difference};
pub use manifest::{Expectation, Manifest, Test};
pub use run::{Verdict, verify};
