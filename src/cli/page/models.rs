//! Data files with the scenes of inputs, which the viewer shows from the report page.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::bake::Skinning;
use crate::cli::inputs::shown_len;
use crate::io::{Found, IoError, Sink, Staged, Target, own_memory_limit};
use crate::run::batch::{
    BakeJob, ChunkKind, Options, Outcome, OutputRecord, PageModel, check_can_allocate,
};
use rigy_base::diag::Diagnostic;
use rigy_base::paths::Slashed;
use rigy_base::short::short_name;
use rigy_base::sync::Mutex;

/// Inputs with a longer file or output than this are done one at a time, because a scene takes several times that memory.
/// Where the process has a limit of its own on memory, all are.
const LARGE: u64 = 4 << 20;
/// Bytes that a scene takes for each byte of the longest of its files (measured: 9).
const SCENE: u64 = 16;

/// The moments that the outputs of an input show, so that the viewer can begin with that of an output.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A document at rest and its poses.
    Poses,
    /// Moments of a glTF file, evaluated as this job says.
    Moments(Box<BakeJob>),
}

/// Makes the data files of a page. All threads use it.
pub struct Models<'a> {
    inputs: &'a [Found],
    options: &'a Options,
    shown: Shown,
    /// The longest input, output and data file, in bytes.
    most: u64,
    sink: Sink,
    directory: PathBuf,
    large: Mutex<()>,
}

/// The model of an input.
pub struct Model {
    /// The data file, or the reason why there is none.
    made: Result<(DataFile, String), String>,
    /// For each output, what the address of the viewer says.
    views: Vec<View>,
}

