//! The `view` command: a page that shows a document or a glTF file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::bake_args::{Scale, joint_scale};
use super::common_args::isa_or_best;
use super::render::printable;
use super::requested::RequestedNames;
use super::{FAILED, Fatal, Output, SUCCESS, print_findings, print_message};
use crate::bake::Source;
use crate::base::diag::{Code, Diagnostic, Warned};
use crate::base::loader::Location;
use crate::compile::{self, Files, Input};
use crate::inspect::scene_data::{SceneData, document_scene, gltf_scene};
use crate::inspect::view_page;
use crate::io::{DirectoryLoader, Durability, IoError, Sink, Target, read_file};
use crate::kernel::simd::Isa;
use crate::run::batch::gltf_stem;

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

    /// Joint scale of a glTF file under dual quaternions: global, local or reject [default: global]
    ///
    /// As for `bake`, so the page shows what `bake` makes with the same option. With `reject`, moments at which a joint scales
    /// are shown by linear blending.
    #[arg(long, value_enum, hide_possible_values = true)]
    pub scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "scale"
    )]
    pub scale_local: Vec<String>,

    /// Keep references to other files inside this directory
    ///
    /// A reference that leads out of it is an error. By default it is the directory of FILE.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Do not open the page
    #[arg(long)]
    pub no_open: bool,
}

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// Writes the page, prints its path and opens it.
pub fn run(args: &View) -> Result<u8, Fatal> {
    let isa = isa_or_best(None)?;
    let scene = match scene(args, isa)? {
        Ok(scene) => scene,
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

/// Returns the scene of a file, or its errors; there are none if they have been printed.
///
/// # Errors
/// If the file cannot be read, or an option does not fit it.
fn scene(args: &View, isa: Isa) -> Result<Result<SceneData, Vec<Diagnostic>>, Fatal> {
    let path = &args.file;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let is_gltf = gltf_stem(name) != name;
    if !is_gltf && (args.scale.is_some() || !args.scale_local.is_empty()) {
        return Err("`--scale` and `--scale-local` are for glTF files".into());
    }
    let mut bytes = Vec::new();
    read_file(path, MAX_FILE, &mut bytes).map_err(|error| IoError::new("read", path, error))?;
    let parent = path.parent().unwrap_or(Path::new(""));
    let loader = DirectoryLoader::new(args.root.as_deref().unwrap_or(parent))?;
    let location = Location(crate::io::identity(path));
    let shown = name.to_string_lossy();
    if is_gltf {
        let source = Source::read(&bytes, &location, &loader);
        return Ok(source.and_then(|source| gltf(args, source, &shown, isa)));
    }
    let files = Files::new(loader);
    Ok(
        document(&bytes, path, location, &files).and_then(|compiled| {
            print_findings(&compiled.warnings);
            document_scene(&compiled.value, &shown, isa)
        }),
    )
}

/// Returns the scene of a glTF file.
fn gltf(
    args: &View,
    source: Warned<Source<'_>>,
    name: &str,
    isa: Isa,
) -> Result<SceneData, Vec<Diagnostic>> {
    let Warned {
        value: source,
        mut warnings,
    } = source;
    // A page may well show a file without a skin.
    warnings.retain(|warning| warning.code != Some(Code::W08));
    print_findings(&warnings);
    let mut requested = RequestedNames::new(&args.scale_local, "the file has no joint");
    let file = &source.file;
    let joints = file.skins.iter().flat_map(|skin| &skin.joints);
    let names = joints.filter_map(|joint| file.nodes[*joint].name.clone());
    requested.add_input(names.collect());
    if requested.print_missing() {
        return Err(Vec::new());
    }
    let scale = joint_scale(args.scale.unwrap_or(Scale::Global), &args.scale_local);
    gltf_scene(&source, name, &scale, isa)
}

/// Compiles a document.
///
/// # Errors
/// The errors of its earliest failing stage.
fn document(
    bytes: &[u8],
    path: &Path,
    location: Location,
    files: &Files,
) -> Result<Warned<compile::Compiled>, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let text = compile::decode(&name, bytes)?;
    let input = Input {
        name: &name,
        location,
        text,
    };
    compile::compile(input, files)
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
