//! The arguments of a run: those of the command line, and those of the file for options that are not given otherwise.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::ConfigurationArgs;
use super::keys::{Key, Target};
use super::place::Place;
use super::read::{Loaded, Setting, Settings, names_option};
use super::values::message;
use crate::base::diag::Diagnostic;
use crate::cli::args::{Args, Command};
use crate::cli::input_list::paths_or_root;
use crate::cli::{color, print_findings, print_message};

/// The reason why arguments are not used.
pub enum Stop {
    /// Help, the version, or an error of the command line.
    Clap(Box<clap::Error>),
    /// Faults of the file.
    File(Vec<Diagnostic>),
}

impl Stop {
    /// Prints the reason to standard error, in a session that goes on.
    pub fn print(&self) {
        match self {
            Self::Clap(error) => print_message(&message(error)),
            Self::File(findings) => print_findings(findings),
        }
    }
}

impl From<clap::Error> for Stop {
    fn from(error: clap::Error) -> Self {
        Self::Clap(Box::new(error))
    }
}

/// A command line with the options of the file, one for each pass.
pub(super) struct Layered {
    /// The file, if there is one.
    pub loaded: Option<Arc<Loaded>>,
    /// The options that the command line gives.
    pub given: ArgMatches,
    pub passes: Vec<Pass>,
}

impl Layered {
    /// Returns a command line that no file adds to.
    fn without_file(given: ArgMatches) -> Self {
        let pass = Pass {
            matches: given.clone(),
            settings: Vec::new(),
        };
        Self {
            loaded: None,
            given,
            passes: vec![pass],
        }
    }
}

/// The options of a pass.
pub(super) struct Pass {
    /// All of them.
    pub matches: ArgMatches,
    /// Those of the file that are in force.
    pub settings: Vec<Setting>,
}

/// The options of a command line.
pub(super) struct Given {
    matches: ArgMatches,
    /// The fault of options that lack or exclude another one. Those of the file may mend it.
    fault: Option<clap::Error>,
}

impl Given {
    /// # Errors
    /// Help, the version, and faults that no other option mends.
    pub(super) fn parse(words: &[OsString]) -> Result<Self, clap::Error> {
        let (matches, fault) = match program().try_get_matches_from(words) {
            Ok(matches) => (matches, None),
            Err(error) if is_about_combinations(&error) => {
                let lenient = program().ignore_errors(true);
                (lenient.try_get_matches_from(words)?, Some(error))
            }
            Err(error) => return Err(error),
        };
        Ok(Self { matches, fault })
    }

    /// # Errors
    /// The fault, if there is one.
    fn faultless(self) -> Result<ArgMatches, clap::Error> {
        self.fault.map_or(Ok(self.matches), Err)
    }
}

/// Parses a command line. If its command takes options from a file and there is one, they are among the result, which has
/// several elements if `bake` has several tables.
///
/// # Errors
/// Help and the version, faults of the command line, and those of the file.
pub fn parse(words: Vec<OsString>) -> Result<Vec<Args>, Stop> {
    let given = Given::parse(&words)?;
    let target = match given.matches.subcommand_name() {
        None => Target::Documents,
        Some("bake") => Target::Bake,
        Some(_) => return Ok(vec![Args::from_arg_matches(&given.faultless()?)?]),
    };
    let layered = layered(target, words, given)?;
    let parsed = layered.passes.iter().map(|pass| {
        let mut args = Args::from_arg_matches(&pass.matches)?;
        let (batch, paths) = match &mut args.command {
            Some(Command::Bake(bake)) => (&mut bake.batch, &mut bake.paths),
            _ => (&mut args.documents.batch, &mut args.documents.paths),
        };
        *paths = paths_or_root(std::mem::take(paths), batch.inputs_from.as_deref());
        let source = &mut batch.source;
        source.loaded = layered.loaded.clone();
        let loaded = layered.loaded.as_ref();
        source.in_force = loaded.map_or_else(Vec::new, |file| file.places(&pass.settings));
        Ok(args)
    });
    parsed.collect()
}

/// Returns clap's definition of the program, whose help and errors have the colours that were chosen.
fn program() -> clap::Command {
    Args::command().color(color::of_help())
}

