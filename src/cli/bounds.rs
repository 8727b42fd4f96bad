//! The `bounds` command: boxes and spheres that hold a glTF file while it moves.

use std::path::PathBuf;

use serde::Serialize;

use super::bake_values::ShownScale;
use super::batch_values::{limit, limits_of};
use super::common_args::{Format, Threads, isa_or_best};
use super::opened::Opened;
use super::render::printable;
use super::{FAILED, Fatal, Output, SUCCESS, print_findings};
use crate::bake::{ClipTime, Skinning, Source};
use crate::base::diag::{Diagnostic, Warned};
use crate::base::limits::Limits;
use crate::io::Found;
use crate::kernel::Solver;
use crate::kernel::simd::Isa;
use crate::mesh::Evaluation;
use crate::run::Parallel;
use crate::run::batch::{BakeJob, Clips, Frames, SampleTimes, check_limits, planned_clips};
use crate::view::moving_bounds::{MovingBounds, Volume, check_size, over_time};

/// Print the bounds of a glTF file over its animations
///
/// For each animation, each mesh in it, and all of them: the box along the axes, and the sphere around its middle, that hold all
/// vertices at every sampled time, in the space of the scene. Between samples a vertex may reach a little further: raise `--fps`
/// if that matters. Engines that cull a character by the bounds of its bind pose drop it while it is still to be seen; these bounds are
/// what to give them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch bounds fox.glb                             all animations, 30 times a second\n  \
rigy-batch bounds fox.glb --animation Run --fps 120   one of them, more closely\n\n\
Exit status: 0 printed, 1 the file has errors, 2 could not start."
)]
pub struct Bounds {
    /// A .glb or .gltf
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Animations, by name or number: one, several (A,B), or all
    ///
    /// A file without animations is measured with its nodes as they are stored.
    #[arg(long, value_name = "NAME|INDEX|A,B|all", default_value = "all")]
    pub animation: Vec<String>,

    /// Samples a second; the first and the last key are always sampled
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = rate)]
    pub fps: f64,

    /// Linear blending (lbs) or dual quaternions (dqs)
    #[arg(long, value_name = "SOLVER", value_enum, default_value_t = Solver::Lbs, hide_possible_values = true)]
    pub solver: Solver,

    #[command(flatten)]
    pub scale: ShownScale,

    /// Standard output: a table (human) or an object (json)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    pub format: Format,

    /// Limits, such as evaluations=4G
    ///
    /// evaluations: moments of all animations times vertices, of which a primitive counts as at least 16 [1G]; joints: of a skin
    /// [65535]; vertices: of all meshes [4294967295]
    #[arg(long, value_name = "NAME=N,...", value_delimiter = ',', value_parser = limit, help_heading = "Resources")]
    pub limit: Vec<String>,

    #[command(flatten)]
    pub threads: Threads,
}

/// The bounds of a file, as JSON has them.
#[derive(Serialize)]
struct FileBounds {
    file: String,
    /// True: bounds hold at the sampled times.
    sampled: bool,
    fps: f64,
    clips: Vec<ClipBounds>,
    /// Over all clips.
    all: Option<Volume>,
}

/// The bounds of a clip; of nodes as they are stored without index, name, start and end.
#[derive(Serialize)]
struct ClipBounds {
    index: Option<usize>,
    name: Option<String>,
    start: Option<f64>,
    end: Option<f64>,
    samples: usize,
    #[serde(flatten)]
    bounds: MovingBounds,
}

/// Reads a number of samples a second.
fn rate(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "not a number of samples a second".into())
}

pub fn run(args: &Bounds) -> Result<u8, Fatal> {
    let isa = isa_or_best(None)?;
    let limits = limits_of(&args.limit)?;
    let pool = args.threads.pool()?;
    let root = args
        .file
        .parent()
        .unwrap_or(std::path::Path::new(""))
        .into();
    let path = args.file.clone();
    let opened = match Opened::new(&Found { path, root }) {
        Ok(opened) => opened,
        Err(error) => {
            print_findings(&[error.finding()]);
            return Ok(FAILED);
        }
    };
    if !opened.is_gltf {
        return Err("`bounds` is for glTF files; `inspect` prints the bounds of documents".into());
    }
    let made = pool.install(|| measure(args, &opened, &limits, isa));
    let Warned { value, warnings } = match made {
        Ok(made) => made,
        Err(errors) => {
            print_findings(&errors);
            return Ok(FAILED);
        }
    };
    print_findings(&warnings);
    let mut out = Output::new();
    match args.format {
        Format::Json => out.json(&value),
        Format::Human => out.line(table(&value).trim_end()),
    }
    Ok(if out.failed { FAILED } else { SUCCESS })
}

