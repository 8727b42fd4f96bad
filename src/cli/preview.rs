//! The `preview` command: pictures of documents and glTF files.

mod look;
mod output;
mod pictures;
mod share;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use clap::ValueEnum;

use super::common_args::{IsaName, LimitArgs, POSE_WORDS, Threads, pose_filter};
use super::each::caught;
use super::messages::{print_findings, print_message};
use super::opened::{Opened, discover_models};
use super::output::Output;
use super::printer::plural;
use super::progress::progress;
use super::requested::RequestedNames;
use super::run_context::memory_or_half;
use super::status::{FAILED, Result, SUCCESS, bail};
use crate::bake::Skinning;
use crate::io::Found;
use crate::run::batch::{Budget, Frames, PoseFilter, Unfinished, finite, is_document, motion};
use look::Look;
use output::Destination;
use pictures::{Options, Other, Pictures, Work};
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::loader::Motion;
use rigy_kernel::Solver;
use rigy_view::picture::{MAX_SIZE, MIN_SIZE};

/// Draw pictures of documents and glTF files
///
/// A document is shown at rest and in every pose, a glTF file as it is stored, or at times of an animation. Pictures are
/// drawn without a GPU; pictures of one file are taken from one place. Every machine draws the same pixels. Materials are
/// shown as glTF describes them, with textures from PNG, JPEG and WebP images. Surfaces without a material, and the white
/// ones of documents, are greyish blue. Documents are seen from both sides, because the language winds triangles in both
/// directions.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch preview lamp.rigy.yaml -o lamp.png     rest and poses side by side\n  \
rigy-batch preview models/ -o pictures/           one PNG for each file",
    after_long_help = "Examples:\n  rigy-batch preview lamp.rigy.yaml                  lamp.rigy.yaml.png, beside it\n  \
rigy-batch preview lamp.rigy.yaml -o lamp.png      rest and poses side by side\n  \
rigy-batch preview models/ -o pictures/            one PNG for each file\n  \
rigy-batch preview fox.glb --animation Run --time 0,0.2,0.4,0.6 -o run.png\n  \
rigy-batch preview fox.glb --animation Run --frames @24 -o run.png\n  \
rigy-batch preview fox.glb --turntable 36 -o fox.png\n  \
rigy-batch preview mine.glb --heat theirs.glb -o heat.png\n\n\
Exit status: 0 all good, 1 some input failed, 2 could not start."
)]
pub struct Preview {
    /// Documents and glTF files, or directories to search for *.rigy.yaml, *.rigy.yml, *.glb, *.gltf and *.vrm
    ///
    /// Hidden directories are skipped and links are not followed. A file that is named here may have any name.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write one sheet (FILE.png), or a PNG for each file (DIR)
    ///
    /// A name that ends in `.png` is a sheet with the pictures of all files; `-` is a sheet on standard output. A name without
    /// an ending, with `/` at its end, or of a directory that exists is a directory, in which each file gets a sheet of its own, named like the file with `.png` at the end. An
    /// existing file is replaced only if it is a PNG or empty. Without this option, each file gets a sheet beside it, whose path is printed.
    #[arg(short, long, value_name = "FILE.png|DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Pixels of a picture's side, 16 to 2048 [default: 256]
    #[arg(long, value_name = "N", default_value_t = 256, hide_default_value = true, value_parser = clap::value_parser!(u16).range(MIN_SIZE as i64..=MAX_SIZE as i64), help_heading = "Output")]
    pub size: u16,

    #[command(flatten)]
    pub look: Look,

    /// Show by colours how far each vertex is from FILE, or from the same file with the other solver
    ///
    /// `lbs` and `dqs` are solvers of glTF files; a file of such a name is `./lbs`. FILE is a document or a glTF file. It is taken in the same pose or at the same time where it has that, else at rest.
    /// With equally many vertices, those of equal number are compared; otherwise each with the nearest one. The colours and
    /// the greatest distance, in model units, are below the pictures.
    #[arg(long, value_name = "FILE|lbs|dqs", help_heading = "What is shown")]
    pub heat: Option<PathBuf>,

