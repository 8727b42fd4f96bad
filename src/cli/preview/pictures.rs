//! The pictures of one file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use super::share::{self, cannot, label, named, states_of};
use crate::bake::Skinning;
use crate::cli::opened::Opened;
use crate::io::{Found, IoError};
use crate::mesh::{Evaluation, Model, State, Subject};
use crate::run::Parallel;
use crate::run::batch::{Budget, Frames, Grant, PoseFilter, Postponed, Unfinished};
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::limits::Limits;
use rigy_base::loader::Motion;
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_base::paths::Slashed;
use rigy_kernel::simd::Isa;
use rigy_view::picture::{
    Distances, Frame, Heat, Paint, Panel, Scenery, Textures, View, distances, draw, drawing_memory,
    write_note,
};

/// Most vertices and triangles of models that are kept between the measuring and the drawing of a file's states. The
/// states of larger files are evaluated twice.
const MOST_KEPT: usize = 1 << 20;

/// Fewest and most moments of a clip that are evaluated to frame it.
const SAMPLES: [usize; 2] = [4, 16];
/// Most vertices and triangles of these moments together, if they are not the fewest.
const MOST_SAMPLED: usize = 1 << 17;

/// Most bytes that the states of one file take together if they are drawn at the same time.
const MAX_TOGETHER: u64 = 1 << 30;

/// The options of all pictures.
pub struct Options {
    /// Pixels of a picture's side.
    pub size: usize,
    pub view: View,
    pub scenery: Scenery,
    pub poses: PoseFilter,
    pub animation: Option<String>,
    /// Times of the animation in seconds.
    pub times: Vec<f64>,
    pub frames: Option<Frames>,
    /// The number of cameras around each state; 1 without a turntable.
    pub turns: u16,
    pub skinning: Skinning,
    pub isa: Isa,
    pub limits: Limits,
    pub motion: Option<Motion>,
}

impl Options {
    /// The time for which each picture of an animation is shown, as a fraction of seconds; `None` for sheets.
    pub fn delay(&self) -> Option<[u16; 2]> {
        match &self.frames {
            Some(frames) => Some([100, (frames.rate() * 100.0).round().max(1.0) as u16]),
            None => (self.turns > 1).then_some([4, self.turns]),
        }
    }
}

/// The pictures of one file.
pub struct Pictures {
    pub panels: Vec<Panel>,
    /// The number of pictures, also after they have been written.
    pub count: usize,
    /// The distance that has the last colour.
    pub scale: Option<f64>,
    /// The file beside the input that has them.
    pub written: Option<PathBuf>,
    /// The ids of all poses of a document.
    pub poses: Vec<String>,
    /// The name of the file, and why textures are missing.
    pub notes: Vec<String>,
}

/// The other model, from which vertices have distances.
pub enum Other<'a> {
    File(&'a Subject<'a>),
    /// The same file with another solver.
    Solver(Skinning),
}

/// The work on each file.
pub struct Work<'a> {
    pub options: &'a Options,
    pub heat: Option<Other<'a>>,
    /// True if the pictures of a file have a sheet of their own, so that labels need not name the file.
    pub is_alone: bool,
    /// The pixels of all pictures so far if they are kept until the end; `None` if each file's are written at once.
    pub kept_pixels: Option<AtomicU64>,
}

/// The work that is left for each picture of a file once its model is made.
fn meter(limits: &Limits, found: &Found, subject: &Subject, count: usize) -> Diagnosed<Meter> {
    let mut meter = limits.meter().among(count);
    meter
        .spend(Cost::Models, subject.memory())
        .map_err(|over| too_much(found, over))?;
    Ok(meter)
}

fn too_much(found: &Found, over: Overspent) -> Vec<Diagnostic> {
    over.about(&found.path.slashed().to_string())
}

/// A model in one state, and its distances from the other file.
type Shown = (Model, Option<Distances>);

/// The frame, the greatest distance and the small models of all states of a file.
struct Measured {
    frame: Frame,
    /// The mean number of vertices and triangles of a state.
    size: usize,
    /// The greatest distance of all states.
    greatest: f64,
    /// The models that are small enough to be kept, by state.
    kept: Vec<Option<Shown>>,
}

