//! The `config` command: the options in force, and where each comes from.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use serde_json::{Value, json};

use super::arguments::{Given, Layered, Pass, Stop, layered, variable};
use super::keys::{Form, Key, Target};
use crate::cli::common_args::Format;
use crate::cli::inputs::find_path;
use crate::cli::{COULD_NOT_START, FAILED, Fatal, Output, SUCCESS, print_findings};

/// Print the options in force, and where each comes from
///
/// The result is TOML that could be a configuration file in the current directory. For each option a comment says where its value
/// comes from: the command line, a variable of the environment, a line of `rigy-batch.toml`, or the default.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch config models/                 what a run over models/ does\n  \
rigy-batch config models/ -- --jobs 2     the same with options of a command line\n\n\
Exit status: 0 printed, 1 standard output failed, 2 an option or the file has a fault."
)]
pub struct Config {
    /// The directory or file for which rigy-batch would run
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    /// The configuration file [default: rigy-batch.toml beside or above PATH]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,

    /// Take no options from a file
    #[arg(long)]
    pub no_config: bool,

    /// Standard output: TOML (human) or one JSON object (json)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    pub format: Format,

    /// Options of a command line
    ///
    /// A command that does not have one of them is left out.
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<OsString>,
}

/// An option in force.
struct Shown {
    name: String,
    form: Form,
    /// Its values as texts; empty if it is not set.
    values: Vec<String>,
    is_path: bool,
    origin: Origin,
}

/// The origin of a value.
enum Origin {
    CommandLine,
    Variable(&'static str),
    /// A line of the file.
    Line(u32),
    Default,
}

/// Prints the options in force.
///
/// # Errors
/// If there is nothing at the path, or the options after `--` fit no command.
pub fn run(args: &Config) -> Result<u8, Fatal> {
    find_path(&args.path)?;
    let mut shown = Vec::new();
    let mut refused = None;
    for target in Target::ALL {
        match of_command(args, target) {
            Ok(layered) => shown.push((target, layered)),
            Err(Stop::Clap(error)) => refused = refused.or(Some(error)),
            Err(Stop::File(findings)) => {
                print_findings(&findings);
                return Ok(COULD_NOT_START);
            }
        }
    }
    if let (Some(error), true) = (refused, shown.is_empty()) {
        return Err(super::values::message(&error).into());
    }
    let mut out = Output::new();
    match args.format {
        Format::Human => out.bytes(toml(&shown).as_bytes()),
        Format::Json => out.json(&json(&shown)),
    }
    Ok(if out.failed { FAILED } else { SUCCESS })
}

/// Returns the options of a command.
fn of_command(args: &Config, target: Target) -> Result<Layered, Stop> {
    let words = target.words().iter().map(OsString::from);
    let file = args.config.iter();
    let file = file.flat_map(|file| ["--config".into(), file.clone().into_os_string()]);
    let no_file = args.no_config.then(|| "--no-config".into());
    let options = file.chain(no_file).chain(args.options.iter().cloned());
    let words: Vec<OsString> = words
        .chain(options)
        .chain(["--".into(), args.path.clone().into_os_string()])
        .collect();
    let given = Given::parse(&words)?;
    layered(target, words, given)
}

/// Returns the options of a pass, in the order of the help.
fn options(layered: &Layered, target: Target, pass: &Pass) -> Vec<Shown> {
    let own = |matches| match target {
        Target::Documents => matches,
        Target::Bake => ArgMatches::subcommand_matches(matches, "bake").unwrap_or(matches),
    };
    let (given, all) = (own(&layered.given), own(&pass.matches));
    let one = |key: Key| {
        let is_given = given.value_source(&key.id) == Some(ValueSource::CommandLine);
        let setting = pass
            .settings
            .iter()
            .find(|setting| setting.name == key.name);
        let origin = match (is_given, variable(&key.name), setting, &layered.loaded) {
            (true, ..) => Origin::CommandLine,
            (_, Some(variable), ..) => Origin::Variable(variable),
            (.., Some(setting), Some(loaded)) => Origin::Line(loaded.line(setting)),
            _ => Origin::Default,
        };
        let values = match (&origin, key.form) {
            (Origin::Variable(name), _) => vec![std::env::var(name).unwrap_or_default()],
            (_, Form::Flag) => vec![all.get_flag(&key.id).to_string()],
            _ => {
                let raw = all.get_raw(&key.id).into_iter().flatten();
                raw.map(|text| text.to_string_lossy().into_owned())
                    .collect()
            }
        };
        Shown {
            name: key.name,
            form: key.form,
            values,
            is_path: key.is_path,
            origin,
        }
    };
    target.keys().into_iter().map(one).collect()
}

impl Shown {
    /// Returns the value as JSON, which has the same texts, numbers and lists as TOML; `None` if there is none.
    fn value(&self) -> Option<Value> {
        let scalar = |text: &String| {
            let number: Option<i64> = text.parse().ok();
            match number.filter(|number| !self.is_path && number.to_string() == *text) {
                Some(number) => number.into(),
                None => Value::from(text.as_str()),
            }
        };
        match (self.form, &*self.values) {
            (_, []) => None,
            (Form::Flag, [text, ..]) => Some((text == "true").into()),
            (Form::Value | Form::Joined, [text, ..]) => Some(scalar(text)),
            (Form::List | Form::Pairs, list) => Some(list.iter().map(scalar).collect()),
        }
    }

