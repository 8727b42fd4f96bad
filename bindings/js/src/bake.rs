//! Baking one glTF file.

use rigy_batch::Location;
use rigy_batch::run::batch::BakeOptions;
use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, Part, Refusal, findings};
use crate::host::Playing;

/// The arguments of `bake`: a name, and `BakeOptions` of `index.d.ts`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bake {
    name: String,
    options: BakeOptions,
}

impl Bake {
    /// Answers the files that the program writes: their names, and the bytes of each as a part. Without names there is one GLB.
    pub fn answer(self, bytes: &[u8]) -> Result<Answer, Refusal> {
        let loader = Playing::new(self.options.motion.as_deref());
        let job = self.options.job().map_err(Refusal::Malformed)?;
        let location = Location(self.name.into());
        let baked = job.bake_file(bytes, &location, &loader)?;
        let (names, contents): (Vec<String>, Vec<Vec<u8>>) = baked.value.into_iter().unzip();
        let names = (!job.makes_one_glb()).then_some(names);
        let result = json!({ "warnings": findings(&baked.warnings), "names": names });
        let parts = contents.into_iter().map(Part::Bytes);
        Ok(parts.fold(Answer::new(result), Answer::with))
    }
}