/// Names and values in the address of the viewer.
type View = Vec<(&'static str, String)>;

impl<'a> Models<'a> {
    /// Prepares to make models of inputs, which are sorted by path. Data files have at most `most` bytes and go to
    /// `directory`, by way of `sink`.
    pub(super) fn new(
        (inputs, options): (&'a [Found], &'a Options),
        shown: Shown,
        most: u64,
        (sink, directory): (Sink, PathBuf),
    ) -> Self {
        Self {
            inputs,
            options,
            shown,
            most,
            sink,
            directory,
            large: Mutex::default(),
        }
    }

    /// Makes the model of an input. Returns `None` if the input has failed.
    ///
    /// # Errors
    /// If the data file cannot be written. That there is no model is no error: the page says why.
    pub fn make(&self, outcome: &Outcome) -> Result<Option<Model>, IoError> {
        if outcome.has_failed() {
            return Ok(None);
        }
        let made = catch_unwind(AssertUnwindSafe(|| self.scene(outcome)));
        let made = made.unwrap_or_else(|_| {
            let name = outcome.input.shown();
            Err(Diagnostic::panicked(&name).message)
        });
        Ok(Some(match made {
            Err(reason) => Model {
                made: Err(format!("There is no model for the viewer: {reason}.")),
                views: Vec::new(),
            },
            Ok((script, views)) => {
                let name = name_of(&script);
                let path = self.directory.join(format!("scene-{name}.js"));
                let write = |out: &mut dyn std::io::Write| out.write_all(script.as_bytes());
                let staged = self.sink.stage(Target::new(&path), write)?;
                let file = DataFile {
                    name: format!("scene-{name}.js"),
                    len: script.len() as u64,
                    staged,
                };
                Model {
                    made: Ok((file, name)),
                    views,
                }
            }
        }))
    }

    /// Returns the text of the data file of an input, and the views of its outputs; or the reason why there is none.
    fn scene(&self, outcome: &Outcome) -> Result<(String, Vec<View>), String> {
        let input = self
            .inputs
            .binary_search_by(|found| found.path.cmp(&outcome.input));
        let input = input.map_err(|_| "the input is not known")?;
        let input = &self.inputs[input];
        let len = crate::io::len_for_estimate(&input.path);
        let outputs = outcome.records.iter().filter_map(|record| record.bytes);
        let longest = outputs.chain([len]).max().unwrap_or(0);
        self.check_len(longest)?;
        let is_large = longest > LARGE || own_memory_limit().is_some();
        let _alone = is_large.then(|| self.large.lock());
        let name = outcome.input.shown();
        check_can_allocate(longest.saturating_mul(SCENE), &name).map_err(first_message)?;
        let (script, views) = self.script(input, &outcome.records)?;
        self.check_len(script.len() as u64)?;
        Ok((script, views))
    }

    fn check_len(&self, len: u64) -> Result<(), String> {
        if len <= self.most {
            Ok(())
        } else {
            Err(format!(
                "it would have {} or more, and `--models` allows {}",
                shown_len(len),
                shown_len(self.most)
            ))
        }
    }

    fn script(
        &self,
        input: &Found,
        records: &[OutputRecord],
    ) -> Result<(String, Vec<View>), String> {
        use crate::cli::scene::{Reading, read_scene};

        let job = match &self.shown {
            Shown::Moments(job) => job,
            Shown::Poses => &Box::new(BakeJob::new(Skinning::linear())),
        };
        let reading = Reading {
            root: self.options.root_of(input),
            max_file: self.most,
            limits: self.options.limits,
            scale: &job.skinning.scale,
            required_joints: &[],
            allowed_extensions: &job.allowed_extensions,
            motion: &job.motion,
            isa: self.options.isa,
        };
        let read = read_scene(&input.path, &reading).map_err(|error| error.to_string())?;
        let scene = read.map_err(first_message)?.value;
        let names: Vec<&str> = scene.clips.iter().map(|clip| &*clip.name).collect();
        let views = records.iter().map(|record| self.shown.view(record, &names));
        Ok((super::scene_script(&scene), views.collect()))
    }
}

/// Returns the message of the first of some errors.
fn first_message(errors: Vec<Diagnostic>) -> String {
    let first = errors.first();
    first.map_or_else(String::new, |e| e.message_with_path().into_owned())
}

impl Shown {
    /// Returns what the address of the viewer says to show an output of an input whose animations have the names `clips`.
    fn view(&self, record: &OutputRecord, clips: &[&str]) -> View {
        let skinning = match self {
            Self::Poses => {
                let pose = record.pose.iter();
                return pose
                    .map(|id| ("pose", short_name(id).into_owned()))
                    .collect();
            }
            Self::Moments(job) => &job.skinning,
        };
        let moment = record.moment.clone().unwrap_or_default();
        let named = |name: &str| clips.iter().position(|clip| *clip == short_name(name));
        let animation = moment.animation.as_deref();
        let clip = animation.and_then(|name| named(name).or_else(|| name.parse().ok()));
        // Clip 0 of the viewer is the file as its nodes are stored.
        let clip = clip.map_or(0, |clip: usize| clip.saturating_add(1));
        let mut view = vec![("clip", clip.to_string())];
        view.extend((clip > 0).then(|| ("t", moment.time.unwrap_or(0.0).to_string())));
        if skinning.solver == rigy_language::model::Solver::Dqs {
            view.push(("left", "dqs".into()));
        }
        view
    }
}

impl Model {
    /// Returns the model as the row of an output has it: the `index`-th of its input.
    pub fn of_output(&self, index: usize) -> PageModel {
        match &self.made {
            Ok((file, name)) => PageModel::Scene {
                scene: name.clone(),
                bytes: file.len,
                view: self.views.get(index).cloned().unwrap_or_default(),
            },
            Err(note) => PageModel::None { note: note.clone() },
        }
    }

    /// Returns the data file, if there is one.
    pub fn into_file(self) -> Option<DataFile> {
        self.made.ok().map(|(file, _)| file)
    }
}

/// A file that is not yet in its place.
#[derive(Debug)]
pub struct DataFile {
    /// The name of the file.
    pub name: String,
    /// Its length in bytes.
    pub len: u64,
    /// The file itself.
    pub staged: Staged,
}

/// Returns sixteen hexadecimal digits of the hash of a content. A file of another content has another name, so a page that
/// is open finds its own data or none.
pub fn name_of(content: &str) -> String {
    let hash = Sha256::digest(content);
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns true if a file has the name of a data file: a kind of chunk or `scene`, `-`, 16 hexadecimal digits and `.js`; or
/// `viewer-`, such digits and `.html`.
pub fn is_data_file(name: &str) -> bool {
    let parts = name
        .split_once('-')
        .and_then(|(kind, rest)| Some((kind, rest.split_once('.')?)));
    parts.is_some_and(|(kind, (hash, ending))| {
        let is_kind = match ending {
            "js" => kind == "scene" || ChunkKind::ALL.iter().any(|known| known.name() == kind),
            _ => (kind, ending) == ("viewer", "html"),
        };
        is_kind && hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_not_taken_for_data_files() {
        for name in [
            "rows-0123456789abcdef.js",
            "models-0123456789abcdef.js",
            "scene-0123456789abcdef.js",
            "viewer-0123456789abcdef.html",
        ] {
            assert!(is_data_file(name), "{name}");
        }
        for name in [
            "viewer-0123456789abcdef.js",
            "rows-0123456789abcdef.html",
            "scene-0123456789abcde.js",
            "scene-0123456789abcdeg.js",
            "notes-0123456789abcdef.js",
            "scene.js",
            "precious.html",
        ] {
            assert!(!is_data_file(name), "{name}");
        }
    }
}
