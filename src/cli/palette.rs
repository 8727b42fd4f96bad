//! The `palette` command: the transforms and influences of a moment, for a shader.

use std::io::{self, Read};
use std::path::PathBuf;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::common_args::LimitArgs;
use super::inputs::has_gltf_name;
use super::interrupt::is_interrupted;
use super::messages::print_findings;
use super::named::check_ending;
use super::output::print;
use super::report::{check_not_read, check_replaced};
use super::requested::suggestion;
use super::shown_scale::ShownScale;
use super::status::{FAILED, Result, SUCCESS, bail};
use crate::bake::{Moment, Source};
use crate::compile::{Compiled, Files, Input, compile};
use crate::io::{Destination, DirectoryLoader, Draft, bytes_of};
use crate::mesh::POSED_LIMITS;
use crate::run::batch::{finite, has_shape};
use rigy_base::diag::{Diagnostic, Warned};
use rigy_base::limits::Limits;
use rigy_base::loader::{FileRecord, Location, RecordingLoader};
use rigy_base::paths::{Slashed, parent_of};
use rigy_base::terminal;
use rigy_gltf::MAX_RESOURCE_LEN;
use rigy_view::palette::{self, of_document, of_file};

/// Print joint matrices, dual quaternions and influences for a shader
///
/// FILE is a document or a skinned glTF file. The result has, for each skin, the matrices and dual quaternions of its joints at
/// one moment, as rigy-batch itself uses them, and for each skinned primitive the joints and weights of its vertices. The
/// page `palette.md` of the book describes the JSON and has the shader that uses its numbers, in GLSL and WGSL.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 printed, 1 FILE has an error, 2 could not start.",
    after_long_help = "Examples:\n  rigy-batch palette lamp.rigy.yaml --pose bent\n  \
rigy-batch palette fox.glb --animation Run --time 0.5 -o run.json\n\n\
Exit status: 0 printed, 1 FILE has an error, 2 could not start."
)]
pub struct Palette {
    /// A Rigy document, or a glTF file (*.glb, *.gltf, *.vrm)
    pub file: PathBuf,

    /// Pose of a document, by its id [default: the rest pose]
    #[arg(long, value_name = "ID", conflicts_with_all = ["animation", "time", "joint_scale", "local_scale_joints"])]
    pub pose: Option<String>,

    /// Animation of a glTF file, by name or number
    ///
    /// Numbers begin at 0. By default it is animation 0 if there is a time, else none: nodes are as they are stored.
    #[arg(long, value_name = "NAME|INDEX")]
    pub animation: Option<String>,

    /// Time to sample it at, in seconds [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = finite, allow_negative_numbers = true)]
    pub time: Option<f64>,

    #[command(flatten)]
    pub scale: ShownScale,

    /// Write to this file [default: standard output]
    ///
    /// FILE replaces only an empty file or a palette. Its name ends in `.json` or has no ending.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub limit: LimitArgs,
}

/// The result as JSON.
#[derive(Serialize)]
struct Printed<'a> {
    file: String,
    pose: Option<&'a str>,
    animation: Option<&'a str>,
    time: Option<f64>,
    #[serde(flatten)]
    palette: palette::Palette,
}

/// The files that a run reads.
type Recorded = RecordingLoader<DirectoryLoader>;

pub fn run(args: &Palette) -> Result<u8> {
    let is_gltf = has_gltf_name(&args.file);
    check_options(args, is_gltf)?;
    let limits = args.limit.limits()?;
    let bytes = bytes_of(&args.file, MAX_RESOURCE_LEN)?;
    let directory = parent_of(&args.file);
    let loader = RecordingLoader::new(DirectoryLoader::new(directory)?, FileRecord::default());
    let made = if is_gltf {
        of_gltf(args, limits, &bytes, &loader)
    } else {
        compiled(args, limits, &bytes, &loader).and_then(|compiled| in_pose(args, &compiled))
    };
    let palette = match made {
        Ok(palette) => palette,
        Err(Failure::Faulty(errors)) => {
            print_findings(&errors);
            return Ok(FAILED);
        }
        Err(Failure::NotThere(message)) => return Err(message.into()),
    };
    let printed = Printed {
        file: args.file.shown(),
        pose: args.pose.as_deref(),
        animation: args.animation.as_deref(),
        time: args.time,
        palette,
    };
    let text = terminal::json(&printed) + "\n";
    write(args, text.as_bytes(), &loader)?;
    Ok(SUCCESS)
}

