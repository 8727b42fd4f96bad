//! The plan of a file's bakes: which of its animations are baked, at which times, and the names of the outputs.

mod selection;

use std::ops::RangeInclusive;

use super::bake_exports::ExportedClip;
use super::bake_job::{BakeJob, MissingAnimation, SampleTimes};
use super::frames::{Frames, MAX_FRAMES, frame_label};
use crate::bake::{
    Clip, ClipTime, Form, Outside, Source, animation_label, missing_animation, outside_warning,
};
use crate::run::batch::outcome::RecordMoment;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned, check_none};
use rigy_base::meter::OUTPUTS;
use rigy_export::Timing;
use rigy_gltf::{AboutFile, File, Problem};
use rigy_kernel::executor::Sequential;
use rigy_kernel::simd::Isa;
use selection::{Labels, Selection, missing_warning};

/// The bakes of one animation of a file, or of the file with its nodes as they are stored.
#[derive(Debug)]
pub struct ClipPlan {
    /// The index of the animation and its name for reports; `None` for nodes as they are stored.
    animation: Option<(usize, String)>,
    /// The part of file names that stands for the animation, if names have one.
    pub label: Option<String>,
    times: ClipTimes,
    /// The form of one file for all moments, if that is a GLB.
    form: Option<Form>,
    /// True if all moments go into one file of another tool.
    is_joined: bool,
    /// The time of the last key, if the last frame of a whole animation comes before it: an animated file ends there.
    end: Option<f64>,
}

/// One output of a plan.
#[derive(Debug)]
pub enum PlannedOutput {
    /// A file of one moment.
    Moment(PlannedMoment),
    /// An animated file.
    Animated(Clip, Form, RecordMoment),
    /// All frames in one file of another tool.
    Joined(RecordMoment),
}

/// The times at which an animation is baked.
#[derive(Clone, Debug)]
enum ClipTimes {
    At(f64),
    Frames(Frames, RangeInclusive<u32>),
}

/// One moment of a plan.
#[derive(Debug)]
pub struct PlannedMoment {
    /// The animation and the time; `None` for nodes as they are stored.
    pub at: Option<ClipTime>,
    /// The number of the frame for file names.
    pub frame: Option<String>,
    /// The moment as reports have it.
    pub recorded: RecordMoment,
}

impl PlannedOutput {
    /// Returns the number of its frame for file names; `None` if it is no frame of several.
    pub fn frame(&self) -> Option<&str> {
        match self {
            Self::Moment(moment) => moment.frame.as_deref(),
            Self::Animated(..) | Self::Joined(_) => None,
        }
    }
}

impl ClipPlan {
    /// The plan for nodes as they are stored.
    pub const STORED: Self = Self {
        animation: None,
        label: None,
        times: ClipTimes::At(0.0),
        form: None,
        is_joined: false,
        end: None,
    };

    /// Returns the name of the animation for reports.
    fn name(&self) -> Option<String> {
        Some(self.animation.as_ref()?.1.clone())
    }

    /// Returns the number of moments.
    pub(crate) fn len(&self) -> usize {
        match &self.times {
            ClipTimes::At(_) => 1,
            ClipTimes::Frames(_, numbers) => (numbers.end() - numbers.start()) as usize + 1,
        }
    }

    fn output_count(&self) -> usize {
        match self.outputs().next() {
            Some(PlannedOutput::Moment(_)) => self.len(),
            _ => 1,
        }
    }

    /// Returns the outputs, in the order of their moments.
    pub fn outputs(&self) -> impl Iterator<Item = PlannedOutput> {
        let recorded = || RecordMoment {
            animation: self.name(),
            ..RecordMoment::default()
        };
        let animated = self.form.zip(self.animation.as_ref());
        let animated = animated.map(|(form, (animation, _))| {
            let times = self.moments().flatten().map(|at| at.time);
            let clip = Clip {
                animation: *animation,
                times: times.chain(self.end).collect(),
            };
            PlannedOutput::Animated(clip, form, recorded())
        });
        let has_frames = matches!(self.times, ClipTimes::Frames(..));
        let joined = (self.is_joined && has_frames).then(|| PlannedOutput::Joined(recorded()));
        let whole = animated.or(joined);
        let count = if whole.is_some() { 0 } else { self.len() };
        let moments = (0..count).map(|index| PlannedOutput::Moment(self.moment(index)));
        whole.into_iter().chain(moments)
    }

