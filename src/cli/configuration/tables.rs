//! Reading the file: its tables, the options that each of them sets with their places, and their faults.

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;

use clap::Command;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{ConfiguredCommand, OptionKey, ValueForm, refusal};
use super::place::ConfigurationPlace;
use super::values::{Fault, argument, check, texts};
use crate::cli::instead;
use crate::compile::decode;
use crate::io::{read_file, stamp_of};
use rigy_base::diag::{Category, Diagnosed, Diagnostic, Lines, Source, Span, nearest};
use rigy_base::loader::Stamp;
use rigy_base::maps::HashMap;
use rigy_base::paths::Slashed;

type TomlKey<'i> = Spanned<Cow<'i, str>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the tables, and collects faults.
struct Reader<'b> {
    place: &'b ConfigurationPlace,
    commands: [(ConfiguredCommand, Vec<OptionKey>, Command); 2],
    /// Settings of each command, those for both included.
    settings: [Settings; 2],
    faults: Vec<Fault>,
}

impl<'b> Reader<'b> {
    fn new(place: &'b ConfigurationPlace) -> Self {
        Self {
            place,
            commands: ConfiguredCommand::ALL
                .map(|target| (target, target.keys(), target.command())),
            settings: Default::default(),
            faults: Vec::new(),
        }
    }

    /// Reads the whole file. Keys for both commands are read first, so those of a table replace them.
    fn file(&mut self, table: &DeTable) {
        let of_key = |key: &TomlKey| ConfiguredCommand::named(key.get_ref());
        for (key, value) in table {
            if of_key(key).is_none() {
                self.common(key, value);
            }
        }
        for (key, value) in table {
            if let Some(target) = of_key(key) {
                self.table(target, key, value);
            }
        }
    }

    /// Reads a key of both commands.
    fn common(&mut self, key: &TomlKey, value: &Value) {
        let name = &**key.get_ref();
        let has = |(_, keys, _): &(ConfiguredCommand, Vec<OptionKey>, Command)| {
            keys.iter().any(|key| key.name == name)
        };
        let owners: Vec<ConfiguredCommand> = (self.commands.iter())
            .filter(|command| has(command))
            .map(|(target, ..)| *target)
            .collect();
        if let [owner] = owners[..] {
            let owner = owner.name();
            let message =
                format!("`{name}` is an option of one command; write it below `[{owner}]`");
            self.faults.push((key.span(), message));
            return;
        }
        for target in ConfiguredCommand::ALL {
            let faults = self.faults.len();
            self.setting(target, key, value);
            if self.faults.len() > faults {
                return;
            }
        }
    }

    /// Reads the table of a command.
    fn table(&mut self, target: ConfiguredCommand, key: &TomlKey, value: &Value) {
        let name = target.name();
        let fault = match value.get_ref() {
            DeValue::Table(table) => {
                return table
                    .iter()
                    .for_each(|(key, value)| self.setting(target, key, value));
            }
            DeValue::Array(_) => (
                key.span(),
                format!(
                    "there is one table `[{name}]`; run the program once for each set of options, with a file of its own after `--config`"
                ),
            ),
            _ => (
                value.span(),
                format!("`{name}` is a table of options; begin it with `[{name}]`"),
            ),
        };
        self.faults.push(fault);
    }

    /// Reads one key of a command.
    fn setting(&mut self, target: ConfiguredCommand, key: &TomlKey, value: &Value) {
        let name = &**key.get_ref();
        let (_, keys, command) = &mut self.commands[target as usize];
        let Some(known) = keys.iter().find(|known| known.name == name) else {
            let message = unknown(target, name, keys);
            self.faults.push((key.span(), message));
            return;
        };
        let texts = match texts(known, value, self.place) {
            Ok(texts) => texts,
            Err(fault) => {
                self.faults.push(fault);
                return;
            }
        };
        for (span, text) in &texts {
            if let Err(message) = check(command, &argument(name, known.form, text)) {
                self.faults.push((span.clone(), message));
                return;
            }
        }
        let setting = Setting {
            name: name.to_owned(),
            form: known.form,
            values: texts.into_iter().map(|(_, text)| text).collect(),
            span: key.span(),
        };
        self.settings[target as usize].insert(name.to_owned(), setting);
    }
}