    /// Poses of documents: all, none, or ids separated by commas
    ///
    /// `all` is the rest pose and every pose, `none` only the rest pose.
    #[arg(
        long,
        value_name = "all|none|ID,...",
        default_value = "all",
        help_heading = "What is shown"
    )]
    pub pose: String,

    /// Play the animations of another file on the joints of a glTF file, as `bake` does
    #[arg(long, value_name = "FILE[#CLIP]", value_parser = motion(), help_heading = "What is shown")]
    pub motion: Option<Motion>,

    /// Animation of glTF files, by name or number
    ///
    /// Numbers begin at 0. By default it is animation 0 if there is a time, else none: nodes are as they are stored.
    #[arg(long, value_name = "NAME|INDEX", help_heading = "What is shown")]
    pub animation: Option<String>,

    /// Times in the animation, in seconds [default: 0]
    #[arg(long, value_name = "SECONDS,...", value_parser = finite, value_delimiter = ',', allow_negative_numbers = true, help_heading = "What is shown")]
    pub time: Vec<f64>,

    /// Animate these frames of the animation: 0..47@24, from, to and a second, or @24 for all
    ///
    /// `-o FILE.png` is an animated PNG, which is repeated for ever, and so is the file beside each input; in a directory the
    /// pictures are `NAME.0000.png` and so on.
    #[arg(long, value_name = "[A..B]@FPS", value_parser = Frames::parse, conflicts_with = "time", help_heading = "What is shown")]
    pub frames: Option<Frames>,

    /// Animate N pictures from all around the model, 2 to 360, which take four seconds
    ///
    /// The first has the chosen view, and all have one distance. Each pose or time goes round once. They are written as with `--frames`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=360), conflicts_with = "frames", help_heading = "What is shown")]
    pub turntable: Option<u16>,

    /// Solver of glTF files: linear blending (lbs) or dual quaternions (dqs)
    ///
    /// Documents name their own solvers.
    #[arg(long, value_enum, default_value_t = Solver::Lbs, help_heading = "What is shown")]
    pub solver: Solver,

    #[command(flatten)]
    pub threads: Threads,

    /// Print no progress bar and no summary; errors remain
    #[arg(short, long, help_heading = "Messages")]
    pub quiet: bool,

    #[command(flatten)]
    pub isa: IsaName,

    #[command(flatten)]
    pub limit: LimitArgs,
}

impl Preview {
    /// The solver that `--heat` names in the place of a file.
    fn heat_solver(&self) -> Option<Solver> {
        let word = self.heat.as_deref()?.to_str()?;
        Solver::from_str(word, false).ok()
    }

    /// Refuses a moment of an animation or a solver if no file can have one.
    fn check_kinds(&self, found: &[Found]) -> Result<()> {
        let of_gltf = self.animation.is_some() || !self.time.is_empty() || self.frames.is_some();
        let is_document = |found: &Found| found.path.file_name().is_some_and(is_document);
        if of_gltf && !found.is_empty() && found.iter().all(is_document) {
            let options = "`--animation`, `--time` and `--frames`";
            bail!("{options} are for glTF files; documents have `--pose`");
        }
        if let Some(solver) = self.heat_solver() {
            if found.iter().all(is_document) {
                bail!("a solver after `--heat` is for glTF files; documents name their own");
            }
            if solver == self.solver {
                bail!("`--solver` and `--heat` name the same solver: name the other one");
            }
        }
        Ok(())
    }

    fn options(&self) -> Result<Options> {
        Ok(Options {
            size: usize::from(self.size),
            view: self.look.view(),
            scenery: self.look.scenery(),
            poses: pose_filter(&self.pose),
            animation: self.animation.clone(),
            times: match (&*self.time, &self.motion) {
                ([], Some(_)) => vec![0.0],
                (times, _) => times.to_vec(),
            },
            frames: self.frames.clone(),
            turns: self.turntable.unwrap_or(1),
            skinning: skinning(self.solver),
            isa: self.isa.or_best()?,
            limits: self.limit.limits()?,
            motion: self.motion.clone(),
        })
    }
}

fn skinning(solver: Solver) -> Skinning {
    Skinning {
        solver,
        ..Skinning::linear()
    }
}

