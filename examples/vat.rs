//! Bakes animations of a glTF file and writes them as vertex animation textures.
//!
//! `cargo run --release --example vat -- FILE DIRECTORY [--animation A,B|all] [--frames @FPS|A..B@FPS]
//! [--packing float|half|unorm16] [--max-width TEXELS] [--solver lbs|dqs] [--up y|z] [--scale FACTOR]`: without options all
//! animations at 30 frames a second, in floats. `scripts/prove vat` reads what it writes with other programs.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rigy_batch::base::paths::Slashed;
use rigy_batch::export::vat::{self, Packing, VatClip, VatOptions};
use rigy_batch::export::{Images, Layout, Sequence, Timing, Up};
use rigy_batch::mesh::Model;
use rigy_batch::run::batch::Frames;
use rigy_batch::{
    Baker, Diagnostic, DirectoryLoader, Isa, JointScale, Location, MemoryLoader, Sequential,
    Skinning, Source, bake::ClipTime,
};

/// The values of the options.
struct Options {
    animations: Option<String>,
    frames: Frames,
    skinning: Skinning,
    layout: Layout,
    vat: VatOptions,
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
    let [input, directory, rest @ ..] = arguments else {
        return Err("usage: vat FILE DIRECTORY [OPTION VALUE]...".into());
    };
    let options = options(rest)?;
    let (input, directory) = (Path::new(input), Path::new(directory));
    let bytes = fs::read(input).map_err(|error| format!("{}: {error}", input.slashed()))?;
    let parent = input.parent().filter(|path| !path.as_os_str().is_empty());
    let loader = DirectoryLoader::new(parent.unwrap_or(Path::new(".")));
    let loader = loader.map_err(|error| error.to_string())?;
    let source = Source::read(&bytes, &Location(input.to_owned()), &loader);
    let source = source.map_err(first)?.value;
    let stem = input.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.ok_or("FILE has no name")?;
    let began = Instant::now();
    let clips = animations(&source, options.animations.as_deref())?;
    let sequences = clips.iter().map(|(index, name)| {
        let sequence = sequence(&source, *index, &options);
        Ok((name.as_str(), sequence?))
    });
    let sequences: Vec<_> = sequences.collect::<Result<_, String>>()?;
    let baked = began.elapsed();
    let clips = sequences.iter();
    let clips: Vec<_> = clips
        .map(|(name, sequence)| VatClip { name, sequence })
        .collect();
    let images = Images::of(&source, stem);
    let files = vat::build(&clips, &options.vat, stem, &images, &Sequential).map_err(first)?;
    let built = began.elapsed() - baked;
    for warning in &files.warnings {
        eprintln!("warning: {}", warning.message);
    }
    fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.slashed()))?;
    for file in &files.value {
        let path = directory.join(&file.name);
        fs::write(&path, &file.bytes).map_err(|error| format!("{}: {error}", path.slashed()))?;
        println!("{}: {} bytes", file.name, file.bytes.len());
    }
    println!(
        "baked in {:.3} s, built in {:.3} s",
        baked.as_secs_f64(),
        built.as_secs_f64()
    );
    Ok(())
}

/// Returns index and name of the animations of a list, or of all.
fn animations(source: &Source<'_>, list: Option<&str>) -> Result<Vec<(usize, String)>, String> {
    let all = source.file.animations.iter().enumerate();
    let all = all.map(|(index, animation)| match &animation.name {
        Some(name) => (index, name.clone()),
        None => (index, index.to_string()),
    });
    let all: Vec<(usize, String)> = all.collect();
    let Some(list) = list.filter(|list| *list != "all") else {
        return Ok(all);
    };
    let find = |wanted: &str| {
        let found = all.iter().find(|(_, name)| name == wanted).cloned();
        found.ok_or_else(|| format!("there is no animation {wanted:?}"))
    };
    list.split(',').map(find).collect()
}

/// Bakes an animation at all its frames.
fn sequence(source: &Source<'_>, animation: usize, options: &Options) -> Result<Sequence, String> {
    let span = source
        .file
        .span(animation)
        .map_err(first)?
        .unwrap_or([0.0; 2]);
    let numbers = options.frames.numbers(span)?;
    let first_number = *numbers.start();
    let baker = Baker::new(source);
    let mut models = numbers.map(|number| {
        let time = options.frames.time(number);
        let at = Some(ClipTime { animation, time });
        let baked = baker.bake_at(at, &options.skinning, Isa::best())?;
        let glb = baked.value.to_bytes()?.value;
        let location = Location("baked.glb".into());
        Ok(Model::read(&glb, &location, &MemoryLoader::default())?.value)
    });
    let model = models
        .next()
        .unwrap_or(Ok(Model::default()))
        .map_err(first)?;
    let timing = Timing {
        rate: options.frames.rate(),
        first: first_number.into(),
    };
    let sequence = Sequence::new(model, options.layout).and_then(|s| s.timed(timing));
    let mut sequence = sequence.map_err(first)?;
    models
        .try_for_each(|model: Result<Model, Vec<Diagnostic>>| sequence.push(&model?))
        .map_err(first)?;
    Ok(sequence)
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        animations: None,
        frames: Frames::whole(30.0),
        skinning: Skinning::linear(),
        layout: Layout::default(),
        vat: VatOptions::default(),
    };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("{} has no value", pair[0]));
        };
        let packing = Packing::ALL.into_iter().find(|p| p.name() == value);
        match (&**name, &**value) {
            ("--animation", _) => options.animations = Some(value.clone()),
            ("--frames", _) => options.frames = Frames::parse(value)?,
            ("--packing", _) => options.vat.packing = packing.ok_or("unknown packing")?,
            ("--max-width", _) => options.vat.max_width = number(value)?,
            ("--solver", "lbs") => options.skinning = Skinning::linear(),
            ("--solver", "dqs") => {
                options.skinning = Skinning::dual_quaternions(JointScale::Global);
            }
            ("--up", "y") => options.layout.up = Up::Y,
            ("--up", "z") => options.layout.up = Up::Z,
            ("--scale", _) => options.layout.scale = number(value)?,
            _ => return Err(format!("unknown option or value: {name} {value}")),
        }
    }
    Ok(options)
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

/// Returns the first of some errors in words.
fn first(errors: Vec<Diagnostic>) -> String {
    let first = errors.into_iter().next();
    first.map_or_else(String::new, |error| error.message)
}