/// The reasons why there is no palette.
enum Failure {
    /// The file has these errors.
    Faulty(Vec<Diagnostic>),
    /// The file has no such pose or joint; the message says so.
    NotThere(String),
}

/// Refuses options that are for the other kind of file.
fn check_options(args: &Palette, is_gltf: bool) -> Result<()> {
    let of_gltf = args.animation.is_some() || args.time.is_some() || args.scale.is_given();
    match (is_gltf, of_gltf, args.pose.is_some()) {
        (true, _, true) => bail!("`--pose` is for documents; glTF files have `--animation`"),
        (false, true, _) => {
            let options = "`--animation`, `--time`, `--joint-scale` and `--local-scale-joints`";
            bail!("{options} are for glTF files; documents have `--pose`")
        }
        _ => Ok(()),
    }
}

fn of_gltf(
    args: &Palette,
    limits: Limits,
    bytes: &[u8],
    loader: &Recorded,
) -> Result<palette::Palette, Failure> {
    let location = Location(args.file.clone());
    let mut source = Source::read(bytes, &location, loader).map_err(Failure::Faulty)?;
    source.value.file.meter = limits.meter();
    check_joints(args, &source.value)?;
    let moment = Moment {
        animation: args.animation.clone(),
        time: args.time,
    };
    let scale = args.scale.treatment();
    let name = args.file.shown();
    let Warned { value, warnings } =
        of_file(&source.value, &moment, &scale, &name).map_err(Failure::Faulty)?;
    print_findings(&[source.warnings, warnings].concat());
    Ok(value)
}

/// Refuses a name of `--local-scale-joints` that no joint of the file has.
fn check_joints(args: &Palette, source: &Source) -> Result<(), Failure> {
    let names = || source.file.joint_names();
    let mut wanted = args.scale.local_scale_joints.iter();
    match wanted.find(|wanted| names().all(|name| name != *wanted)) {
        None => Ok(()),
        Some(wanted) => Err(not_there("the file has no joint", wanted, names())),
    }
}

/// Returns the failure that a file has nothing of a name; `names` are those of what it has.
fn not_there<'n>(message: &str, wanted: &str, names: impl Iterator<Item = &'n str>) -> Failure {
    let names: Vec<&str> = names.collect();
    let suggestion = suggestion(wanted, &names);
    Failure::NotThere(format!("{message} `{wanted}`{suggestion}"))
}

/// Compiles the document.
fn compiled(
    args: &Palette,
    limits: Limits,
    bytes: &[u8],
    loader: &Recorded,
) -> Result<Compiled, Failure> {
    let name = args.file.shown();
    let location = Location(args.file.clone());
    let input = Input::decoded(&name, location, bytes).map_err(Failure::Faulty)?;
    let files = Files::new(loader.clone()).within(limits.at_most(POSED_LIMITS));

    let Warned { value, warnings } = compile(input, &files).map_err(Failure::Faulty)?;
    print_findings(&warnings);
    Ok(value)
}

fn in_pose(args: &Palette, compiled: &Compiled) -> Result<palette::Palette, Failure> {
    let pose = args.pose.as_deref();
    of_document(compiled, pose).ok_or_else(|| {
        let wanted = pose.unwrap_or_default();
        not_there("the document has no pose", wanted, compiled.pose_ids())
    })
}

/// Writes the result to its file, which appears when it is complete, or to standard output.
fn write(args: &Palette, content: &[u8], loader: &Recorded) -> Result<()> {
    let destination = match &args.output {
        None => Destination::StandardOutput,
        Some(path) => Destination::of(path)?,
    };
    if let Destination::File(path) = &destination {
        let read = loader.record().files_read();
        let read = read.iter().map(|file| &*file.location.0);
        check_not_read(path, read.chain([&*args.file]))?;
        let named = args.output.as_deref().unwrap_or(path);
        check_replaced(named, path, "palette", is_palette)?;
        check_ending(named, "palette", &["json"])?;
    }
    match Draft::to(&destination, false, is_interrupted)? {
        Some(draft) => Ok(draft.finish(content)?),
        None => print(&mut &*content),
    }
}

/// The fields that every palette has; their values are checked and not kept.
#[derive(Deserialize)]
#[expect(dead_code)]
struct PrintedShape {
    file: String,
    version: u32,
    skins: Vec<IgnoredAny>,
    meshes: Vec<IgnoredAny>,
}

/// Returns true if a file is a palette or empty, so that a new one may replace it.
fn is_palette(file: &mut dyn Read) -> io::Result<bool> {
    has_shape::<PrintedShape>(file)
}
