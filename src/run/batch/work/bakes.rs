//! The work on skinned glTF files: baking a file to plain meshes, at one moment or frame by frame.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::bake_content::{check_limits, read};
use super::bake_job::BakeJob;
use super::bake_maker::Maker;
use super::bake_plan::{ClipPlan, PlannedOutput, plan};
use super::content::OutputFormat;
use super::estimate;
use super::job::{Buffers, JobContext, Unfinished, Work};
use super::names::{bake_file_name, gltf_stem};
use super::outputs::{check_absent, check_overwritten};
use crate::bake::Source;
use crate::io::{DirectoryLoader, Found, IoError, MappedFiles, TextLen};
use crate::run::batch::options::{Options, one_for_each};
use crate::run::batch::outcome::{Outcome, OutputRecord};
use crate::run::batch::schedule::budget::Postponed;
use crate::run::batch::schedule::clock::Stage;
use rigy_base::diag::{Diagnosed, Warned};
use rigy_base::loader::{FileRecord, Location, RecordingLoader};
use rigy_base::maps::HashMap;
use rigy_base::sync::Mutex;
use rigy_export::Images;
use rigy_gltf::{JointScale, Resources, text_len};

/// Fitting helper joints takes as much memory as so many frames.
const HELPERS: usize = 24;

/// The work on skinned glTF files.
pub struct Bakes {
    /// The loader of each root.
    loaders: HashMap<PathBuf, DirectoryLoader>,
    job: BakeJob,
    /// The bytes that images would take more if they were in each output, where nobody asked for them to be beside.
    shared_len: Arc<AtomicU64>,
}

impl Bakes {
    /// Prepares the work on inputs.
    ///
    /// # Errors
    /// If a root cannot be resolved.
    pub fn new(found: &[Found], options: &Options, job: BakeJob) -> Result<Self, IoError> {
        let roots = found.iter().map(|input| options.root_of(input));
        let loader = |root: &Path| DirectoryLoader::new(root)?.playing(&job.motion);
        let loaders = one_for_each(roots, loader)?;
        Ok(Self {
            loaders,
            job,
            shared_len: Arc::default(),
        })
    }

    /// Returns the number of bytes, which grows with each input, that images of frames would take more if they were in each frame and
    /// not by default beside them.
    pub fn shared_len(&self) -> Arc<AtomicU64> {
        self.shared_len.clone()
    }

    /// Returns the records of the outputs of a file, in the order of the plan, without those that are known only when they are
    /// made.
    fn records(
        &self,
        plans: &[ClipPlan],
        found: &Found,
        directory: &Path,
        options: &Options,
    ) -> Vec<OutputRecord> {
        let stem = stem_of(found, options);
        let Some(ending) = self
            .job
            .export
            .map_or(Some("glb"), |export| export.ending())
        else {
            return Vec::new();
        };
        let of_clip = |plan: &ClipPlan| {
            let clip = plan.label.as_deref();
            let record = |output: PlannedOutput| {
                let name = bake_file_name(&stem, clip, output.frame(), ending);
                let path = directory.join(name);
                let mut record = OutputRecord::new(None, OutputFormat::Glb, Some(path));
                record.moment = Some(match output {
                    PlannedOutput::Moment(moment) => moment.recorded,
                    PlannedOutput::Animated(_, _, recorded) | PlannedOutput::Joined(recorded) => {
                        recorded
                    }
                });
                record
            };
            plan.outputs().map(record).collect::<Vec<_>>()
        };
        plans.iter().flat_map(of_clip).collect()
    }

