//! By what the cache knows an input: all that decides what becomes of it but bytes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::options::Options;
use crate::base::loader::{Stamp, digest};
use crate::io::Found;

/// All that decides what becomes of an input but the input itself: this program, the options, and the kind of work.
pub(super) struct Job {
    /// This program.
    pub program: String,
    /// The rest.
    what: String,
}

/// An input, and what is done with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Key {
    /// By a path that does not depend on the working directory.
    pub input: PathBuf,
    /// By which program.
    pub program: String,
    /// What is done with it, and what it is called.
    pub job: String,
}

impl Job {
    /// Describes what is done with every input of a batch; `work` is the kind of work with its own options.
    pub fn new(options: &Options, work: &str) -> Self {
        let Options {
            output,
            root,
            warnings,
            limits,
            ..
        } = options;
        let directory = std::env::current_dir().ok();
        Self {
            program: program(),
            what: format!("{directory:?} {output:?} {root:?} {warnings:?} {limits:?} {work}"),
        }
    }

    /// What an input is known by when this is done with it.
    pub fn key(&self, input: &Found) -> Key {
        let (path, root) = (&input.path, &input.root);
        let job = format!("{} {} {}", self.what, path.display(), root.display());
        Key {
            input: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            program: self.program.clone(),
            job: hexadecimal(&job),
        }
    }
}

impl Key {
    /// A number that hardly any other key has.
    pub fn number(&self) -> u64 {
        let input = self.input.as_os_str().as_encoded_bytes();
        digest(&[input, self.program.as_bytes(), self.job.as_bytes()].concat())[0]
    }
}

/// This program, so that another one's outputs are not taken for its own: its version, and what tells one build from
/// the next.
fn program() -> String {
    let build = std::env::current_exe().ok();
    let build = build.and_then(|path| Stamp::of(&path).ok());
    hexadecimal(&format!("{} {build:?}", env!("CARGO_PKG_VERSION")))
}

/// A digest of a text, which keeps lines short.
fn hexadecimal(text: &str) -> String {
    let [a, b, ..] = digest(text.as_bytes());
    format!("{a:016x}{b:016x}")
}
