//! The options that say which files below a directory are inputs.

use std::path::PathBuf;

use crate::io::{Skips, check_glob};

/// Options of commands that search directories for inputs.
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// Leave out inputs that match a glob; may be repeated
    ///
    /// Globs have the syntax of `.gitignore` and are relative to each PATH: `old/` is every directory of this name, `/old/` the one
    /// in the PATH itself, `drafts/**` everything below a directory. A glob that begins with `!` takes back what an earlier one
    /// leaves out. A file that is named as a PATH is always an input.
    #[arg(long, value_name = "GLOB", value_parser = glob, help_heading = "Running")]
    pub exclude: Vec<String>,

    /// Also take inputs that ignore files name, and those in node_modules
    ///
    /// Without it, inputs are left out that `.gitignore` (in a git repository), `.ignore` or `.rigyignore` names, and directories called
    /// node_modules are not searched.
    #[arg(long, help_heading = "Running")]
    pub no_ignore: bool,
}

impl SearchArgs {
    /// Returns what a search leaves out; `outputs` are directories that outputs go to.
    pub fn skips(&self, outputs: Vec<PathBuf>) -> Skips {
        Skips {
            outputs,
            excludes: self.exclude.clone(),
            ignored: !self.no_ignore,
        }
    }
}

/// Reads a glob.
pub fn glob(text: &str) -> Result<String, String> {
    check_glob(text).map(|()| text.to_owned())
}