    fn images<'s>(&self, source: &'s Source, found: &Found, options: &Options) -> Images<'s> {
        let name = stem_of(found, options).into_string().ok();
        name.map_or_else(Images::default, |name| {
            self.job.exported_images(source, &name)
        })
    }

    /// Returns the paths of an input's outputs with these records, and of the files beside them, but for textures.
    fn paths(
        &self,
        records: Vec<OutputRecord>,
        found: &Found,
        directory: &Path,
        options: &Options,
    ) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = records
            .into_iter()
            .filter_map(|record| record.path)
            .collect();
        if let Some(export) = &self.job.export {
            let stems = paths.iter().filter_map(|path| path.file_stem()?.to_str());
            let names: Vec<String> = if export.ending().is_some() {
                stems.flat_map(|stem| export.names_beside(stem)).collect()
            } else {
                let name = stem_of(found, options).into_string().ok();
                name.map_or_else(Vec::new, |name| export.names_beside(&name))
            };
            paths.extend(names.into_iter().map(|name| directory.join(name)));
        }
        paths
    }

    /// Reads a file and passes it to `then`. Returns the result, and the files that were read or looked for; `None` if the file
    /// itself cannot be read.
    fn with_source<T>(
        &self,
        found: &Found,
        options: &Options,
        then: impl FnOnce(Diagnosed<Source>) -> T,
    ) -> Option<(T, FileRecord)> {
        let mapped = Arc::<MappedFiles>::default();
        let map: Option<TextLen> = Some(text_len);
        let bytes = read(&found.path, options, &mapped, map).ok()?;
        let loader = self.loaders[options.root_of(found)].mapping(Some(&mapped));
        let loader = RecordingLoader::new(loader, FileRecord::default());
        let (location, allowed) = (Location(found.path.clone()), &self.job.allowed_extensions);
        let source = Source::read_allowing(bytes.as_ref(), &location, &loader, allowed);
        let result = then(source.map(|mut source| {
            source.value.file.meter = options.limits.meter();
            source.value
        }));
        Some((result, loader.record()))
    }

    /// Returns the names of those requested joints that a file has.
    fn names(&self, source: &Source) -> Vec<String> {
        let JointScale::LocalFor(wanted) = &self.job.skinning.scale else {
            return Vec::new();
        };
        let joints = source.file.skins.iter().flat_map(|skin| &skin.joints);
        let names = joints.filter_map(|node| source.file.nodes[*node].name.clone());
        names.filter(|name| wanted.contains(name)).collect()
    }
}