/// Returns true for an error that another option may mend.
fn is_about_combinations(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict
    )
}

/// Adds the options of the file to a command line, whose own options are `given`.
///
/// # Errors
/// As [`parse`].
pub(super) fn layered(target: Target, words: Vec<OsString>, given: Given) -> Result<Layered, Stop> {
    let own = match target {
        Target::Documents => &given.matches,
        Target::Bake => {
            let all = &given.matches;
            all.subcommand_matches("bake").unwrap_or(all)
        }
    };
    let Some(place) = place(own) else {
        let matches = given.faultless()?;
        return Ok(Layered::without_file(matches));
    };
    let loaded = Arc::new(Loaded::read(&place).map_err(Stop::File)?);
    let keys = target.keys();
    let one = |table: &Settings| {
        let settings = in_force(target, &keys, table, own);
        let matches = program().try_get_matches_from(with_settings(target, &words, &settings));
        let matches = matches.map_err(|error| at_setting(error, target, &settings, &loaded))?;
        Ok(Pass { matches, settings })
    };
    let passes: Result<Vec<Pass>, Stop> = loaded.passes(target).into_iter().map(one).collect();
    let passes = passes?;
    Ok(Layered {
        loaded: Some(loaded),
        given: given.matches,
        passes,
    })
}

/// Returns the place of the file for a command line.
fn place(given: &ArgMatches) -> Option<Place> {
    let paths = given.try_get_many::<PathBuf>("paths").ok().flatten();
    let paths: Vec<PathBuf> = paths.into_iter().flatten().cloned().collect();
    let list = given.try_get_one::<PathBuf>("inputs_from").ok().flatten();
    let paths = paths_or_root(paths, list.map(PathBuf::as_path));
    let args = ConfigurationArgs::from_arg_matches(given).ok()?;
    Place::find(&args, &paths)
}

/// Returns true if the command line sets an option.
fn gives(given: &ArgMatches, id: &str) -> bool {
    let source = given.try_contains_id(id).ok();
    source.is_some() && given.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns the environment variable that sets an option, if there is one and it is set.
pub(super) fn variable(name: &str) -> Option<&'static str> {
    let variable = match name {
        "jobs" => "RAYON_NUM_THREADS",
        "isa" => "RIGY_BATCH_ISA",
        _ => return None,
    };
    let is_set = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    is_set.then_some(variable)
}

/// Returns the settings of a table that neither the command line nor the environment sets, in the order of the help. A setting that excludes an
/// option of the command line is left out, too.
fn in_force(target: Target, keys: &[Key], table: &Settings, given: &ArgMatches) -> Vec<Setting> {
    let command = target.command();
    let excludes = |one: &Key, other: &Key| {
        let others = command.get_arg_conflicts_with(&one.arg);
        others.iter().any(|arg| *arg.get_id() == other.id)
    };
    let is_free = |key: &&Key| {
        let rivals = keys.iter().filter(|other| gives(given, &other.id));
        let mut rivals = rivals.filter(|other| excludes(key, other) || excludes(other, key));
        !gives(given, &key.id) && variable(&key.name).is_none() && rivals.next().is_none()
    };
    let free = keys.iter().filter(is_free);
    free.filter_map(|key| table.get(&key.name))
        .cloned()
        .collect()
}

/// Returns a command line with the arguments of settings before its own.
fn with_settings(target: Target, words: &[OsString], settings: &[Setting]) -> Vec<OsString> {
    let (before, after) = words.split_at(target.words().len().min(words.len()));
    let arguments = settings.iter().flat_map(|setting| &setting.arguments);
    let before = before.iter().chain(arguments).cloned();
    before.chain(after.iter().cloned()).collect()
}

/// Returns an error of clap as a finding about the setting that causes it, if one does.
fn at_setting(error: clap::Error, target: Target, settings: &[Setting], loaded: &Loaded) -> Stop {
    let text = message(&error);
    // An option that lacks another is not named, so each is tried by itself.
    let lacks = |setting: &Setting| {
        let words: Vec<OsString> = target.words().iter().map(OsString::from).collect();
        let mut words = with_settings(target, &words, std::slice::from_ref(setting));
        words.push(".".into());
        let alone = program().try_get_matches_from(words);
        alone.is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
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
