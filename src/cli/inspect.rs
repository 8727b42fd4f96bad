//! The `inspect` command: what documents, scenes and glTF files have.

mod described;
mod over_time;
mod solvers;
mod text;

use std::path::PathBuf;

use clap::ValueEnum;

use super::common_args::{LimitArgs, Threads};
use super::each::each;
use super::messages::print_findings;
use super::opened::discover_models;
use super::output::Output;
use super::requested::RequestedNames;
use super::status::{COULD_NOT_START, FAILED, Result, SUCCESS};
use super::width;
use crate::run::batch::motion;
use described::{Described, Style};
use over_time::OverTime;
use rigy_base::diag::Diagnosed;
use rigy_base::loader::Motion;
use rigy_view::description::DocumentOptions;

/// A check of `--intent-checks` has failed.
const FAILED_CHECK: u8 = 3;

/// Print what documents, scenes and glTF files have
///
/// Of a document: bounds of all primitives, the faces of boxes and wedges with their surface keys, instances, and on request
/// the gaps between primitives and the results of `geometry_checks`. Of a scene: the same of the part that the others stand
/// on, and the places of these. Of a glTF file: nodes, clips, skins, meshes, materials, textures, extensions, sizes, and bounds at rest.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch inspect fox.glb                          clips, skins, meshes, textures\n  \
rigy-batch inspect chair.rigy.yaml --pairwise-gaps  what touches what",
    after_long_help = "Examples:\n  rigy-batch inspect fox.glb                          clips, skins, meshes, textures\n  \
rigy-batch inspect fox.glb --over-time              and the bounds over its animations\n  \
rigy-batch inspect fox.glb --solvers                and whether it needs dual quaternions\n  \
rigy-batch inspect models/ --check                  and what a bake would find\n  \
rigy-batch inspect models/ --format json            one object for each file\n  \
rigy-batch inspect chair.rigy.yaml --primitive seat --primitive leg --pairwise-gaps\n  \
rigy-batch inspect roof.rigy.yaml --intent-checks --fail-on-intent\n\n\
Exit status: 0 all good, 1 some input failed, 2 could not start, or no document has a primitive of `--primitive`, 3 a \
check failed and --fail-on-intent is given."
)]
pub struct Inspect {
    /// Documents, scenes and glTF files, or directories to search for *.rigy.yaml, *.rigs.yaml, *.glb, *.gltf and *.vrm
    ///
    /// Names that end in `.yml` are found, too. Hidden directories are skipped and links are not followed. A file that is
    /// named here may have any name.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Standard output: tables (text) or an object for each file (json)
    ///
    /// The JSON of a single file is indented. That of several files, or of a directory, is one object on each line, and those of
    /// documents have `file` and `format`, too.
    #[arg(long, value_enum, default_value_t = InspectFormat::Text)]
    pub format: InspectFormat,

    /// List only primitives with this id; may be repeated
    #[arg(long, value_name = "ID", help_heading = "Documents")]
    pub primitive: Vec<String>,

    /// Add the document after preprocessing, as YAML: repeats and macros written out, expressions evaluated
    ///
    /// In JSON it is the text `expanded_yaml`; among tables it follows after a line `---`. Scenes have none.
    #[arg(long, help_heading = "Documents")]
    pub expanded: bool,

    /// List the gaps between the bounds of all pairs of primitives
    ///
    /// A positive gap is a distance, a negative one an overlap.
    #[arg(long, help_heading = "Documents")]
    pub pairwise_gaps: bool,

    /// Evaluate the checks of `geometry_checks.alignment`
    #[arg(long, help_heading = "Documents")]
    pub intent_checks: bool,

    /// Exit with 3 if a check fails; one that cannot be evaluated does not fail
    #[arg(long, requires = "intent_checks", help_heading = "Documents")]
    pub fail_on_intent: bool,

    /// Add what a bake of the nodes as they are stored finds, such as broken weights
    ///
    /// Errors are status 1, as those of reading are without it.
    #[arg(long, help_heading = "glTF files")]
    pub check: bool,

    /// Play the animations of another file on the joints of a glTF file, as `bake` does
    #[arg(long, value_name = "FILE[#CLIP]", value_parser = motion(), help_heading = "glTF files")]
    pub motion: Option<Motion>,

    #[command(flatten)]
    pub over_time: OverTime,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub limit: LimitArgs,

    /// Print no progress bar
    #[arg(short, long)]
    pub quiet: bool,
}

/// The values of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InspectFormat {
    #[value(alias = "human")]
    Text,
    Json,
}

impl Inspect {
    fn options(&self) -> DocumentOptions {
        DocumentOptions {
            primitives: self.primitive.clone(),
            pairwise_gaps: self.pairwise_gaps,
            intent_checks: self.intent_checks,
        }
    }

    fn style(&self) -> Style {
        let is_single = matches!(&*self.files, [file] if !file.is_dir());
        match self.format {
            InspectFormat::Json if is_single => Style::Indented,
            InspectFormat::Json => Style::Line,
            InspectFormat::Text => Style::Text {
                width: width::of_standard_output(),
            },
        }
    }
}

pub fn run(args: &Inspect) -> Result<u8> {
    let (found, all_readable) = discover_models(&args.files)?;
    let (limits, style) = (args.limit.limits()?, args.style());
    let results = each(&found, &args.threads, args.quiet, |found| {
        described::describe(found, args, &limits, style)
    })?;
    finish(args, results, all_readable)
}

/// Prints the findings and descriptions of all files in their order, and returns the exit status.
fn finish(args: &Inspect, results: Vec<Diagnosed<Described>>, mut is_whole: bool) -> Result<u8> {
    let mut requested = RequestedNames::new(&args.primitive, "no document has a primitive");
    let mut has_failed_check = false;
    let mut shown = Vec::new();
    for result in results {
        match result {
            Ok(described) => {
                print_findings(&described.warnings);
                is_whole &= described.is_whole;
                requested.add_input(described.primitives);
                has_failed_check |= described.has_failed_check;
                shown.push(described.text);
            }
            Err(errors) => {
                is_whole = false;
                print_findings(&errors);
            }
        }
    }
    // A document that has errors may have the primitive.
    if is_whole && requested.print_missing() {
        return Ok(COULD_NOT_START);
    }
    let mut out = Output::new();
    for (index, text) in shown.iter().enumerate() {
        if index > 0 && args.format == InspectFormat::Text {
            out.line("");
        }
        out.line(text);
    }
    Ok(out.status(match (is_whole, has_failed_check) {
        (false, _) => FAILED,
        (true, true) if args.fail_on_intent => FAILED_CHECK,
        _ => SUCCESS,
    }))
}
