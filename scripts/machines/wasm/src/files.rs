//! The files of the host, and what becomes of them: the outputs that the program would write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rigy_batch::base::diag::Diagnostic;
use rigy_batch::run::batch::{OutputFormat, document_stem, export_file_name, pose_file_name};
use rigy_batch::run::conformance::{self, Manifest};
use rigy_batch::{
    Files, Input, Isa, JointScale, Location, MemoryLoader, Moment, OutputFile, Sequential,
    Skinning, Source, check,
};

use crate::answer::Answer;

/// The files below one root.
#[derive(Default)]
pub struct Inputs {
    loader: MemoryLoader,
    /// The same files as documents share them; `None` after a file has been added.
    shared: Option<Files>,
}

impl Inputs {
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.loader.files.insert(name, bytes);
        self.shared = None;
    }

    fn shared(&mut self) -> &Files {
        let new = || Files::new(self.loader.clone());
        self.shared.get_or_insert_with(new)
    }

    fn bytes(&self, name: &str) -> &[u8] {
        let found = self.loader.files.get(name);
        found.unwrap_or_else(|| panic!("the host has not added `{name}`"))
    }

    pub fn verify(&mut self) -> Result<Answer, Vec<Diagnostic>> {
        let manifest: Manifest =
            serde_json::from_slice(self.bytes("manifest.json")).expect("it is a manifest");
        let files = self.shared();
        let mut lines = String::new();
        for test in &manifest.tests {
            let verdict = conformance::verify(test, Path::new(""), files, Isa::best());
            lines += &serde_json::to_string(&verdict).expect("a verdict is JSON");
            lines.push('\n');
        }
        Ok(Answer::default().with("verdicts", lines.as_bytes()))
    }

    pub fn compile(&mut self, name: &str) -> Result<Answer, Vec<Diagnostic>> {
        let text = str::from_utf8(self.bytes(name))
            .expect("it is UTF-8")
            .to_owned();
        let checked = check(Input::new(name, &text), self.shared())?.value;
        let compiled = checked.build()?.value;
        let mut outputs = BTreeMap::new();
        let stem = document_stem(Path::new(name).file_name().unwrap_or_default());
        outputs.insert(export_file_name(&stem), compiled.export()?.to_bytes());
        for id in compiled.pose_ids() {
            let posed = compiled
                .pose(id, Isa::best(), &Sequential)
                .expect("the id is its own");
            let name_in = |format| pose_file_name(&stem, id, format);
            outputs.insert(name_in(OutputFormat::Glb), posed.bake()?.to_bytes());
            outputs.insert(
                name_in(OutputFormat::Positions),
                posed.positions()?.to_bytes(),
            );
        }
        let beside = |output: PathBuf| Path::new(name).with_file_name(output);
        Ok(outputs
            .into_iter()
            .fold(Answer::default(), |answer, (output, bytes)| {
                answer.with(&beside(output.into()).to_string_lossy(), &bytes)
            }))
    }

    pub fn bake(&self, name: &str, dual: bool, time: f64) -> Result<Answer, Vec<Diagnostic>> {
        let location = Location(name.into());
        let source = Source::read(self.bytes(name), &location, &self.loader)?.value;
        let moment = match time.is_nan() || source.file.animations.is_empty() {
            true => Moment::default(),
            false => Moment::default().animation("0").time(time),
        };
        let skinning = match dual {
            true => Skinning::dual_quaternions(JointScale::Global),
            false => Skinning::linear(),
        };
        let baked = source.bake(&moment, &skinning, Isa::best())?.value;
        let output = Path::new(name).with_extension("glb");
        let bytes = baked.to_bytes()?.value;
        Ok(Answer::default().with(&output.to_string_lossy(), &bytes))
    }
}
