//! The configuration file `rigy-batch.toml`: every key is the long name of an option.
//!
//! The file's values become arguments of the command line, in front of those that the user has given, and only for options
//! that neither the user nor the environment sets. So clap judges all of them in one way.

mod arguments;
mod keys;
mod read;
mod tables;
mod values;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use arguments::{Stop, parse};
pub use read::Loaded;
pub use values::message;

use crate::io::identity;

/// The name of the file.
const FILE_NAME: &str = "rigy-batch.toml";

/// The file, as messages show it, and the directory that its relative paths start from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: PathBuf,
    base: PathBuf,
}

/// The options about the configuration file.
#[derive(Debug, clap::Args)]
pub struct ConfigurationArgs {
    /// Take options from this file [default: rigy-batch.toml beside or above the first PATH]
    ///
    /// Each key of the file is the long name of an option; tables `[documents]` and `[bake]` are for one command. Options of the command line and
    /// the environment win over those of the file.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_config",
        help_heading = "Running"
    )]
    pub config: Option<PathBuf>,

    /// Take no options from a file
    #[arg(long, help_heading = "Running")]
    pub no_config: bool,

    /// The file whose values are among the arguments.
    #[arg(skip)]
    pub loaded: Option<Arc<Loaded>>,

    /// The long names of the options that the file sets for this run, with their places.
    #[arg(skip)]
    pub in_force: Vec<(String, String)>,
}

impl ConfigurationArgs {
    /// Returns the place of the file for a run over `paths`; `None` if there is no file, or none is wanted.
    fn place(&self, paths: &[PathBuf]) -> Option<Place> {
        if self.no_config {
            return None;
        }
        if let Some(file) = &self.config {
            let base = file.parent().unwrap_or(Path::new("")).to_owned();
            let file = file.clone();
            return Some(Place { file, base });
        }
        let input = identity(paths.first()?);
        let mut above = input.ancestors();
        let directory = above.find(|directory| directory.join(FILE_NAME).is_file())?;
        // The directory is relative to the current one if it lies below it.
        let here = identity(Path::new("."));
        let base = directory
            .strip_prefix(&here)
            .unwrap_or(directory)
            .to_owned();
        let file = base.join(FILE_NAME);
        Some(Place { file, base })
    }

    /// Returns a message about options, with the places of those that it names and the file sets.
    pub fn with_places(&self, message: &str) -> String {
        let named = self.in_force.iter();
        let named = named.filter(|(name, _)| read::names_option(message, name));
        let notes = named.map(|(name, place)| format!("\n`--{name}` is set at `{place}`"));
        std::iter::once(message.to_owned()).chain(notes).collect()
    }
}
