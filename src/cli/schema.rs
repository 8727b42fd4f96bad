//! The `schema` command: JSON Schemas for editors.

use super::output::Output;
use super::status::{Result, SUCCESS, bail};
use rigy_language::schema::json::{Kind, text};
use rigy_language::version::Version;

/// Print a JSON Schema, with which editors complete and check documents
///
/// It is made from the table by which rigy-batch reads: an editor that knows it names the fields of a mapping, says what
/// they are for, and underlines those that do not exist or have a wrong type. It does not know what only a whole document
/// tells, such as whether an id exists; for that, run rigy-batch with --watch.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 printed, 2 there is no such schema.",
    after_long_help = "Examples:\n  rigy-batch schema > rigy.schema.json\n  \
rigy-batch schema --version 0.12 > rigy-0.12.schema.json\n  \
rigy-batch schema contract > ricy.schema.json\n  \
rigy-batch schema scene > rigs.schema.json\n\n\
Exit status: 0 printed, 2 there is no such schema."
)]
pub struct Schema {
    /// The kind of files: document, contract, weights or scene
    #[arg(value_enum, default_value_t = Files::Document)]
    pub kind: Files,

    /// For documents of this version only, such as 0.13 [default: all versions, as a document declares]
    #[arg(long, value_name = "0.N", value_parser = version)]
    pub version: Option<Version>,
}

/// The kinds of files.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Files {
    /// Documents, `*.rigy.yaml`.
    Document,
    /// Contracts of imports, `*.ricy.yaml`.
    Contract,
    /// Weight files, in JSON.
    Weights,
    /// Scenes, `*.rigs.yaml`.
    Scene,
}

/// Prints a schema.
pub fn run(args: &Schema) -> Result<u8> {
    let kind = match (args.kind, args.version) {
        (Files::Document, None) => Kind::Documents,
        (Files::Document, Some(version)) => Kind::DocumentsOf(version),
        (Files::Contract, None) => Kind::Contracts,
        (Files::Weights, None) => Kind::WeightFiles,
        (Files::Scene, None) => Kind::Scenes,
        (_, Some(_)) => {
            bail!("`--version` is for documents; other files have one schema");
        }
    };
    let mut out = Output::new();
    out.line(&text(kind));
    Ok(out.status(SUCCESS))
}

fn version(text: &str) -> Result<Version, String> {
    Version::named(text).ok_or_else(|| {
        let (oldest, newest) = (Version::OLDEST, Version::NEWEST);
        format!("there are versions {oldest} to {newest}")
    })
}
