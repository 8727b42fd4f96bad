//! The `init` command: a small assembly to begin with.

use std::path::PathBuf;

use super::output::Output;
use super::status::{Result, SUCCESS, bail};
use crate::io::{exists, is_link, write_new_files};
use rigy_base::paths::Slashed;

/// Write a small assembly to begin with
///
/// It is three documents with comments, in the working directory: desk.rigy.yaml, a desk on which a part is placed twice;
/// desk-cup.part.yaml, the part; and desk-lamp.rigy.yaml, a lamp with a skeleton and two poses. Files that exist are not replaced.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 written, 2 a file exists or could not be written.")]
pub struct Init {}

const FILES: [(&str, &str); 3] = [
    ("desk.rigy.yaml", include_str!("init/assembly.yaml")),
    ("desk-cup.part.yaml", include_str!("init/cup.yaml")),
    ("desk-lamp.rigy.yaml", include_str!("init/lamp.yaml")),
];

/// Writes the documents and says what to run next.
pub fn run() -> Result<u8> {
    let files = FILES.map(|(path, text)| (PathBuf::from(path), text.to_owned()));
    if let Some((path, _)) = files.iter().find(|(path, _)| exists(path) || is_link(path)) {
        let path = path.slashed();
        bail!("`{path}` exists, and no file is replaced; begin in another directory");
    }
    write_new_files(&files)?;
    let mut out = Output::new();
    out.line(
        "desk.rigy.yaml: a desk with two cups\ndesk-cup.part.yaml: the cup\ndesk-lamp.rigy.yaml: a lamp with two poses\n\n\
         Next:\n  rigy-batch desk.rigy.yaml desk-lamp.rigy.yaml -o out\n  \
         rigy-batch preview desk-lamp.rigy.yaml\n  rigy-batch view desk-lamp.rigy.yaml",
    );
    Ok(out.status(SUCCESS))
}