    /// Returns all moments as one export has them.
    pub fn exported(&self) -> ExportedClip {
        let timing = match &self.times {
            ClipTimes::At(_) => None,
            ClipTimes::Frames(frames, numbers) => Some(Timing {
                rate: frames.rate(),
                first: (*numbers.start()).into(),
            }),
        };
        self.export_of(self.moments().collect(), timing)
    }

    /// Returns the moments of an output as an export has them.
    pub fn exported_as(&self, output: &PlannedOutput) -> ExportedClip {
        match output {
            PlannedOutput::Moment(moment) => self.export_of(vec![moment.at], None),
            _ => self.exported(),
        }
    }

    fn export_of(&self, moments: Vec<Option<ClipTime>>, timing: Option<Timing>) -> ExportedClip {
        ExportedClip {
            name: self.name().unwrap_or_else(|| "rest".into()),
            moments,
            timing,
        }
    }

    /// Returns the animation and the time of each moment.
    pub fn moments(&self) -> impl Iterator<Item = Option<ClipTime>> {
        (0..self.len()).map(|index| self.moment(index).at)
    }

    /// Returns the moment of this index, below [`len`](Self::len).
    pub fn moment(&self, index: usize) -> PlannedMoment {
        let Some((animation, name)) = &self.animation else {
            return PlannedMoment {
                at: None,
                frame: None,
                recorded: RecordMoment::default(),
            };
        };
        let (time, number, frame) = match &self.times {
            ClipTimes::At(time) => (*time, None, None),
            ClipTimes::Frames(frames, numbers) => {
                let number = numbers.start() + index as u32;
                let label = frame_label(number, *numbers.end());
                (frames.time(number), Some(number), Some(label))
            }
        };
        PlannedMoment {
            at: Some(ClipTime {
                animation: *animation,
                time,
            }),
            frame,
            recorded: RecordMoment {
                animation: Some(name.clone()),
                time: Some(time),
                frame: number,
                ..RecordMoment::default()
            },
        }
    }
}

/// Plans the bakes of a file, whose moments then share the work that it may take. Many of them are not planned if the first takes more
/// than its share.
pub fn plan(job: &BakeJob, source: &mut Source) -> Diagnosed<Warned<Vec<ClipPlan>>> {
    let plans = planned(job, &source.file)?;
    let count: usize = plans.value.iter().map(ClipPlan::len).sum();
    source.file.meter = source.file.meter.among(count);
    let first = plans.value.iter().flat_map(ClipPlan::moments).next();
    if let Some(first) = first.filter(|_| count as u64 > OUTPUTS) {
        let made = job.baker(source, &Sequential);
        let errors = made.bake_at(first, &job.skinning, Isa::best()).err();
        let is_too_much = |error: &Diagnostic| error.code == Some(Code::U17);
        if let Some(errors) = errors.filter(|errors| errors.iter().any(is_too_much)) {
            return Err(errors);
        }
    }
    Ok(plans)
}

/// Plans the bakes of a file; there are none if it is to be left out. Animations that it lacks (W13), and times outside those that it
/// has (W10), are warnings.
fn planned(job: &BakeJob, file: &File) -> Diagnosed<Warned<Vec<ClipPlan>>> {
    let mut warnings = Vec::new();
    if job.is_stored() {
        let value = vec![ClipPlan::STORED];
        return Ok(Warned { value, warnings });
    }
    let Selection { found, missing, .. } = Selection::new(&job.clips, file);
    let mut errors = Vec::new();
    for name in missing {
        let problem = missing_animation(file, name.as_deref());
        if job.missing == MissingAnimation::Error {
            errors.push(problem.into_diagnostic(&file.name));
        } else {
            warnings.push(missing_warning(
                problem,
                !found.is_empty(),
                job.missing,
                file,
            ));
        }
    }
    let names = Labels::new(file);
    let mut plans = Vec::new();
    // The number of outputs before those of an animation. Some exports have the same outputs for all animations.
    let mut before = 0;
    let has_own_outputs = job.export.is_none_or(|export| export.ending().is_some());
    for animation in found {
        match of_clip(job, file, animation) {
            Ok((times, end, outside)) => {
                let plan = ClipPlan {
                    end,
                    animation: Some((animation, names.name(animation))),
                    label: job.clips.are_in_names().then(|| names.label(animation)),
                    times,
                    form: job.form,
                    is_joined: job.export.is_some_and(|export| export.holds_clips()),
                };
                let count = plan.output_count();
                for (warning, moment) in outside {
                    let output = if count == 1 { 0 } else { moment };
                    warnings.push(warning.of_output(before + output));
                }
                before += if has_own_outputs { count } else { 0 };
                plans.push(plan);
            }
            Err(found) => errors.extend(found),
        }
    }
    let frames = plans.iter().map(|plan| plan.len() as u64);
    if frames.sum::<u64>() > MAX_FRAMES.into() {
        let problem = Problem::rule(
            &"animations",
            format!("all together have more than {MAX_FRAMES} frames"),
        );
        errors.push(problem.into_diagnostic(&file.name));
    }
    check_none(errors)?;
    if plans.is_empty() && job.missing == MissingAnimation::Rest {
        plans.push(ClipPlan::STORED);
    }
    Ok(Warned {
        value: plans,
        warnings,
    })
}