/// The beginning of the names of an input's outputs. With `baked` they differ from their input beside them.
fn stem_of(found: &Found, options: &Options) -> OsString {
    let mut stem = options.output.stem_of(found, gltf_stem);
    if options.output.directory().is_none() {
        stem.push(".baked");
    }
    stem
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
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf> {
        if !self.job.names_depend_on_content() {
            let records = self.records(&[ClipPlan::STORED], found, directory, options);
            return self.paths(records, found, directory, options);
        }
        if let Some(outcome) = known() {
            let names = outcome.file_names(self.job.export.is_some());
            return names.map(|name| directory.join(name)).collect();
        }
        let planned = |source: Result<Source, _>| {
            let mut source = source.ok()?;
            let plans = plan(&self.job, &mut source).ok()?.value;
            let images = self.images(&source, found, options);
            let textures: Vec<String> = images.file_names().collect();
            Some((plans, textures))
        };
        let planned = self.with_source(found, options, planned);
        let (plans, textures) = planned.and_then(|(planned, _)| planned).unwrap_or_default();
        let records = self.records(&plans, found, directory, options);
        let mut paths = self.paths(records, found, directory, options);
        paths.extend(textures.into_iter().map(|name| directory.join(name)));
        paths
    }

    fn estimate(&self, found: &Found) -> u64 {
        estimate::of_gltf(&found.path)
    }

    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf> {
        // References count even if the file has errors.
        let read = self.with_source(found, options, |_| ());
        let locations = read.map(|((), record)| record.locations().to_vec());
        let locations = locations.unwrap_or_default().into_iter();
        locations.map(|location| location.0).collect()
    }

    fn run(&self, job: &JobContext, buffers: &mut Buffers) -> Result<Outcome, Unfinished> {
        let path = &job.found.path;
        let map: Option<TextLen> = job.options.map.then_some(text_len);
        let bytes = read(path, job.options, job.mapped, map);
        let bytes = bytes.map_err(|error| vec![IoError::new("read", path, error).finding()])?;
        let location = Location(path.clone());
        let mut record = FileRecord::default();
        record.add_read(&location, bytes.trace);
        let bytes: &[u8] = bytes.as_ref();
        let motion = self.job.motion.as_ref();
        let motion = motion.map_or(0, |motion| estimate::of_gltf(&motion.location.0));
        let least = estimate::of_gltf_bytes(bytes).saturating_add(motion);
        job.reserve(least)?;
        estimate::check_can_allocate(least, job.name)?;
        let loader = &self.loaders[job.options.root_of(job.found)];
        let loader = loader.mapping(job.options.map.then_some(job.mapped));
        let loader = RecordingLoader::new(loader, record);
        let postponed = Cell::new(None);
        let admit = |files: u64| {
            if let Err(refused) = job.reserve(least.saturating_add(files)) {
                postponed.set(Some(refused));
                return Err(Vec::new());
            }
            estimate::check_can_allocate(files, job.name)
        };
        let resources = Resources::new(&location, &loader);
        let allowed = &self.job.allowed_extensions;
        let source = Source::read_from(bytes, &resources, allowed, &admit);
        if let Some(postponed) = postponed.get() {
            return Err(postponed.into());
        }
        let Warned {
            mut value,
            mut warnings,
        } = source?;
        value.file.meter = job.options.limits.meter();
        check_limits(&job.options.limits, &value)
            .map_err(|error| vec![error.about_file(job.name)])?;
        let plans = plan(&self.job, &mut value)?;
        warnings.extend(plans.warnings);
        let plans = plans.value;
        if plans.is_empty() {
            let mut outcome = Outcome::skipped(path);
            outcome.warn(warnings, job.options)?;
            return Ok(outcome);
        }
        let records = self.records(&plans, job.found, job.directory, job.options);
        let at_once = rayon::current_num_threads().min(records.len());
        let mut baked = estimate::of_bakes(&value, bytes, at_once, self.job.has_several_frames());
        if self.job.form.is_some() {
            let frames = plans.iter().map(ClipPlan::len).max().unwrap_or(0);
            baked = baked.saturating_add(estimate::of_frames(&value, frames));
        }
        if self.job.helpers.is_some() {
            baked = baked.saturating_add(estimate::of_frames(&value, HELPERS));
        }
        if let Some(export) = self.job.export {
            let frames = plans.iter().map(ClipPlan::len).max();
            let frames = frames.filter(|_| export.holds_clips()).unwrap_or(0);
            baked = baked.saturating_add(estimate::of_exports(&value, at_once, frames));
        }
        job.reserve(least.saturating_add(baked))?;
        estimate::check_can_allocate(baked, job.name)?;
        let mut outcome = Outcome::of(path, records, self.names(&value));
        buffers.clock.lap(Stage::Read);
        let images = self.images(&value, job.found, job.options);
        let read = loader.record();
        let paths = read.locations().iter().map(|location| &*location.0);
        let absent = read.absent().map(|location| &*location.0);
        let single = "choose one with `--animation` and `--time`";
        let written = job
            .check_single(outcome.records.len(), single)
            .and_then(|()| {
                check_overwritten(job.on_disk(&outcome.records), paths, job.sources, job.name)
            })
            .and_then(|()| check_absent(job.on_disk(&outcome.records), absent, job.name))
            .and_then(|()| {
                outcome.warn(warnings, job.options)?;
                let maker = Maker {
                    job: &self.job,
                    skinning: &self.job.skinning,
                    source: &value,
                    images: &images,
                    plans: &plans,
                    context: job,
                    buffers: Mutex::default(),
                    stem: stem_of(job.found, job.options).into_string().ok(),
                };
                let count = outcome.records.len();
                let made = maker.all(&mut outcome, &read, &mut buffers.output)?;
                let is_default = self.job.textures.is_none() && self.job.puts_textures_beside();
                if is_default {
                    let images = self.job.files_beside(&value);
                    let len: u64 = images.iter().map(|image| image.bytes.len() as u64).sum();
                    let saved = len * count.saturating_sub(1) as u64;
                    self.shared_len.fetch_add(saved, Ordering::Relaxed);
                }
                buffers.clock.lap(Stage::Write);
                job.put_in_place(made, &mut outcome.records)
            });
        if job.given_up(&written) {
            return Err(Postponed::STOPPED.into());
        }
        outcome.made_of = loader.record().files_read();
        outcome.is_news = true;
        Ok(outcome.with_result(written))
    }

    fn describe(&self) -> String {
        format!("{:?}", self.job)
    }
}
