//! The `diff` command: two GLBs, two directories, or a manifest and a directory.

mod html;
mod pairs;
mod text;

use std::path::PathBuf;

use rayon::prelude::*;

use super::common_args::{LimitArgs, Threads};
use super::formats::{Annotation, End, Group, OutcomeFormat, Rule, print_groups};
use super::output::Output;
use super::progress::progress;
use super::status::{FAILED, Result, SUCCESS};
use crate::run::batch::number;

pub use html::{PageFile, comparison_page};
use pairs::{Pair, Pairs};

/// Compare two GLBs, or two directories of them, in words and distances
///
/// A and B are two files (`.glb`, `.gltf` or `.vrm`), two directories, whose files are paired by their paths below them, or a conformance
/// manifest and a directory with outputs. A has what is expected, B what was found. Files with the same bytes are equal.
/// For others the first field that differs is named, then differences of structure, and for each mesh and primitive how far
/// positions are apart, after the transforms of nodes, and by what angle normals are. Skins, morph targets and animations
/// are not applied: bake files first to compare poses.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 the same bytes or within the tolerance, 1 different, 2 could not start.",
    after_long_help = "Examples:\n  rigy-batch diff old.glb new.glb\n  \
rigy-batch diff old/ new/ --tolerance 1e-6\n  \
rigy-batch diff conformance/manifest.json theirs/ --format json\n  \
rigy-batch diff old.glb new.glb --html moved.html   also write a page that shows where\n  \
git difftool -t rigy-batch -y HEAD~1 -- '*.glb'     with the configuration of the guide\n\n\
Exit status: 0 the same bytes or within the tolerance, 1 different, 2 could not start."
)]
pub struct Diff {
    /// The file, directory or manifest with what is expected
    ///
    pub a: PathBuf,

    /// The file or directory with what was found
    pub b: PathBuf,

    /// Largest distance of vertices that counts as equal, in model units [default: files have the same bytes]
    ///
    /// It decides the exit status only: differences are printed all the same. All other numbers of a file may differ by as
    /// much; names, counts, indices and the like must be the same. With 0, all numbers must be the same, but not the spelling of
    /// the JSON and the layout of buffers.
    #[arg(long, value_name = "X", value_parser = tolerance, allow_negative_numbers = true)]
    pub tolerance: Option<f64>,

    /// Write a page that shows both models, coloured by the distance between them
    ///
    /// A browser opens the one file without a server and without a network. It shows A and B on both sides of a line that
    /// can be moved. If the meshes of both pair and have as many vertices, colours show the distance to the vertex of the
    /// same number, otherwise to the nearest vertex of the other model. Of several pairs, the page has the one with the
    /// largest distance. FILE replaces only an empty file or a page of the viewer.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub limit: LimitArgs,

    /// Standard output: human, json (an object for each pair), github, sarif or junit
    #[arg(long, value_enum, default_value_t = OutcomeFormat::Human)]
    pub format: OutcomeFormat,

    /// Print nothing about pairs that are equal or within the tolerance, and no summary
    #[arg(short, long)]
    pub quiet: bool,
}

/// Reads a distance: a number that is finite and not negative.
pub fn tolerance(text: &str) -> Result<f64, String> {
    let message = "not a distance: a number of model units, 0 or more";
    number(text, |distance| distance >= 0.0, message)
}

pub fn run(args: &Diff) -> Result<u8> {
    let page = args
        .html
        .as_deref()
        .map(html::PageFile::check)
        .transpose()?;
    let pairs = Pairs::new(&args.a, &args.b, args.limit.limits()?)?;
    let pool = args.threads.pool()?;
    let bar = progress(pairs.len(), args.quiet);
    let results: Vec<Pair> = pool.install(|| {
        (0..pairs.len())
            .into_par_iter()
            .map(|index| pairs.compare(index))
            .inspect(|_| bar.inc(1))
            .collect()
    });
    bar.finish_and_clear();
    let mut out = Output::new();
    let (mut equal, mut within) = (0, 0);
    for pair in &results {
        let is_equal = pair.difference.equal;
        let is_within = pair.difference.passes(args.tolerance);
        equal += usize::from(is_equal);
        within += usize::from(is_within && !is_equal);
        let is_shown = !is_within || !args.quiet;
        match args.format {
            OutcomeFormat::Json if is_shown => out.json(pair),
            // Of many pairs, those that are equal are only counted.
            OutcomeFormat::Human if is_shown && (!is_equal || results.len() == 1) => {
                out.line(&text::of(pair, is_within));
            }
            _ => {}
        }
    }
    let summary = text::summary(results.len(), equal, within);
    if args.format == OutcomeFormat::Human && results.len() > 1 && !args.quiet {
        out.line(&summary);
    }
    if let Some(format) = args.format.of_groups() {
        let groups: Vec<Group> = results
            .iter()
            .map(|pair| group(pair, args.tolerance))
            .collect();
        let end = End::of_sentence(&summary, args.quiet);
        print_groups(&mut out, format, &groups, &end);
    }
    let good = equal + within == results.len();
    let good = match page {
        Some(page) => page.write_pair(&pairs, &results, args.quiet)? && good,
        None => good,
    };
    Ok(out.status(if good { SUCCESS } else { FAILED }))
}

/// Returns the result for a pair in the form that formats for programs share.
fn group(pair: &Pair, tolerance: Option<f64>) -> Group {
    let name = pair
        .b
        .as_ref()
        .or(pair.a.as_ref())
        .cloned()
        .unwrap_or_default();
    let errors = if pair.difference.passes(tolerance) {
        Vec::new()
    } else {
        vec![Annotation::error(
            Rule::Difference,
            &name,
            text::headline(pair),
        )]
    };
    Group::of_file(name, errors)
}
