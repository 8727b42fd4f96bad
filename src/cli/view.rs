//! The `view` command: a page that shows a document or a glTF file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::common_args::isa_or_best;
use super::render::printable;
use super::scene::{Reading, read_scene};
use super::{FAILED, Fatal, Output, SUCCESS, print_findings, print_message};
use crate::base::diag::Warned;
use crate::base::limits::Limits;
use crate::inspect::view_page;
use crate::io::{Durability, IoError, Sink, Target};

/// Look at a document or a glTF file in a browser, skinned on the GPU
///
/// Writes one HTML file with the model in it and opens it. The page needs no server and no network. It skins the model in a
/// vertex shader by linear blending and by dual quaternions, with up to eight influences, shows poses and animations, and
/// colours the distance between the two solvers, or between the GPU and what this program bakes. The path of the page is
/// printed.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = "Examples:\n  rigy-batch view fox.glb                 open a page in the browser\n  \
rigy-batch view lamp.rigy.yaml -o out/  write out/lamp.rigy.yaml.html and open it\n  \
rigy-batch view fox.glb --no-open       write the page to a new temporary directory and print its path\n\n\
Exit status: 0 written, 1 the file has errors, 2 could not start."
)]
pub struct View {
    /// A document, a .glb or a .gltf
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Write the page below this directory [default: a new temporary directory]
    ///
    /// The page has the name of the file and the extension `.html`. A page that is there already is replaced.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Do not open the page
    #[arg(long)]
    pub no_open: bool,
}

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// Writes the page, prints its path and opens it.
pub fn run(args: &View) -> Result<u8, Fatal> {
    let isa = isa_or_best(None)?;
    let reading = Reading {
        root: args.file.parent().unwrap_or(Path::new("")),
        max_file: MAX_FILE,
        limits: Limits::DEFAULT,
        isa,
    };
    let scene = match read_scene(&args.file, &reading)? {
        Ok(Warned { value, warnings }) => {
            print_findings(&warnings);
            value
        }
        Err(errors) => {
            print_findings(&errors);
            return Ok(FAILED);
        }
    };
    let page = view_page(&scene);
    let directory = match &args.output {
        Some(directory) => directory.clone(),
        None => {
            let made = tempfile::Builder::new()
                .prefix("rigy-batch-view-")
                .tempdir();
            made.map_err(|error| IoError::new("write below", std::env::temp_dir(), error))?
                .keep()
        }
    };
    let mut name = args
        .file
        .file_name()
        .unwrap_or(OsStr::new("model"))
        .to_owned();
    name.push(".html");
    let path = directory.join(name);
    let sink = Sink::new(&directory, Durability::None)?;
    let staged = sink.stage(Target::new(&path), |file| file.write_all(page.as_bytes()))?;
    staged.commit()?;
    let mut out = Output::new();
    out.line(&printable(&path.display().to_string()));
    if !args.no_open {
        open(&path);
    }
    Ok(if out.failed { FAILED } else { SUCCESS })
}

/// Opens a page with the system's program for HTML files. If there is none, a message says so; the path has been printed.
fn open(path: &Path) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = Command::new(program)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        print_message(&format!(
            "cannot start `{program}`, so open the page yourself: {error}"
        ));
    }
}