impl Work<'_> {
    pub fn open(&self, found: &Found) -> Result<Opened, IoError> {
        Opened::new(found, self.options.limits, &self.options.motion)
    }

    /// Draws a file in all its states. Distances get the colours of `scale`, or else of the file's greatest.
    ///
    /// # Errors
    /// Everything that is wrong with the file; states that cannot be drawn. [`Unfinished::Postponed`] if the grant cannot be
    /// raised.
    pub fn pictures(
        &self,
        found: &Found,
        scale: Option<f64>,
        grant: &Grant,
    ) -> Result<Pictures, Unfinished> {
        let opened = self.open(found).map_err(|error| vec![error.finding()])?;
        let subject = opened.subject()?;
        let poses = subject.pose_ids();
        let states = states_of(found, self.options, &subject)?;
        let size = self.options.size;
        let turns = usize::from(self.options.turns);
        let count = states.len() * turns;
        let mut textures = match (&self.heat, &subject) {
            (None, Subject::Gltf(source, _)) => {
                grant.grow_to(Textures::memory(source))?;
                Textures::read(source)
            }
            _ => Textures::default(),
        };
        let missing = std::mem::take(&mut textures.notes);
        let is_serial = self.reserve(&subject, count, size, grant)?;
        self.keep(count * size * size)
            .map_err(|error| cannot(found, &error))?;
        let Measured {
            mut frame,
            size: of_moment,
            greatest,
            kept,
        } = self.measured(found, &subject, &states)?;
        self.frame_clip(&mut frame, &subject, states.first(), of_moment)?;
        let scale = self.heat.as_ref().map(|_| scale.unwrap_or(greatest));
        let meter = meter(&self.options.limits, found, &subject, count)?;
        let one = |number: usize| {
            let state = &states[number / turns];
            // Another file may have brought the one picture too many.
            self.check_kept().map_err(|error| cannot(found, &error))?;
            let made;
            let (model, distances) = match &kept[number / turns] {
                Some(kept) => kept,
                None => {
                    made = self.shown(found, &subject, state, meter)?;
                    &made
                }
            };
            let heat = distances
                .as_ref()
                .zip(scale)
                .map(|(distances, scale)| Heat { distances, scale });
            let paint = match &heat {
                Some(heat) => Paint::Heat(heat),
                None => Paint::Materials(&textures),
            };
            let frame = frame.turned((number % turns) as u16);
            let scenery = &self.options.scenery;
            let mut image = draw(model, &frame, size, paint, scenery, meter)
                .map_err(|over| too_much(found, over))?;
            if !missing.is_empty() {
                write_note(&mut image, "textures missing", scenery.background);
            }
            let state = named(&subject, state);
            let mut label = label(&found.path, &state, states.len(), self.is_alone);
            if scenery.has_grid {
                label += &format!(", grid of {}", frame.grid_step());
            }
            Ok(Panel { label, image })
        };
        let drawn: Vec<Diagnosed<Panel>> = if is_serial {
            (0..count).map(one).collect()
        } else {
            (0..count).into_par_iter().map(one).collect()
        };
        let panels = drawn.into_iter().collect::<Result<Vec<_>, _>>()?;
        let of_scene = match &subject {
            Subject::Gltf(source, _) => source.file.empty_scene(),
            Subject::Document(..) => None,
        };
        Ok(Pictures {
            count: panels.len(),
            panels,
            scale,
            written: None,
            poses: poses.unwrap_or_default(),
            notes: of_scene
                .into_iter()
                .chain(missing)
                .map(|note| format!("{}: {note}", found.path.slashed()))
                .collect(),
        })
    }

    /// Reserves the memory for the models and pictures of a file with so many states. Returns true if its states must be drawn one by one,
    /// because all threads together would take too much.
    fn reserve(
        &self,
        subject: &Subject,
        states: usize,
        size: usize,
        grant: &Grant,
    ) -> Result<bool, Postponed> {
        let threads = rayon::current_num_threads().min(states) as u64;
        let of_state = subject.memory().saturating_add(drawing_memory(size));
        let drawn = (size * size * size_of::<[u8; 4]>() * states) as u64;
        let together = of_state.saturating_mul(threads);
        let is_serial = together > MAX_TOGETHER;
        let bytes = if is_serial { of_state } else { together };
        let more = bytes.saturating_add(drawn);
        grant.grow_to(grant.bytes().saturating_add(more))?;
        Ok(is_serial)
    }

    /// Returns the greatest distance of all files, so that the pictures of one sheet share their colours. Files with errors
    /// are left out.
    pub fn greatest(&self, found: &[Found], budget: &Budget) -> f64 {
        let of = |found: &Found, grant: &Grant<'_>| -> Result<f64, Unfinished> {
            let opened = self.open(found).map_err(|error| vec![error.finding()])?;
            let subject = opened.subject()?;
            let states = states_of(found, self.options, &subject)?;
            self.reserve(&subject, states.len(), 0, grant)?;
            Ok(self.measured(found, &subject, &states)?.greatest)
        };
        // A panic is reported when the file is drawn.
        share::each(found, budget, |found, grant| {
            catch_unwind(AssertUnwindSafe(|| of(found, grant))).unwrap_or(Ok(0.0))
        })
        .into_iter()
        .flatten()
        .fold(0.0, f64::max)
    }

    /// Evaluates all states of a file, and measures them.
    fn measured(&self, found: &Found, subject: &Subject, states: &[State]) -> Diagnosed<Measured> {
        let mut frame = Frame::turntable(self.options.view, self.options.turns);
        let (mut greatest, mut count, mut kept) = (0.0_f64, 0_usize, Vec::new());
        let meter = meter(&self.options.limits, found, subject, states.len())?;
        for state in states {
            let (model, distances) = self.shown(found, subject, state, meter)?;
            frame.include(&model);
            greatest = greatest.max(distances.as_ref().map_or(0.0, |found| found.greatest));
            let sizes = model
                .surfaces
                .iter()
                .map(|surface| surface.positions.len() + surface.triangles.len());
            count = count.saturating_add(sizes.sum());
            let keeps = count <= MOST_KEPT || states.len() == 1;
            kept.push(keeps.then_some((model, distances)));
        }
        Ok(Measured {
            frame,
            size: count / states.len().max(1),
            greatest,
            kept,
        })
    }

    /// Frames a clip over all its moments, so that pictures of other times are taken from the same place. `size` is the number of
    /// vertices and triangles of a moment.
    fn frame_clip(
        &self,
        frame: &mut Frame,
        subject: &Subject,
        state: Option<&State>,
        size: usize,
    ) -> Diagnosed<()> {
        let count = (MOST_SAMPLED / size.max(1)).clamp(SAMPLES[0], SAMPLES[1]);
        let moments = state.map_or_else(Vec::new, |state| subject.clip_of(state, count));
        for moment in moments {
            frame.include(&subject.model(&moment, &self.evaluation())?);
        }
        Ok(())
    }

    fn evaluation(&self) -> Evaluation<'_> {
        Evaluation {
            skinning: &self.options.skinning,
            isa: self.options.isa,
            executor: &Parallel,
        }
    }

    /// Returns the model of one state, with its distances if they are to be shown.
    fn shown(
        &self,
        found: &Found,
        subject: &Subject,
        state: &State,
        meter: Meter,
    ) -> Diagnosed<Shown> {
        let mut evaluation = self.evaluation();
        let model = subject.model(state, &evaluation)?;
        let other = match &self.heat {
            None => return Ok((model, None)),
            Some(Other::File(file)) => file.model(&file.state_like(state), &evaluation)?,
            Some(Other::Solver(skinning)) => {
                evaluation.skinning = skinning;
                subject.model(state, &evaluation)?
            }
        };
        let distances = distances(&model, &other, meter).map_err(|over| too_much(found, over))?;
        Ok((model, Some(distances)))
    }
}