    /// Returns the words for where the value comes from.
    fn source(&self, layered: &Layered) -> String {
        match &self.origin {
            Origin::CommandLine => "command line".into(),
            Origin::Variable(name) => format!("environment variable {name}"),
            Origin::Line(line) => format!("{}:{line}", file(layered).unwrap_or_default()),
            Origin::Default => "default".into(),
        }
    }
}

/// Returns the path of the file without line ends, so that it fits into a comment.
fn file(layered: &Layered) -> Option<String> {
    let loaded = layered.loaded.as_ref()?;
    let shown = loaded.file.display().to_string();
    Some(crate::cli::render::printable(&shown))
}

/// Returns the options as a configuration file.
fn toml(shown: &[(Target, Layered)]) -> String {
    let found = shown.first().and_then(|(_, layered)| file(layered));
    let mut text = match found {
        Some(file) => format!("# options in force, with those of {file}\n"),
        None => "# options in force; there is no configuration file\n".into(),
    };
    for (target, layered) in shown {
        for pass in &layered.passes {
            let name = target.name();
            text += &match layered.passes.len() {
                1 => format!("\n[{name}]\n"),
                _ => format!("\n[[{name}]]\n"),
            };
            for option in options(layered, *target, pass) {
                let (name, source) = (&option.name, option.source(layered));
                text += &match option.value() {
                    // JSON escapes all that TOML does, but for one character.
                    Some(value) => {
                        let value = value.to_string().replace('\u{7f}', "\\u007f");
                        format!("{name} = {value} # {source}\n")
                    }
                    None => format!("# {name} is not set\n"),
                };
            }
        }
    }
    text
}

/// Returns the options as one JSON object.
fn json(shown: &[(Target, Layered)]) -> Value {
    let of_pass = |layered: &Layered, target: Target, pass: &Pass| -> Value {
        let options = options(layered, target, pass).into_iter().map(|option| {
            let value = option.value();
            let origin = option.source(layered);
            (option.name, json!({ "value": value, "from": origin }))
        });
        options.collect::<serde_json::Map<_, _>>().into()
    };
    let mut commands = serde_json::Map::new();
    for (target, layered) in shown {
        let passes = layered.passes.iter();
        let passes: Vec<Value> = passes.map(|pass| of_pass(layered, *target, pass)).collect();
        commands.insert(target.name().into(), passes.into());
    }
    let file = shown.first().and_then(|(_, layered)| file(layered));
    json!({ "file": file, "commands": commands })
}
