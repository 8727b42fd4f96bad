//! The configuration file `rigy-batch.toml`: every key is the long name of an option.
//!
//! The file's values become arguments of the command line, in front of those that the user has given, and only for options
//! that neither the user nor the environment sets. So clap judges all of them in one way.

mod arguments;
mod keys;
mod place;
mod read;
pub mod schema;
pub mod show;
mod tables;
mod values;

use std::path::PathBuf;
use std::sync::Arc;

pub use arguments::{Stop, parse};
pub use read::{FileState, Loaded};

/// The name of the file.
const FILE_NAME: &str = "rigy-batch.toml";

/// The options about the configuration file.
#[derive(Debug, clap::Args)]
pub struct ConfigurationArgs {
    /// Take options from this file [default: rigy-batch.toml beside or above the first PATH]
    ///
    /// Each key of the file is the long name of an option; tables `[documents]` and `[bake]` are for one command. Options of the command line and
    /// the environment win over those of the file. `rigy-batch config` prints what is in force.
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
    /// Returns a message about options, with the places of those that it names and the file sets.
    pub fn with_places(&self, message: &str) -> String {
        let named = self.in_force.iter();
        let named = named.filter(|(name, _)| read::names_option(message, name));
        let notes = named.map(|(name, place)| format!("\n`--{name}` is set at `{place}`"));
        std::iter::once(message.to_owned()).chain(notes).collect()
    }
}