pub fn run(args: &Preview) -> Result<u8> {
    let (found, all_readable) = discover_models(&args.files)?;
    args.check_kinds(&found)?;
    let solver = args.heat_solver();
    let heat_file = args.heat.as_deref().filter(|_| solver.is_none());
    let read: Vec<&Path> = found
        .iter()
        .map(|found| &*found.path)
        .chain(heat_file)
        .chain(args.motion.as_ref().map(|motion| &*motion.location.0))
        .collect();
    let destination = Destination::of(args.output.as_deref(), &read)?;
    let options = args.options()?;
    if options.delay().is_some() && destination.is_one_sheet() && found.len() > 1 {
        bail!(
            "an animated PNG shows one file, and there are {}: name a directory after `-o`",
            found.len()
        );
    }
    let unusable = |errors: Vec<Diagnostic>| {
        print_findings(&errors);
        "the file of `--heat` cannot be used"
    };
    let heat = heat_file
        .map(|path| Opened::file(path, options.limits).map_err(|error| vec![error.finding()]))
        .transpose()
        .map_err(unusable)?;
    let heat = heat
        .as_ref()
        .map(Opened::subject)
        .transpose()
        .map_err(unusable)?;
    let work = Work {
        options: &options,
        heat: heat
            .as_ref()
            .map(Other::File)
            .or(solver.map(|solver| Other::Solver(skinning(solver)))),
        is_alone: found.len() == 1 || !destination.is_one_sheet(),
        kept_pixels: destination.is_one_sheet().then(AtomicU64::default),
    };
    let pool = args.threads.pool()?;
    pool.install(|| work.check_all(&found))?;
    let budget = Budget::new(memory_or_half(None));
    let bar = progress(found.len(), args.quiet);
    let results: Vec<Diagnosed<Pictures>> = pool.install(|| {
        let scale = (work.heat.is_some() && destination.is_one_sheet())
            .then(|| work.greatest(&found, &budget));
        share::each(&found, &budget, |found, grant| {
            let result = caught(&found.path, || {
                let pictures = work.pictures(found, scale, grant)?;
                let put = destination.put(found, pictures, &options);
                Ok(put.map_err(|error| share::cannot(found, &error))?)
            });
            if !matches!(result, Err(Unfinished::Postponed(_))) {
                bar.inc(1);
            }
            result
        })
    });
    bar.finish_and_clear();
    work.check_kept()?;
    finish(args, &options, destination, results, all_readable)
}

/// Prints the errors of all files in their order, then what goes to a sheet, then a summary. Returns the exit status.
fn finish(
    args: &Preview,
    options: &Options,
    destination: Destination,
    results: Vec<Diagnosed<Pictures>>,
    all_readable: bool,
) -> Result<u8> {
    let ids = match pose_filter(&args.pose) {
        PoseFilter::Ids(ids) => ids,
        _ => Vec::new(),
    };
    let mut requested = RequestedNames::new(&ids, "no document has a pose").with_words(&POSE_WORDS);
    let (files, mut failed, mut drawn) = (results.len(), 0, 0);
    let mut pictures = Vec::new();
    let has_own_sheets = !destination.is_one_sheet();
    for result in results {
        match result {
            Ok(mut of_file) => {
                requested.add_input(std::mem::take(&mut of_file.poses));
                drawn += of_file.count;
                let lacks_sheet = has_own_sheets && of_file.count == 0;
                failed += usize::from(lacks_sheet);
                if lacks_sheet || !args.quiet {
                    of_file.notes.iter().for_each(|note| print_message(note));
                }
                pictures.push(of_file);
            }
            Err(errors) => {
                failed += 1;
                print_findings(&errors);
            }
        }
    }
    let is_printed = destination.is_printed();
    let mut out = Output::new();
    destination.finish(pictures, options, &mut out)?;
    let is_missing = requested.print_missing();
    if !args.quiet && !is_printed {
        out.line(&summary(files, drawn, failed));
    }
    let good = failed == 0 && !is_missing && all_readable;
    Ok(out.status(if good { SUCCESS } else { FAILED }))
}

fn summary(files: usize, drawn: usize, failed: usize) -> String {
    let failed = match failed {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    let (files, pictures) = (plural(files, "file"), plural(drawn, "picture"));
    format!("{files}: {pictures}{failed}")
}
