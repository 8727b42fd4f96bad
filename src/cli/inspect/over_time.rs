//! `inspect --over-time` and `--solvers`: what a glTF file is while it moves.

use clap::ArgGroup;
use serde::Serialize;

use super::solvers::{add_table, advice};
use crate::bake::{ClipTime, Skinning, Source};
use crate::cli::printer::Listing;
use crate::cli::shown_scale::ShownScale;
use crate::mesh::Evaluation;
use crate::run::Parallel;
use crate::run::batch::{BakeJob, Clips, Frames, SampleTimes, check_limits, number, planned_clips};
use rigy_base::diag::{Diagnosed, Warned};
use rigy_base::limits::Limits;
use rigy_kernel::Solver;
use rigy_kernel::simd::Isa;
use rigy_view::description::{Extremes, MeshFacts};
use rigy_view::moving_bounds::{MovingBounds, Volume, over_time, spend};
use rigy_view::solvers::{SolverDistance, solver_distance};

/// Measures of a glTF file over its animations.
#[derive(clap::Args)]
#[command(next_help_heading = "glTF files", group = ArgGroup::new("moments").multiple(true))]
pub struct OverTime {
    /// Add the bounds over each animation: those in which a character stays while it moves
    ///
    /// For each animation, each mesh in it, and all of them: the box along the axes, and the sphere around its middle, that hold
    /// all vertices at every sampled time, in the space of the scene. Between samples a vertex may reach a little further: raise
    /// `--fps` if that matters. Engines that cull a character by the bounds of its bind pose drop it while it is still to be seen;
    /// these bounds are what to give them. A file without animations is measured with its nodes as they are stored.
    #[arg(long, group = "moments")]
    over_time: bool,

    /// Add how far linear blending is from dual quaternions in each animation, and who needs which
    ///
    /// For each animation: the largest and the mean distance of a vertex, in units and in percent of the size, which is the
    /// longest diagonal of the box around all skinned vertices; the moment of the largest, and the joint that moves this vertex most; and
    /// what closed meshes lose of their volume. Nobody sees less than 0.1 % of the size; from 1 % on everybody does.
    #[arg(long, group = "moments")]
    solvers: bool,

    /// Animations of --over-time and --solvers, by name or number: one, several (A,B), or all
    #[arg(
        long,
        value_name = "NAME|INDEX|A,B|all",
        default_value = "all",
        requires = "moments"
    )]
    animation: Vec<String>,

    /// Samples a second; the first and the last key are always sampled
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = rate, requires = "moments")]
    fps: f64,

    /// Linear blending (lbs) or dual quaternions (dqs)
    #[arg(long, value_enum, default_value_t = Solver::Lbs, requires = "over_time")]
    solver: Solver,

    #[command(flatten)]
    scale: ShownScale,
}

/// The measures over animations, as JSON has them.
#[derive(Serialize)]
pub struct Measured {
    /// True: it holds at the sampled times.
    sampled: bool,
    fps: f64,
    clips: Vec<Clip>,
    /// The bounds over all clips.
    all: Option<Volume>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
}

/// The measures of a clip. Nodes as they are stored have no index, name, start and end.
#[derive(Serialize)]
pub struct Clip {
    pub index: Option<usize>,
    pub name: Option<String>,
    start: Option<f64>,
    end: Option<f64>,
    samples: usize,
    #[serde(flatten)]
    bounds: Option<MovingBounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvers: Option<SolverDistance>,
}

/// Reads a number of samples a second.
fn rate(text: &str) -> Result<f64, String> {
    number(text, |rate| rate > 0.0, "not a number of samples a second")
}

impl OverTime {
    pub fn is_given(&self) -> bool {
        self.over_time || self.solvers
    }

