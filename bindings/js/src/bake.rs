//! Baking one glTF file.

use rigy_batch::Location;
use rigy_batch::bake::BakeOptions;
use serde::Deserialize;

use crate::answer::{Answer, Refusal};
use crate::host::HostLoader;

/// The arguments of `bake`: a name, and `BakeOptions` of `index.d.ts`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bake {
    name: String,
    options: BakeOptions,
}

impl Bake {
    /// Answers the GLB, with the bytes that the program writes.
    pub fn answer(self, bytes: &[u8]) -> Result<Answer, Refusal> {
        let skinning = self.options.skinning().map_err(Refusal::Malformed)?;
        let location = Location(self.name.into());
        let baked = self
            .options
            .bake(bytes, &location, &HostLoader, &skinning)?;
        Ok(Answer::bytes(baked.value, &baked.warnings))
    }
}
