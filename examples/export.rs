//! Bakes a glTF file and writes it in the format of another tool, with the files that belong beside it.
//!
//! `cargo run --release --example export -- FILE OUTPUT [--solver lbs|dqs] [--animation NAME|INDEX] [--time SECONDS]
//! [--frames A..B@FPS] [--join joined|node] [--up y|z] [--scale FACTOR]`: the ending of OUTPUT is the format, one of those of
//! `bake --to`. Frames go into one USD file; the other formats hold the first.
//! `scripts/prove export` reads what it writes with other programs.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use rigy_batch::base::paths::Slashed;
use rigy_batch::export::{Export, Format, Images, Join, Layout, Sequence, Timing, Up};
use rigy_batch::mesh::Model;
use rigy_batch::{
    Diagnostic, DirectoryLoader, Isa, JointScale, Location, MemoryLoader, Moment, Skinning, Source,
};

/// The values of the options.
struct Options {
    skinning: Skinning,
    animation: Option<String>,
    /// Times in the animation; none for the nodes as they are stored.
    times: Vec<Option<f64>>,
    timing: Option<Timing>,
    layout: Layout,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [input, output, rest @ ..] = arguments else {
        return Err("usage: export FILE OUTPUT [OPTION VALUE]...".into());
    };
    let options = options(rest)?;
    let (input, output) = (Path::new(input), Path::new(output));
    let failed = |error: std::io::Error| format!("{}: {error}", output.slashed());
    let bytes = fs::read(input).map_err(|error| format!("{}: {error}", input.slashed()))?;
    let directory = input.parent().filter(|path| !path.as_os_str().is_empty());
    let loader = DirectoryLoader::new(directory.unwrap_or(Path::new(".")));
    let loader = loader.map_err(|error| error.to_string())?;
    let source = Source::read(&bytes, &Location(input.to_owned()), &loader);
    let source = source.map_err(first)?.value;
    let ending = output.extension().and_then(|ending| ending.to_str());
    if ending == Some("glb") {
        let glb = baked(&source, &options, options.times[0]).map_err(first)?;
        return fs::write(output, glb).map_err(failed);
    }
    let format = Format::ALL.into_iter().find(|f| Some(f.name()) == ending);
    let known = Format::ALL.map(Format::name).join(", ");
    let format = format.ok_or_else(|| format!("OUTPUT ends in glb or one of {known}"))?;
    let name = output.file_stem().and_then(|stem| stem.to_str());
    let name = name.ok_or("OUTPUT has no name")?;
    let sequence = sequence(&source, &options).map_err(first)?;
    let images = Images::of(&source, name);
    let export = Export::new(&sequence, name, &images).map_err(first)?;
    for warning in export.warnings(format) {
        eprintln!("warning: {}", warning.message);
    }
    write(&export, format, output).map_err(failed)
}

/// Bakes the file at a time.
fn baked(
    source: &Source<'_>,
    options: &Options,
    time: Option<f64>,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let moment = Moment {
        animation: options.animation.clone(),
        time,
    };
    let baked = source.bake(&moment, &options.skinning, Isa::best())?;
    Ok(baked.value.to_bytes()?.value)
}

/// Bakes the file at all times.
fn sequence(source: &Source<'_>, options: &Options) -> Result<Sequence, Vec<Diagnostic>> {
    let mut models = options.times.iter().map(|time| {
        let glb = baked(source, options, *time)?;
        let location = Location("baked.glb".into());
        Ok(Model::read(&glb, &location, &MemoryLoader::default())?.value)
    });
    let first = models.next().unwrap_or(Ok(Model::default()))?;
    let mut sequence = Sequence::new(first, options.layout)?;
    if let Some(timing) = options.timing {
        sequence = sequence.timed(timing)?;
    }
    models.try_for_each(|model: Result<Model, Vec<Diagnostic>>| sequence.push(&model?))?;
    Ok(sequence)
}

fn write(export: &Export<'_, '_>, format: Format, output: &Path) -> std::io::Result<()> {
    export.write(format, &mut fs::File::create(output)?)?;
    for file in export.beside(format) {
        fs::write(output.with_file_name(file.name), file.bytes)?;
    }
    Ok(())
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        skinning: Skinning::linear(),
        animation: None,
        times: vec![None],
        timing: None,
        layout: Layout::default(),
    };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("{} has no value", pair[0]));
        };
        match (&**name, &**value) {
            ("--solver", "lbs") => options.skinning = Skinning::linear(),
            ("--solver", "dqs") => {
                options.skinning = Skinning::dual_quaternions(JointScale::Global);
            }
            ("--animation", _) => options.animation = Some(value.clone()),
            ("--time", _) => options.times = vec![Some(number(value)?)],
            ("--frames", _) => frames(value, &mut options)?,
            ("--join", "joined") => options.layout.join = Join::All,
            ("--join", "node") => options.layout.join = Join::Node,
            ("--up", "y") => options.layout.up = Up::Y,
            ("--up", "z") => options.layout.up = Up::Z,
            ("--scale", _) => options.layout.scale = number(value)?,
            _ => return Err(format!("unknown option or value: {name} {value}")),
        }
    }
    Ok(options)
}

/// Reads `A..B@FPS`, with B among the frames.
fn frames(value: &str, options: &mut Options) -> Result<(), String> {
    let usage = "frames are A..B@FPS";
    let (range, rate) = value.split_once('@').ok_or(usage)?;
    let (first, last) = range.split_once("..").ok_or(usage)?;
    let whole = |text: &str| text.parse::<i32>().map_err(|_| usage.to_owned());
    let (first, last, rate) = (whole(first)?, whole(last)?, number(rate)?);
    options.times = (first..=last)
        .map(|frame| Some(f64::from(frame) / rate))
        .collect();
    options.timing = Some(Timing {
        rate,
        first: first.into(),
    });
    Ok(())
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

/// Returns the first of some errors in words.
fn first(errors: Vec<Diagnostic>) -> String {
    let first = errors.into_iter().next();
    first.map_or_else(String::new, |error| error.message)
}
