//! Writes any number of Rigy documents, for benchmarks and for tests at scale.
//!
//! `cargo run --example generate -- DIR --count 1000 --seed 7`; `--series later` and `--series scenes` write those of 0.6 to 0.13.

use rigy_batch::base::paths::Slashed;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use rigy_documents::{self as documents, Generated, Size};

/// A directory does not get crowded: documents go to `0000`, `0001`, …
const PER_DIRECTORY: u64 = 1000;

/// Write generated Rigy documents below a directory: the same seed gives the same bytes, everywhere
#[derive(Parser)]
#[command(name = "generate")]
struct Arguments {
    /// Directory to write to; created if missing
    directory: PathBuf,
    /// Number of documents
    #[arg(long)]
    count: u64,
    /// Seed of the series of documents
    #[arg(long)]
    seed: u64,
    /// Size of each document
    #[arg(long, value_enum, default_value = "small")]
    size: SizeArgument,
    /// Another series than that of documents of 0.1 to 0.5
    #[arg(long, value_enum, conflicts_with = "size")]
    series: Option<Series>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Series {
    /// Documents of 0.6 to 0.13
    Later,
    /// Scenes, and the documents that they place
    Scenes,
}

#[derive(Clone, Copy, ValueEnum)]
enum SizeArgument {
    /// Boxes and cylinders for the most part: GLBs of 2–80 KB
    Small,
    /// Two capsules and a pose: about 80 KB baked
    L02,
    /// Dozens of capsules
    Large,
}

impl From<SizeArgument> for Size {
    fn from(argument: SizeArgument) -> Size {
        match argument {
            SizeArgument::Small => Size::Small,
            SizeArgument::L02 => Size::L02,
            SizeArgument::Large => Size::Large,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match write_all(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}: {error}", arguments.directory.slashed());
            ExitCode::FAILURE
        }
    }
}

fn write_all(arguments: &Arguments) -> io::Result<()> {
    for index in 0..arguments.count {
        let directory = arguments
            .directory
            .join(format!("{:04}", index / PER_DIRECTORY));
        if index % PER_DIRECTORY == 0 {
            fs::create_dir_all(&directory)?;
        }
        write_one(&directory, arguments, index)?;
    }
    Ok(())
}

/// A document or scene, and the end of its file name.
fn generated(arguments: &Arguments, index: u64) -> (Generated, &'static str) {
    let seed = arguments.seed;
    match arguments.series {
        None => {
            let size = arguments.size.into();
            (documents::document(seed, index, size), ".rigy.yaml")
        }
        Some(Series::Later) => (documents::extended_document(seed, index), ".rigy.yaml"),
        Some(Series::Scenes) => (documents::scene(seed, index), ".rigs.yaml"),
    }
}

fn write_one(directory: &Path, arguments: &Arguments, index: u64) -> io::Result<()> {
    let (generated, ending) = generated(arguments, index);
    let name = format!("{}{ending}", documents::stem(index));
    fs::write(directory.join(name), generated.yaml)?;
    for (path, text) in generated.files {
        let path = directory.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}
