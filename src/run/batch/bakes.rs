//! Skinned glTF files: one file to plain meshes, at one moment or frame after frame.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::bake_content::stage;
use super::budget::Postponed;
use super::clock::{Clock, Stage};
use super::frames::Frames;
use super::memory;
use super::names::{OutputFormat, bake_file_name, gltf_stem, is_gltf_input};
use super::options::{Options, one_for_each};
use super::outcome::{Outcome, OutputRecord};
use super::outputs::overwritten;
use super::staging::{Made, Staging};
use super::work::{Buffers, Place, Standing, Work};
use crate::bake::gltf::{JointScale, MAX_RESOURCE_LEN, text_len};
use crate::bake::{GENERATOR, Moment, Skinning, Source};
use crate::base::diag::{Category, Code, Diagnostic, Span, Warned};
use crate::base::limits::Limits;
use crate::base::loader::{Location, ResolvingLoader};
use crate::io::{DirectoryLoader, Found, IoError, Reading, Target, TextLen};

/// The way in which each file is baked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BakeJob {
    /// The animation and the time.
    pub moment: Moment,
    /// Frames, each at its own time instead of the moment's.
    pub frames: Option<Frames>,
    /// The solver by which vertices follow their joints.
    pub skinning: Skinning,
}

impl BakeJob {
    /// One output for each file, with its nodes as they are stored.
    pub fn new(skinning: Skinning) -> Self {
        Self {
            moment: Moment::default(),
            frames: None,
            skinning,
        }
    }

    /// Sets the animation and the time.
    #[must_use]
    pub fn moment(self, moment: Moment) -> Self {
        Self { moment, ..self }
    }

    /// Sets frames: one output for each.
    #[must_use]
    pub fn frames(self, frames: Frames) -> Self {
        let frames = Some(frames);
        Self { frames, ..self }
    }
}

/// Baking skinned glTF files.
pub struct Bakes {
    /// What finds other files below each root.
    loaders: HashMap<PathBuf, DirectoryLoader>,
    job: BakeJob,
    outputs_among_inputs: bool,
}

impl Bakes {
    /// Prepares for some inputs.
    ///
    /// # Errors
    /// If a root cannot be resolved.
    pub fn new(found: &[Found], options: &Options, job: BakeJob) -> Result<Self, IoError> {
        let roots = found.iter().map(|input| options.root_of(input));
        let loaders = one_for_each(roots, DirectoryLoader::new)?;
        Ok(Self {
            loaders,
            job,
            outputs_among_inputs: false,
        })
    }

    /// Says whether outputs go to a directory that would have been searched for inputs otherwise. Then a file there
    /// that could be an input is replaced only if an earlier run has made it.
    #[must_use]
    pub fn outputs_among_inputs(self, yes: bool) -> Self {
        Self {
            outputs_among_inputs: yes,
            ..self
        }
    }

    /// Where the outputs of a file go: their names follow from its own.
    fn paths(&self, found: &Found, directory: &Path, options: &Options) -> Vec<PathBuf> {
        let stem = gltf_stem(found.path.file_name().unwrap_or(OsStr::new("")));
        let beside = options.output.is_none();
        let name = |frame| directory.join(bake_file_name(&stem, beside, frame));
        match &self.job.frames {
            None => vec![name(None)],
            Some(frames) => frames.labels().map(|label| name(Some(label))).collect(),
        }
    }

    /// Names of the joints that are asked for and that a file has.
    fn names(&self, source: &Source<'_>) -> Vec<String> {
        let JointScale::LocalFor(wanted) = &self.job.skinning.scale else {
            return Vec::new();
        };
        let joints = source.file.skins.iter().flat_map(|skin| &skin.joints);
        let names = joints.filter_map(|node| source.file.nodes[*node].name.clone());
        names.filter(|name| wanted.contains(name)).collect()
    }