    /// Measures a file with these meshes.
    pub fn measure(
        &self,
        source: Source,
        meshes: &[MeshFacts],
        limits: &Limits,
    ) -> Diagnosed<Warned<Measured>> {
        check_limits(limits, &source).map_err(|error| vec![error.about_file(&source.file.name)])?;
        let dual = Skinning::dual_quaternions(self.scale.treatment());
        let skinning = Skinning {
            solver: self.solver,
            ..dual.clone()
        };
        let [evaluation, with_dual] = [&skinning, &dual].map(|skinning| Evaluation {
            skinning,
            isa: Isa::best(),
            executor: &Parallel,
        });
        let mut job = BakeJob::new(skinning.clone());
        if !source.file.animations.is_empty() {
            job.clips = Clips::Named(self.animation.clone());
            job.times = SampleTimes::Frames(Frames::whole(self.fps));
        }
        let plans = planned_clips(&job, &source.file)?;
        let warnings = plans.warnings;
        let mut planned = Vec::new();
        for (animation, mut times) in plans.value {
            let span = animation
                .map(|index| source.file.span(index))
                .transpose()?
                .flatten();
            if let (Some(animation), Some([start, end])) = (animation, span) {
                times.extend([start, end].map(|time| Some(ClipTime { animation, time })));
            }
            planned.push((animation, span, times));
        }
        let moments: u64 = planned.iter().map(|(_, _, times)| times.len() as u64).sum();
        for (is_given, count) in [(self.over_time, 1), (self.solvers, 2)] {
            let moments = u64::from(is_given) * count * moments;
            spend(&source.file, planned.len() as u64, moments, count > 1)
                .map_err(|over| over.about(&source.file.name))?;
        }
        let mut clips = Vec::new();
        for (animation, span, times) in planned {
            clips.push(Clip {
                index: animation,
                name: animation.and_then(|index| source.file.animations[index].name.clone()),
                start: span.map(|[start, _]| start),
                end: span.map(|[_, end]| end),
                samples: times.len(),
                bounds: (self.over_time)
                    .then(|| over_time(&source, &times, &evaluation))
                    .transpose()?,
                solvers: match self.solvers {
                    true => solver_distance(&source.file, meshes, &times, &with_dual)?,
                    false => None,
                },
            });
        }
        let value = Measured {
            sampled: true,
            fps: self.fps,
            advice: self.solvers.then(|| advice(&clips)),
            all: clips
                .iter()
                .filter_map(|clip| clip.bounds.as_ref()?.all)
                .reduce(|a, b| a.with(&b)),
            clips,
        };
        Ok(Warned { value, warnings })
    }
}

impl Measured {
    /// Adds it to the lines about a file.
    pub fn add_to(&self, lines: &mut Listing) {
        lines.gap();
        lines.line(format!("over time, sampled {} times a second", self.fps));
        for (clip, bounds) in
            (self.clips.iter()).filter_map(|clip| Some((clip, clip.bounds.as_ref()?)))
        {
            let label = match clip.index {
                Some(index) => format!("animation {index}{}", in_brackets(&clip.name)),
                None => "as the nodes are stored".to_owned(),
            };
            lines.line(format!("{label}, {} samples", clip.samples));
            if let Some(all) = &bounds.all {
                lines.item(format!("all: {}", about_volume(all)));
            }
            for mesh in &bounds.meshes {
                let (name, volume) = (in_brackets(&mesh.name), about_volume(&mesh.volume));
                lines.item(format!("mesh {}{name}: {volume}", mesh.index));
            }
        }
        if let Some(all) = self.all.as_ref().filter(|_| self.clips.len() > 1) {
            lines.line(format!("all animations: {}", about_volume(all)));
        }
        if let Some(advice) = self.advice {
            add_table(&self.clips, lines);
            lines.line(advice);
        }
    }
}

fn in_brackets(name: &Option<String>) -> String {
    (name.as_ref()).map_or(String::new(), |name| format!(" ({name})"))
}

fn about_volume(volume: &Volume) -> String {
    let Extremes { min, max } = volume.extremes;
    let [x, y, z] = [0, 1, 2].map(|axis| format!("{:.4} to {:.4}", min[axis], max[axis]));
    let radius = volume.sphere.radius;
    let center = volume
        .sphere
        .center
        .map(|number| format!("{number:.4}"))
        .join(", ");
    format!("box x {x}, y {y}, z {z}; sphere of radius {radius:.4} around {center}")
}
