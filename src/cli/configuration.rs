//! The configuration file `rigy-batch.toml`: every key is the long name of an option.
//!
//! The file's values become arguments of the command line, in front of those that the user has given, and only for options
//! that neither the user nor the environment sets. So clap judges all of them in one way.

mod keys;
mod place;
mod tables;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Subcommand};

use crate::cli::args::{Args, Command};
use crate::cli::inputs::paths_or_root;
use crate::cli::{color, short_help};
use crate::io::identity;
use keys::{ConfiguredCommand, OptionKey};
use place::ConfigurationPlace;
use rigy_base::diag::Diagnostic;
use rigy_base::paths::parent_of;
use tables::{Setting, Settings, names_option};

pub use tables::Loaded;
pub use values::message;

/// The name of the file.
const FILE_NAME: &str = "rigy-batch.toml";

/// The options about the configuration file.
#[derive(clap::Args)]
pub struct ConfigurationArgs {
    /// Take options from this file [default: rigy-batch.toml beside or above the first PATH]
    ///
    /// Each key of the file is the long name of an option; tables `[documents]` and `[bake]` are for one command. Options of the command line and
    /// the environment win over those of the file. Paths in a file that is not named here stay in its directory.
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
    fn place(&self, paths: &[PathBuf]) -> Option<ConfigurationPlace> {
        if self.no_config {
            return None;
        }
        if let Some(file) = &self.config {
            let base = parent_of(file).to_owned();
            let file = file.clone();
            let tree = None;
            return Some(ConfigurationPlace { file, base, tree });
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
        let tree = Some(directory.to_owned());
        Some(ConfigurationPlace { file, base, tree })
    }

    /// Returns a message about options, with the places of those that it names and the file sets.
    pub fn with_places(&self, message: &str) -> String {
        let notes = self
            .in_force
            .iter()
            .filter(|(name, _)| tables::names_option(message, name))
            .map(|(name, place)| format!("\n`--{name}` is set at `{place}`"));
        std::iter::once(message.to_owned()).chain(notes).collect()
    }
}

/// The reason why arguments are not used.
pub enum Stop {
    /// Help, the version, or an error of the command line.
    Clap(Box<clap::Error>),
    /// Faults of the file.
    File(Vec<Diagnostic>),
}

impl From<clap::Error> for Stop {
    fn from(error: clap::Error) -> Self {
        Self::Clap(Box::new(error))
    }
}

/// Parses a command line. If its command takes options from a file and there is one, they are among the result.
///
/// # Errors
/// Help and the version, faults of the command line, and those of the file.
pub fn parse(words: &[OsString]) -> Result<Args, Stop> {
    let (given, fault) = given(words)?;
    let target = ConfiguredCommand::of(given.subcommand_name());
    let own = match target {
        Some(ConfiguredCommand::Bake) => given.subcommand_matches("bake").unwrap_or(&given),
        _ => &given,
    };
    let mut args = match target.and_then(|target| Some((target, place(own)?))) {
        Some((target, place)) => with_file(target, &place, words, own)?,
        None => match fault {
            Some(fault) => return Err(fault.into()),
            None => Args::from_arg_matches(&given)?,
        },
    };
    let (batch, paths) = args.batch();
    *paths = paths_or_root(std::mem::take(paths), batch.inputs_from.as_deref());
    Ok(args)
}

/// Parses a command line alone. The fault is that of options that lack or exclude another one, which those of the file may mend.
fn given(words: &[OsString]) -> Result<(ArgMatches, Option<clap::Error>), clap::Error> {
    if let Some(matches) = of_documents(words) {
        return Ok((matches, None));
    }
    match program().try_get_matches_from(words) {
        Ok(matches) => Ok((matches, None)),
        Err(error) if is_about_combinations(&error) => {
            let lenient = program().ignore_errors(true);
            Ok((lenient.try_get_matches_from(words)?, Some(error)))
        }
        Err(error) => Err(error),
    }
}

/// Parses a command line in which no word is the name of a command. `None` if there is anything to be said about it, such as help or a fault,
/// which the whole definition of the program is needed for.
fn of_documents(words: &[OsString]) -> Option<ArgMatches> {
    let is_command = |word: &OsString| {
        word.to_str()
            .is_some_and(|word| word == "help" || Command::has_subcommand(word))
    };
    if words.iter().skip(1).any(is_command) {
        return None;
    }
    Args::of_documents().try_get_matches_from(words).ok()
}

/// Parses a command line, whose own options are `given`, with the options of a file.
fn with_file(
    target: ConfiguredCommand,
    place: &ConfigurationPlace,
    words: &[OsString],
    given: &ArgMatches,
) -> Result<Args, Stop> {
    let loaded = Arc::new(Loaded::read(place).map_err(Stop::File)?);
    let settings = in_force(target, loaded.settings(target), given);
    let matches = program()
        .try_get_matches_from(with_settings(target, words, &settings))
        .map_err(|error| at_setting(error, target, &settings, &loaded))?;
    let mut args = Args::from_arg_matches(&matches)?;
    let source = &mut args.batch().0.source;
    source.in_force = loaded.places(&settings);
    source.loaded = Some(loaded);
    Ok(args)
}

/// Returns clap's definition of the program, whose help and errors have the colours that were chosen.
fn program() -> clap::Command {
    short_help::of(Args::command()).color(color::of_help())
}

/// Returns true for an error that another option may mend.
fn is_about_combinations(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict
    )
}