    /// Bakes a file once, or once for each frame; all of it before anything is put in its place.
    fn make_all(
        &self,
        source: &Source<'_>,
        staging: &Staging<'_>,
        outcome: &mut Outcome,
        buffer: &mut Vec<u8>,
    ) -> Result<Vec<Made>, Vec<Diagnostic>> {
        let one = |index: usize, record: &mut OutputRecord, buffer: &mut Vec<u8>| {
            let mut clock = Clock::start();
            let mut moment = self.job.moment.clone();
            if let Some(frames) = &self.job.frames {
                moment.time = Some(frames.time(index));
            }
            let baked = source.bake(&moment, &self.job.skinning, staging.place.options.isa)?;
            let Warned {
                value,
                mut warnings,
            } = baked;
            let (made, of_vertices) = stage(staging, &value, record, buffer)?;
            warnings.extend(of_vertices);
            record.time = clock.lap(Stage::Write);
            Ok((made, warnings))
        };
        let results: Vec<Result<_, Vec<Diagnostic>>> = match &mut *outcome.records {
            [record] => vec![one(0, record, buffer)],
            records => (records.par_iter_mut().enumerate())
                .map_init(Vec::new, |buffer, (index, record)| {
                    one(index, record, buffer)
                })
                .collect(),
        };
        // What is found in every frame is said once.
        let (mut made, mut warnings, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let keep = |list: &mut Vec<Diagnostic>, found: Vec<Diagnostic>| {
            for finding in found {
                if !list.contains(&finding) {
                    list.push(finding);
                }
            }
        };
        for result in results {
            match result {
                Ok((one, found)) => {
                    made.push(one);
                    keep(&mut warnings, found);
                }
                Err(found) => keep(&mut errors, found),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        outcome.warn(warnings, staging.place.options)?;
        Ok(made)
    }
}

impl Work for Bakes {
    fn stem(&self, file_name: &OsStr) -> OsString {
        gltf_stem(file_name)
    }

    fn outputs(
        &self,
        found: &Found,
        directory: &Path,
        options: &Options,
        _: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf> {
        self.paths(found, directory, options)
    }

    fn estimate(&self, found: &Found) -> u64 {
        memory::of_gltf(&found.path)
    }

    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf> {
        let reading = Reading::default();
        let map: Option<TextLen> = Some(text_len);
        let read = reading.read_or_map(&found.path, MAX_RESOURCE_LEN, map, None);
        if let Ok(bytes) = read {
            let loader = &self.loaders[options.root_of(found)];
            let loader = ResolvingLoader::new(loader.noting(&reading, true));
            // A file with errors refers to what it refers to all the same.
            let _ = Source::read(bytes.as_ref(), &Location(found.path.clone()), &loader);
            return loader.locations().into_iter().map(|at| at.0).collect();
        }
        Vec::new()
    }

    fn standing_of(&self, path: &Path) -> Standing {
        match path.file_name() {
            _ if is_baked(path) => Standing::Output,
            Some(name) if self.outputs_among_inputs && is_gltf_input(name) => Standing::LeftOut,
            _ => Standing::Other,
        }
    }

    fn run(&self, place: &Place<'_>, buffers: &mut Buffers) -> Result<Outcome, Postponed> {
        let path = &place.found.path;
        let map: Option<TextLen> = place.options.map.then_some(text_len);
        let bytes = (place.reading).read_or_map(path, MAX_RESOURCE_LEN, map, None);
        let bytes = bytes.map_err(|error| {
            let message = IoError::new("read", path, error).to_string();
            let error = Diagnostic::without_code(Category::ParseError, message);
            vec![error.about_file(place.name)]
        });
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(errors) => return Ok(Outcome::failed(path, errors)),
        };
        let bytes: &[u8] = bytes.as_ref();
        let least = memory::of_gltf_bytes(bytes);
        place.room_for(least)?;
        if let Err(errors) = memory::check_room(least, place.name) {
            return Ok(Outcome::failed(path, errors));
        }
        let loader = &self.loaders[place.options.root_of(place.found)];
        let loader = loader.noting(place.reading, place.options.map);
        let location = Location(path.clone());
        let source = Source::read(bytes, &location, &loader);
        let Warned { value, warnings } = match source {
            Ok(source) => source,
            Err(errors) => return Ok(Outcome::failed(path, errors)),
        };
        if let Err(error) = within(&place.options.limits, &value) {
            return Ok(Outcome::failed(path, vec![error.about_file(place.name)]));
        }
        let frames = if self.job.frames.is_some() {
            rayon::current_num_threads()
        } else {
            1
        };
        let baked = memory::of_bakes(&value, bytes, frames);
        place.room_for(least + baked)?;
        if let Err(errors) = memory::check_room(baked, place.name) {
            return Ok(Outcome::failed(path, errors));
        }
        let paths = self.paths(place.found, place.directory, place.options);
        let record = |path| OutputRecord::new(None, OutputFormat::Glb, Some(path));
        let records = paths.into_iter().map(record).collect();
        let mut outcome = Outcome::of(path, records, self.names(&value));
        buffers.clock.lap(Stage::Read);
        let staging = Staging { place, work: self };
        let read = place.reading.paths();
        let paths = read.iter().map(PathBuf::as_path);
        let written =
            overwritten(&outcome.records, paths, place.sources, place.name).and_then(|()| {
                outcome.warn(warnings, place.options)?;
                let made = self.make_all(&value, &staging, &mut outcome, &mut buffers.output)?;
                buffers.clock.lap(Stage::Write);
                staging.put_in_place(made, &mut outcome.records)
            });
        outcome.made_of = Some(place.reading.files());
        Ok(outcome.ended(written))
    }

    fn describe(&self) -> String {
        format!("{:?}", self.job)
    }
}

/// Refuses what is beyond the limits on joints (U16) and vertices (U17).
fn within(limits: &Limits, source: &Source<'_>) -> Result<(), Diagnostic> {
    let fault = |code, message| Err(Diagnostic::new(code, Span::default(), message));
    let joints = source
        .file
        .skins
        .iter()
        .map(|skin| skin.joints.len() as u64);
    if let Some((skin, joints)) = joints.enumerate().find(|(_, count)| *count > limits.joints) {
        let limit = limits.joints;
        let message = format!("skin {skin} has {joints} joints; the limit is {limit}");
        return fault(Code::U16, message);
    }
    let primitives = source.file.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let vertices: u64 = primitives
        .map(|primitive| primitive.vertex_count as u64)
        .sum();
    if vertices > limits.vertices {
        let limit = limits.vertices;
        let message = format!("the meshes have {vertices} vertices; the limit is {limit}");
        return fault(Code::U17, message);
    }
    Ok(())
}

/// Whether the file at `path` is a GLB that names this program as its generator.
fn is_baked(path: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        asset: Asset,
    }
    #[derive(serde::Deserialize)]
    struct Asset {
        generator: String,
    }
    let generator = || {
        let mut file = Target::new(path).open().ok()?;
        let mut start = [0; 20];
        file.read_exact(&mut start).ok()?;
        let [magic, _, _, json_len, chunk] = *start.as_chunks::<4>().0 else {
            return None;
        };
        if magic != *b"glTF" || chunk != *b"JSON" {
            return None;
        }
        let json = BufReader::new(file).take(u32::from_le_bytes(json_len).into());
        let head: Head = serde_json::from_reader(json).ok()?;
        Some(head.asset.generator)
    };
    generator().is_some_and(|generator| generator == GENERATOR)
}
