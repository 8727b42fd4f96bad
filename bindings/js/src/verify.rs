//! Conformance manifests.

use std::path::PathBuf;

use rigy_batch::run::conformance::{self, Manifest, Suite};
use rigy_batch::{Files, Isa, Limits};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::host::HostLoader;
use crate::limit::limits;

/// The arguments of `verify`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    #[serde(default, deserialize_with = "limits")]
    limit: Limits,
}

impl Verify {
    /// Runs the tests of a manifest. Answers their verdicts in order, with the keys that `verify --format json` prints.
    pub fn answer(self, manifest: &[u8]) -> Result<Answer, Refusal> {
        let manifest: Result<Manifest, _> = serde_json::from_slice(manifest);
        let manifest =
            manifest.map_err(|error| Refusal::Malformed(format!("manifest: {error}")))?;
        let suite = Suite {
            directory: PathBuf::new(),
            files: Files::new(HostLoader).within(self.limit),
            isa: Isa::best(),
        };
        let verdict = |test| json!(conformance::verify(test, &suite));
        let verdicts: Value = manifest.tests.iter().map(verdict).collect();
        Ok(Answer::new(verdicts))
    }
}