/// Returns the place of the file for a command line.
fn place(given: &ArgMatches) -> Option<ConfigurationPlace> {
    let paths: Vec<PathBuf> = given
        .try_get_many::<PathBuf>("paths")
        .ok()
        .flatten()
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let list = given.try_get_one::<PathBuf>("inputs_from").ok().flatten();
    let paths = paths_or_root(paths, list.map(PathBuf::as_path));
    ConfigurationArgs::from_arg_matches(given)
        .ok()?
        .place(&paths)
}

/// Returns true if the command line sets an option.
fn gives(given: &ArgMatches, id: &str) -> bool {
    given.try_contains_id(id).ok().is_some()
        && given.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns true if a variable of the environment sets an option.
fn is_in_environment(name: &str) -> bool {
    let variable = match name {
        "jobs" => "RAYON_NUM_THREADS",
        "isa" => "RIGY_BATCH_ISA",
        _ => return false,
    };
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Returns the settings of a table that neither the command line nor the environment sets, in the order of the help. A setting that excludes an
/// option of the command line is left out, too.
fn in_force(target: ConfiguredCommand, table: &Settings, given: &ArgMatches) -> Vec<Setting> {
    let (command, keys) = (target.command(), target.keys());
    let excludes = |one: &OptionKey, other: &OptionKey| {
        command
            .get_arg_conflicts_with(&one.arg)
            .iter()
            .any(|arg| *arg.get_id() == other.id)
    };
    keys.iter()
        .filter(|key| {
            let mut rivals = keys
                .iter()
                .filter(|other| gives(given, &other.id))
                .filter(|other| excludes(key, other) || excludes(other, key));
            !gives(given, &key.id) && !is_in_environment(&key.name) && rivals.next().is_none()
        })
        .filter_map(|key| table.get(&key.name))
        .cloned()
        .collect()
}

/// Returns a command line with the arguments of settings before its own.
fn with_settings(
    target: ConfiguredCommand,
    words: &[OsString],
    settings: &[Setting],
) -> Vec<OsString> {
    let (before, after) = words.split_at(target.words().len().min(words.len()));
    before
        .iter()
        .cloned()
        .chain(settings.iter().flat_map(Setting::arguments))
        .chain(after.iter().cloned())
        .collect()
}

/// Returns an error of clap as a finding about the setting that causes it, if one does.
fn at_setting(
    error: clap::Error,
    target: ConfiguredCommand,
    settings: &[Setting],
    loaded: &Loaded,
) -> Stop {
    let text = message(&error);
    // An option that lacks another is not named, so each is tried by itself.
    let lacks = |setting: &Setting| {
        let words: Vec<OsString> = target.words().iter().map(OsString::from).collect();
        let mut words = with_settings(target, &words, std::slice::from_ref(setting));
        words.push(".".into());
        program()
            .try_get_matches_from(words)
            .is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
    };
    let causes = |setting: &&Setting| match error.kind() {
        ErrorKind::MissingRequiredArgument => lacks(setting),
        ErrorKind::ArgumentConflict => names_option(&text, &setting.name),
        _ => false,
    };
    match settings.iter().find(causes) {
        Some(setting) => Stop::File(vec![loaded.finding(setting, text)]),
        None => error.into(),
    }
}
