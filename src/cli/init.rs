//! The `init` command: a small assembly to begin with.

use std::path::PathBuf;

use super::output::Output;
use super::status::{Fatal, SUCCESS, bail};
use crate::base::paths::Slashed;
use crate::io::{exists, is_link, write_new_files};

/// Write a small assembly to begin with
///
/// It is three documents with comments, in the working directory: NAME.rigy.yaml, a desk on which a part is placed twice;
/// NAME-cup.part.yaml, the part; and NAME-lamp.rigy.yaml, a lamp with a skeleton and two poses. Files that exist are not replaced.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 written, 2 a file exists or could not be written.",
    after_long_help = "Examples:\n  rigy-batch init\n  \
rigy-batch init workshop\n  \
rigy-batch .                       compile what was written\n\n\
Exit status: 0 written, 2 a file exists or could not be written."
)]
pub struct Init {
    /// The name of the assembly: ASCII letters, digits, `_` and `-`
    #[arg(default_value = "desk")]
    pub name: String,
}

/// The documents, with `NAME` where the name belongs.
const ASSEMBLY: &str = include_str!("init/assembly.yaml");
const PART: &str = include_str!("init/cup.yaml");
const RIG: &str = include_str!("init/lamp.yaml");

/// Longest name, in characters: names of files end at 255 bytes, and outputs have longer ones.
const LONGEST: usize = 100;

/// Writes the documents and says what to run next.
pub fn run(args: &Init) -> Result<u8, Fatal> {
    let name = &args.name;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty()
        || name.starts_with('-')
        || name.len() > LONGEST
        || !name.chars().all(is_plain)
    {
        bail!(
            "`{name}` is not a name of 1 to {LONGEST} ASCII letters, digits, `_` and `-`, no `-` first"
        );
    }
    let assembly = format!("{name}.rigy.yaml");
    let part = format!("{name}-cup.part.yaml");
    let rig = format!("{name}-lamp.rigy.yaml");
    let files = [(&assembly, ASSEMBLY), (&part, PART), (&rig, RIG)]
        .map(|(path, text)| (PathBuf::from(path), text.replace("NAME", name)));
    if let Some((path, _)) = files.iter().find(|(path, _)| exists(path) || is_link(path)) {
        let path = path.slashed();
        bail!("`{path}` exists; choose another name: `rigy-batch init NAME`");
    }
    write_new_files(&files)?;
    let mut out = Output::new();
    out.line(&format!(
        "{assembly}: a desk with two cups\n{part}: the cup\n{rig}: a lamp with two poses\n\n\
         next: rigy-batch {assembly} {rig} -o out"
    ));
    Ok(out.status(SUCCESS))
}