/// Measures a file.
fn measure(
    args: &Bounds,
    opened: &Opened,
    limits: &Limits,
    isa: Isa,
) -> Result<Warned<FileBounds>, Vec<Diagnostic>> {
    let Warned {
        value: source,
        mut warnings,
    } = Source::read(&opened.bytes, &opened.location, &opened.loader)?;
    check_limits(limits, &source).map_err(|error| vec![error.about_file(&opened.name)])?;
    let skinning = Skinning {
        solver: args.solver,
        scale: args.scale.joint_scale(),
    };
    let evaluation = Evaluation {
        skinning: &skinning,
        isa,
        executor: &Parallel,
    };
    let job = BakeJob::new(skinning.clone());
    let job = match source.file.animations.is_empty() {
        true => job,
        false => job
            .clips(Clips::named(&args.animation))
            .times(SampleTimes::Frames(Frames::whole(args.fps))),
    };
    let plans = planned_clips(&job, &source.file)?;
    warnings.extend(plans.warnings);
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
    let moments = planned.iter().map(|(_, _, times)| times.len() as u64).sum();
    check_size(&source.file, planned.len() as u64, moments, limits).map_err(|error| vec![error])?;
    let mut clips = Vec::new();
    for (animation, span, times) in planned {
        clips.push(ClipBounds {
            index: animation,
            name: animation.and_then(|index| source.file.animations[index].name.clone()),
            start: span.map(|[start, _]| start),
            end: span.map(|[_, end]| end),
            samples: times.len(),
            bounds: over_time(&source, &times, &evaluation)?,
        });
    }
    let value = FileBounds {
        file: opened.name.clone(),
        sampled: true,
        fps: args.fps,
        all: clips
            .iter()
            .filter_map(|clip| clip.bounds.all)
            .reduce(|a, b| a.with(&b)),
        clips,
    };
    Ok(Warned { value, warnings })
}

/// Returns the bounds as text for people.
fn table(bounds: &FileBounds) -> String {
    use std::fmt::Write as _;
    let volume = |volume: &Volume| {
        let axis = |axis: usize| {
            let (min, max) = (volume.extremes.min[axis], volume.extremes.max[axis]);
            format!("{:.4} to {:.4}", min, max)
        };
        let sphere = volume.sphere;
        let [x, y, z] = sphere.center;
        format!(
            "box x {}, y {}, z {}; sphere of radius {:.4} around {x:.4}, {y:.4}, {z:.4}",
            axis(0),
            axis(1),
            axis(2),
            sphere.radius
        )
    };
    let mut text = format!(
        "{}, sampled {} times a second\n",
        printable(&bounds.file),
        bounds.fps
    );
    for clip in &bounds.clips {
        let name = clip
            .name
            .as_deref()
            .map(|name| format!(" ({})", printable(name)));
        let label = match clip.index {
            Some(index) => format!("animation {index}{}", name.unwrap_or_default()),
            None => "as the nodes are stored".to_owned(),
        };
        let count = clip.samples;
        let _ = writeln!(text, "{label}, {count} samples");
        if let Some(all) = &clip.bounds.all {
            let _ = writeln!(text, "  all: {}", volume(all));
        }
        for mesh in &clip.bounds.meshes {
            let name = mesh
                .name
                .as_deref()
                .map(|name| format!(" ({})", printable(name)));
            let name = name.unwrap_or_default();
            let _ = writeln!(
                text,
                "  mesh {}{name}: {}",
                mesh.index,
                volume(&mesh.volume)
            );
        }
    }
    if let Some(all) = bounds.all.as_ref().filter(|_| bounds.clips.len() > 1) {
        let _ = writeln!(text, "all animations: {}", volume(all));
    }
    text
}