/// The index of an animation and its times, or nodes as they are stored.
#[cfg(feature = "cli")]
type ClipMoments = (Option<usize>, Vec<Option<ClipTime>>);

/// Returns the animations of a file and the times at which a job bakes them, with the warnings of [`plan`].
#[cfg(feature = "cli")]
pub fn planned_clips(job: &BakeJob, file: &File) -> Diagnosed<Warned<Vec<ClipMoments>>> {
    let Warned { value, warnings } = planned(job, file)?;
    let moments = |plan: &ClipPlan| {
        let animation = plan.animation.as_ref().map(|(index, _)| *index);
        (animation, plan.moments().collect())
    };
    Ok(Warned {
        value: value.iter().map(moments).collect(),
        warnings,
    })
}

/// A warning, and the index of the first moment that it concerns.
type Outsider = (Diagnostic, usize);

/// Returns the times at which an animation is baked, and that of its last key if a whole animation has no frame there, with
/// warnings about times outside it.
fn of_clip(
    job: &BakeJob,
    file: &File,
    animation: usize,
) -> Diagnosed<(ClipTimes, Option<f64>, Vec<Outsider>)> {
    let span = file.span(animation)?;
    let mut warnings = Vec::new();
    if span.is_none() && job.export.is_some_and(|export| export.array().is_some()) {
        let label = animation_label(file, animation);
        let message = format!("{label} has no keys, so it has no moments");
        return Err(vec![
            Problem::rule(&"animations", message).into_diagnostic(&file.name),
        ]);
    }
    let thirty = SampleTimes::Frames(Frames::THIRTY);
    let times = match &job.times {
        SampleTimes::At(None) if job.needs_frames() => &thirty,
        times => times,
    };
    match times {
        SampleTimes::At(time) => {
            // Time 0 that nobody asked for may be before the first key.
            if let (Some(time), Some(span)) = (*time, span)
                && let Some(side) = Outside::of(time, span)
            {
                let subject = format!("{time} s is");
                let warning = outside_warning(file, animation, (side, span), &subject);
                warnings.push((warning, 0));
            }
            Ok((ClipTimes::At(time.unwrap_or(0.0)), None, warnings))
        }
        SampleTimes::Frames(frames) => {
            let numbers = frames
                .numbers(span.unwrap_or_default())
                .map_err(|message| {
                    let label = animation_label(file, animation);
                    Problem::rule(&"animations", format!("{label}: {message}"))
                })
                .about_file(&file.name)?;
            if let Some(span) = span {
                let side = |number: &u32| Outside::of(frames.time(*number), span);
                for outside in [Outside::Before, Outside::After] {
                    let mut all = numbers
                        .clone()
                        .filter(|number| side(number) == Some(outside));
                    let Some(first) = all.next() else { continue };
                    let frames = match all.next_back() {
                        None => format!("frame {first} is"),
                        Some(last) => format!("frames {first} to {last} are"),
                    };
                    let warning = outside_warning(file, animation, (outside, span), &frames);
                    warnings.push((warning, (first - numbers.start()) as usize));
                }
            }
            let end = span.and_then(|[_, end]| frames.rest_after(*numbers.end(), end));
            Ok((ClipTimes::Frames(frames.clone(), numbers), end, warnings))
        }
    }
}
