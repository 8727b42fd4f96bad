//! The `view` command: a page that shows a document or a glTF file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::common_args::{LimitArgs, isa_or_best};
use super::diff::{PageFile, comparison_page};
use super::inputs::has_gltf_name;
use super::messages::{print_findings, print_message};
use super::named::{Named, named};
use super::output::Output;
use super::render::printable;
use super::scene::{Reading, read_scene};
use super::shown_scale::ShownScale;
use super::status::{FAILED, Result, SUCCESS, bail};
use crate::cli::page::view_page;
use crate::io::{IoError, Sink, Target};
use crate::run::batch::motion;
use rigy_base::diag::Warned;
use rigy_base::loader::Motion;
use rigy_base::paths::{Slashed, parent_of};

/// Look at a document or a glTF file in a browser, skinned on the GPU
///
/// Writes one HTML file with the model in it and opens it. The page needs no server and no network. It skins the model in a
/// vertex shader by linear blending and by dual quaternions, with up to eight influences, shows poses and animations, and
/// colours the distance between the two solvers, or between the GPU and what this program bakes. The path of the page is
/// printed.
#[derive(clap::Args)]
#[command(
    after_long_help = "Examples:\n  rigy-batch view fox.glb                 open a page in the browser\n  \
rigy-batch view fox.glb -o fox.html     write this page and open it\n  \
rigy-batch view old.glb new.glb         both models, coloured by the distance between them\n  \
rigy-batch view fox.glb --no-open       write the page to a new temporary directory and print its path\n\n\
Exit status: 0 written, 1 the file has errors, 2 could not start."
)]
pub struct View {
    /// A document, a .glb, a .gltf or a .vrm
    pub file: PathBuf,

    /// A second glTF file: the page shows both, as that of `diff --html` does
    ///
    /// FILE is on the left of a line that can be moved and OTHER on the right; colours show how far apart they are.
    pub other: Option<PathBuf>,

    /// Write the page below this directory, or to this file [default: a new temporary directory]
    ///
    /// DIR exists, or its name has `/` at the end or no ending; below it the page has the name of the file and the extension `.html`, and replaces what is
    /// there. A name that ends in `.html` is the page itself, which replaces only an empty file or a page of the viewer.
    #[arg(short, long, value_name = "DIR|FILE.html")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub scale: ShownScale,

    /// Play the animations of another file on the joints of a glTF file, as `bake` does
    #[arg(long, value_name = "FILE[#CLIP]", value_parser = motion())]
    pub motion: Option<Motion>,

    /// Keep references to other files inside this directory
    ///
    /// A reference that leads out of it is an error. By default it is the directory of FILE.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Do not open the page
    #[arg(long)]
    pub no_open: bool,

    #[command(flatten)]
    pub limit: LimitArgs,
}

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

pub fn run(args: &View) -> Result<u8> {
    let file = match &args.output {
        Some(path) if named("-o", path, &["html", "htm"])? == Named::File => {
            Some(PageFile::check(path)?)
        }
        _ => None,
    };
    let page = match &args.other {
        None => page_of_one(args)?,
        Some(_) if args.scale.is_given() || args.root.is_some() || args.motion.is_some() => {
            bail!(
                "`--joint-scale`, `--local-scale-joints`, `--motion` and `--root` are for one file"
            );
        }
        Some(other) => comparison_page(&args.file, other)?,
    };
    page.map_or(Ok(FAILED), |page| write(args, file, &page))
}

/// Returns the page of one file; `None`, after messages, if the file has errors.
fn page_of_one(args: &View) -> Result<Option<String>> {
    let isa = isa_or_best(None)?;
    if !has_gltf_name(&args.file) && args.scale.is_given() {
        bail!("`--joint-scale` and `--local-scale-joints` are for glTF files");
    }
    let parent = parent_of(&args.file);
    let reading = Reading {
        root: args.root.as_deref().unwrap_or(parent),
        max_file: MAX_FILE,
        limits: args.limit.limits()?,
        scale: &args.scale.treatment(),
        required_joints: &args.scale.local_scale_joints,
        allowed_extensions: &[],
        motion: &args.motion,
        isa,
    };
    Ok(match read_scene(&args.file, &reading)? {
        Ok(Warned { value, warnings }) => {
            print_findings(&warnings);
            Some(view_page(&value))
        }
        Err(errors) => {
            print_findings(&errors);
            None
        }
    })
}

/// Writes the page, prints its path and opens it.
fn write(args: &View, file: Option<PageFile>, page: &str) -> Result<u8> {
    let path = match file {
        Some(file) => file.write(page)?,
        None => write_below(args, page)?,
    };
    let mut out = Output::new();
    out.line(&printable(&path.shown()));
    if !args.no_open {
        open(&path);
    }
    Ok(out.status(SUCCESS))
}

/// Writes the page below a directory and returns its path.
fn write_below(args: &View, page: &str) -> Result<PathBuf> {
    let directory = match &args.output {
        Some(directory) => directory.clone(),
        None => tempfile::Builder::new()
            .prefix("rigy-batch-view-")
            .tempdir()
            .map_err(IoError::at("write below", &std::env::temp_dir()))?
            .keep(),
    };
    let file_name = |path: &Path| path.file_name().unwrap_or(OsStr::new("model")).to_owned();
    let mut name = file_name(&args.file);
    if let Some(other) = &args.other {
        name.push(" and ");
        name.push(file_name(other));
    }
    name.push(".html");
    let path = directory.join(name);
    Sink::new(&directory, false)?
        .stage(Target::new(&path), |file| file.write_all(page.as_bytes()))?
        .commit()?;
    Ok(path)
}

/// Opens a page with the system's program for HTML files. If there is none, a message says so; the path has been printed.
fn open(path: &Path) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = Command::new(program)
        .arg(path.iter().collect::<PathBuf>()) // with `\` on Windows, where `explorer` takes `/` for an option
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