/// Returns the message about a key that no option has.
fn unknown(target: ConfiguredCommand, name: &str, keys: &[OptionKey]) -> String {
    if let Some(reason) = refusal(name) {
        return format!("`{name}` is no key of this file: {reason}");
    }
    let other = ConfiguredCommand::ALL
        .into_iter()
        .find(|other| *other != target && other.keys().iter().any(|key| key.name == name));
    if let Some(other) = other {
        return format!(
            "`{name}` is an option of the other command; write it below `[{}]`",
            other.name()
        );
    }
    if let Some(sentence) = instead::of_word(&format!("--{name}")) {
        return format!("there is no option `{name}`; {sentence}");
    }
    let names = keys.iter().map(|key| key.name.as_str());
    match nearest(name, names) {
        Some(meant) => format!("there is no option `{name}`; did you mean `{meant}`?"),
        None => {
            let command = target.words().join(" ");
            format!("there is no option `{name}`; `{command} --help` lists all")
        }
    }
}

/// Longest file, in bytes.
const LONGEST: u64 = 1 << 20;

/// An option that the file sets.
#[derive(Clone)]
pub struct Setting {
    /// The long name of the option.
    pub name: String,
    form: ValueForm,
    /// The value of each argument: an empty text for a flag, and none for one that is false.
    values: Vec<OsString>,
    /// The bytes of the key.
    span: Range<usize>,
}

impl Setting {
    /// Returns the arguments of a command line that the setting stands for.
    pub fn arguments(&self) -> impl Iterator<Item = OsString> {
        self.values
            .iter()
            .map(|value| argument(&self.name, self.form, value))
    }
}

/// The options of one table, by the long name of the option.
pub type Settings = HashMap<String, Setting>;

/// A file that has been read.
pub struct Loaded {
    /// The path, as messages show it.
    pub file: PathBuf,
    text: String,
    /// The state of the file before it was read; `None` if the system does not tell.
    pub stamp: Option<Stamp>,
    /// Settings of each command.
    settings: [Settings; 2],
}

impl Loaded {
    /// Reads a file.
    pub fn read(place: &ConfigurationPlace) -> Diagnosed<Self> {
        let name = place.file.shown();
        if let Some(reason) = place.leads_out(&place.file) {
            let error = Diagnostic::without_code(Category::FileError, format!("it {reason}"));
            return Err(vec![error.about_file(&name)]);
        }
        let stamp = stamp_of(&place.file).ok();
        let mut bytes = Vec::new();
        read_file(&place.file, LONGEST, &mut bytes)
            .map_err(|error| vec![unreadable(&name, &error)])?;
        let text = decode(&name, &bytes)?;
        let mut reader = Reader::new(place);
        let table = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            vec![diagnostic(&name, text, (span, error.message().to_owned()))]
        })?;
        reader.file(table.get_ref());
        if !reader.faults.is_empty() {
            reader.faults.sort_by_key(|(span, _)| span.start);
            let faults = reader.faults.into_iter();
            return Err(faults.map(|fault| diagnostic(&name, text, fault)).collect());
        }
        Ok(Self {
            file: place.file.clone(),
            text: text.to_owned(),
            stamp,
            settings: reader.settings,
        })
    }

    pub fn settings(&self, target: ConfiguredCommand) -> &Settings {
        &self.settings[target as usize]
    }

    /// Returns the path that outputs of documents go to, if the file names one.
    pub fn documents_output(&self) -> Option<PathBuf> {
        self.settings(ConfiguredCommand::Documents)
            .get("output")?
            .values
            .first()
            .map(PathBuf::from)
    }

    /// Returns the long names of settings with the file and the line of each.
    pub fn places(&self, settings: &[Setting]) -> Vec<(String, String)> {
        settings
            .iter()
            .map(|setting| {
                let before = self.text.as_bytes().iter().take(setting.span.start);
                let line = 1 + before.filter(|byte| **byte == b'\n').count();
                let place = format!("{}:{line}", self.file.slashed());
                (setting.name.clone(), place)
            })
            .collect()
    }

    /// Returns a finding about a setting.
    pub fn finding(&self, setting: &Setting, message: String) -> Diagnostic {
        let fault = (setting.span.clone(), message);
        diagnostic(&self.file.shown(), &self.text, fault)
    }
}

/// Returns true if a text names an option.
pub fn names_option(text: &str, name: &str) -> bool {
    let option = format!("--{name}");
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    text.match_indices(&option)
        .any(|(at, _)| ends(&text[at + option.len()..]))
}

/// Returns the finding that the file cannot be read.
fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    let message = format!("cannot read the configuration file: {error}");
    let finding = Diagnostic::without_code(Category::FileError, message);
    let help = "name another file after `--config`, or do without one by `--no-config`";
    finding.help(help).about_file(name)
}

/// Returns a finding about bytes of the file.
fn diagnostic(name: &str, text: &str, (span, message): Fault) -> Diagnostic {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(offset(span.start), offset(span.end));
    let mut finding = Diagnostic::without_code(Category::ParseError, message);
    let place = Lines::new(Source { name, text }, str::len).place(span, String::new());
    finding.set_place(place);
    finding
}
