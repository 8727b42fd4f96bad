//! Describing a document or a glTF file: the objects that `inspect --format json` prints for a single file.

use rigy_batch::bake::gltf;
use rigy_batch::mesh::MAX_POSED;
use rigy_batch::view::description::{DocumentOptions, GltfObject, of_document};
use rigy_batch::{Diagnostic, Files, Input, Limits, Location, Warned, check, compile};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::{Answer, Refusal, findings};
use crate::host::HostLoader;
use crate::limit::limits;

/// The arguments of `inspect`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Inspect {
    name: String,
    is_document: bool,
    #[serde(default)]
    primitives: Vec<String>,
    #[serde(default)]
    pairwise_gaps: bool,
    #[serde(default)]
    intent_checks: bool,
    #[serde(default, deserialize_with = "limits")]
    limit: Limits,
}

impl Inspect {
    pub fn answer(self, bytes: &[u8]) -> Result<Answer, Refusal> {
        Ok(if self.is_document {
            self.document(bytes)?
        } else {
            gltf_file(bytes, &self.name)?
        })
    }

    fn document(self, bytes: &[u8]) -> Result<Answer, Vec<Diagnostic>> {
        let name = &*self.name;
        let input = Input::new(name, compile::decode(name, bytes)?);
        let most = Limits::DEFAULT.vertices(MAX_POSED);
        let files = Files::new(HostLoader).within(self.limit.at_most(most));
        let checked = check(input, &files)?;
        let built = checked.value.build()?;
        let options = DocumentOptions {
            primitives: self.primitives,
            pairwise_gaps: self.pairwise_gaps,
            intent_checks: self.intent_checks,
        };
        let description = of_document(&built.value, &options, name)?;
        let warnings = [checked.warnings, built.warnings].concat();
        Ok(described(&description, &warnings))
    }
}

fn gltf_file(bytes: &[u8], name: &str) -> Result<Answer, Vec<Diagnostic>> {
    let location = Location(name.into());
    let Warned { value, warnings } = gltf::read(bytes, &location, &HostLoader)?;
    let object = GltfObject::new(&value, bytes, &location, &HostLoader, warnings)?.value;
    Ok(described(&object, &[]))
}

/// Returns the answer with a description and the warnings that it does not contain.
fn described(description: &impl Serialize, warnings: &[Diagnostic]) -> Answer {
    Answer::new(json!({ "description": description, "warnings": findings(warnings) }))
}
