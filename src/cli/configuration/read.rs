//! Reading the file: its tables, and the options that each of them sets.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Command;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{Key, OF_RUN, Target, refusal};
use super::place::Place;
use super::values::{Fault, argument, check, texts};
use crate::base::diag::{Category, Diagnostic, Lines, Source, Span, nearest};
use crate::base::loader::Stamp;
use crate::compile::decode;
use crate::io::read_file;

/// Longest file, in bytes.
const LONGEST: u64 = 1 << 20;

/// An option that the file sets.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// The long name of the option.
    pub name: String,
    /// The arguments; none for a flag that is false.
    pub arguments: Vec<OsString>,
    /// The bytes of the key.
    span: Range<usize>,
}

/// The options of one table, by the long name of the option.
pub(super) type Settings = HashMap<String, Setting>;

/// A file that has been read.
#[derive(Debug)]
pub struct Loaded {
    /// The path, as messages show it.
    pub file: PathBuf,
    text: String,
    /// The state of the file before it was read; `None` if the system does not tell.
    stamp: Option<Stamp>,
    /// Settings of the main command.
    documents: Settings,
    /// Settings of `bake`: one table for each pass, and the offset of its header.
    bakes: Vec<(usize, Settings)>,
}

type TomlKey<'i> = Spanned<Cow<'i, str>>;
type Value<'i> = Spanned<DeValue<'i>>;

impl Loaded {
    /// Reads a file.
    ///
    /// # Errors
    /// All faults of the file, with their places.
    pub(super) fn read(place: &Place) -> Result<Self, Vec<Diagnostic>> {
        let name = place.file.display().to_string();
        let stamp = Stamp::of(&place.file).ok();
        let mut bytes = Vec::new();
        let read = read_file(&place.file, LONGEST, &mut bytes);
        read.map_err(|error| vec![unreadable(&name, &error)])?;
        let text = decode(&name, &bytes)?;
        let mut reader = Reader::new(&place.base);
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
        let (documents, bakes) = reader.settings();
        Ok(Self {
            file: place.file.clone(),
            text: text.to_owned(),
            stamp,
            documents,
            bakes,
        })
    }

    /// Returns the settings of a command: for `bake` those of each pass.
    pub(super) fn passes(&self, target: Target) -> Vec<&Settings> {
        match target {
            Target::Documents => vec![&self.documents],
            Target::Bake => self.bakes.iter().map(|(_, settings)| settings).collect(),
        }
    }

    /// Returns the line of a setting, counted from 1.
    pub(super) fn line(&self, setting: &Setting) -> u32 {
        self.line_at(setting.span.start)
    }

    fn line_at(&self, offset: usize) -> u32 {
        let before = self.text.as_bytes().iter().take(offset);
        1 + before.filter(|byte| **byte == b'\n').count() as u32
    }

    /// Returns the file and the line of a pass of `bake`.
    pub fn pass(&self, index: usize) -> String {
        let offset = self.bakes.get(index).map_or(0, |(offset, _)| *offset);
        format!("{}:{}", self.file.display(), self.line_at(offset))
    }

    /// Returns the options that a message names and the file sets, with their places.
    pub fn named_in(&self, message: &str) -> Vec<(String, String)> {
        let tables = self.bakes.iter().map(|(_, settings)| settings);
        let settings = tables.chain([&self.documents]).flat_map(HashMap::values);
        let named = settings.filter(|setting| names_option(message, &setting.name));
        let place = |setting: &Setting| {
            let place = format!("{}:{}", self.file.display(), self.line(setting));
            (setting.name.clone(), place)
        };
        let mut named: Vec<_> = named.map(place).collect();
        named.sort();
        named.dedup();
        named
    }

    /// Returns a finding about a setting.
    pub(super) fn finding(&self, setting: &Setting, message: String) -> Diagnostic {
        let fault = (setting.span.clone(), message);
        diagnostic(&self.file.display().to_string(), &self.text, fault)
    }

    /// Returns the state of the file when it was read.
    pub fn state(&self) -> FileState {
        FileState {
            file: self.file.clone(),
            stamp: self.stamp,
        }
    }
}

/// The state of the file at a time.
pub struct FileState {
    file: PathBuf,
    /// `None` if the system did not tell.
    stamp: Option<Stamp>,
}

impl FileState {
    /// Returns true if the file is another now. A file that is gone is not: a program may be about to put another in its place.
    pub fn has_changed(&self) -> bool {
        Stamp::of(&self.file).is_ok_and(|stamp| Some(stamp) != self.stamp)
    }

    /// Takes the state as it is now.
    pub fn update(&mut self) {
        self.stamp = Stamp::of(&self.file).ok();
    }
}

/// Returns true if a text names an option.
pub(super) fn names_option(text: &str, name: &str) -> bool {
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

/// Reads the tables, and collects faults.
struct Reader<'b> {
    base: &'b Path,
    commands: [(Target, Vec<Key>, Command); 2],
    /// Settings for both commands, as each of them has them.
    common: [Settings; 2],
    documents: Settings,
    bakes: Vec<(usize, Settings)>,
    faults: Vec<Fault>,
}

impl<'b> Reader<'b> {
    fn new(base: &'b Path) -> Self {
        Self {
            base,
            commands: Target::ALL.map(|target| (target, target.keys(), target.command())),
            common: Default::default(),
            documents: Settings::new(),
            bakes: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn file(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let key: &TomlKey<'_> = key;
            match (&**key.get_ref(), value.get_ref()) {
                ("documents", DeValue::Table(table)) => {
                    self.documents = self.table(Target::Documents, table);
                }
                ("bake", DeValue::Table(table)) => {
                    let settings = self.table(Target::Bake, table);
                    self.bakes.push((key.span().start, settings));
                }
                ("bake", DeValue::Array(tables)) => self.passes(tables.iter()),
                ("documents" | "bake", _) => {
                    let name = key.get_ref();
                    let message =
                        format!("`{name}` is a table of options; begin it with `[{name}]`");
                    self.faults.push((value.span(), message));
                }
                _ => self.common(key, value),
            }
        }
    }

    /// Reads the tables of several passes.
    fn passes<'v, 'i: 'v>(&mut self, tables: impl ExactSizeIterator<Item = &'v Value<'i>>) {
        let several = tables.len() > 1;
        for value in tables {
            let DeValue::Table(table) = value.get_ref() else {
                let message = "`bake` is a table of options, or several that begin with `[[bake]]`";
                self.faults.push((value.span(), message.to_owned()));
                continue;
            };
            let settings = self.table(Target::Bake, table);
            let of_run = settings
                .values()
                .filter(|setting| several && OF_RUN.contains(&&*setting.name));
            for setting in of_run {
                let name = &setting.name;
                let message = format!(
                    "`{name}` holds for the whole run; write it above all tables, or leave one `[[bake]]`"
                );
                self.faults.push((setting.span.clone(), message));
            }
            self.bakes.push((value.span().start, settings));
        }
    }

    /// Reads a key of both commands.
    fn common(&mut self, key: &TomlKey<'_>, value: &Value<'_>) {
        let name = &**key.get_ref();
        let has =
            |(_, keys, _): &(Target, Vec<Key>, Command)| keys.iter().any(|key| key.name == name);
        let owners: Vec<Target> = (self.commands.iter())
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
        for (index, target) in Target::ALL.into_iter().enumerate() {
            let faults = self.faults.len();
            if let Some(setting) = self.setting(target, key, value) {
                self.common[index].insert(setting.name.clone(), setting);
            }
            if self.faults.len() > faults {
                return;
            }
        }
    }

    fn table(&mut self, target: Target, table: &DeTable<'_>) -> Settings {
        let settings = table
            .iter()
            .filter_map(|(key, value)| self.setting(target, key, value));
        settings
            .map(|setting| (setting.name.clone(), setting))
            .collect()
    }

    /// Reads one key of a command; `None` if it has a fault.
    fn setting(&mut self, target: Target, key: &TomlKey<'_>, value: &Value<'_>) -> Option<Setting> {
        let name = &**key.get_ref();
        let index = usize::from(target == Target::Bake);
        let (_, keys, command) = &mut self.commands[index];
        let Some(known) = keys.iter().find(|known| known.name == name) else {
            let message = unknown(target, name, keys);
            self.faults.push((key.span(), message));
            return None;
        };
        let texts = match texts(known, value, self.base) {
            Ok(texts) => texts,
            Err(fault) => {
                self.faults.push(fault);
                return None;
            }
        };
        let mut arguments = Vec::new();
        for (span, text) in texts {
            let argument = argument(known, &text);
            if let Err(message) = check(command, &argument) {
                self.faults.push((span, message));
                return None;
            }
            arguments.push(argument);
        }
        Some(Setting {
            name: name.to_owned(),
            arguments,
            span: key.span(),
        })
    }

    /// Returns the settings of each command: those of its tables, and those of both commands that the tables do not set.
    fn settings(self) -> (Settings, Vec<(usize, Settings)>) {
        let [documents, bake] = self.common;
        let merged = |common: &Settings, own: Settings| {
            let mut all = common.clone();
            all.extend(own);
            all
        };
        let mut passes = self.bakes;
        if passes.is_empty() {
            passes.push((0, Settings::new()));
        }
        let passes = passes
            .into_iter()
            .map(|(offset, own)| (offset, merged(&bake, own)));
        (merged(&documents, self.documents), passes.collect())
    }
}

/// Returns the message about a key that no option has.
fn unknown(target: Target, name: &str, keys: &[Key]) -> String {
    if let Some(reason) = refusal(name) {
        return format!("`{name}` is no key of this file: {reason}");
    }
    let other = Target::ALL
        .into_iter()
        .find(|other| *other != target && other.keys().iter().any(|key| key.name == name));
    if let Some(other) = other {
        return format!(
            "`{name}` is an option of the other command; write it below `[{}]`",
            other.name()
        );
    }
    let names = keys.iter().map(|key| key.name.as_str());
    match nearest(name, names) {
        Some(meant) => format!("there is no option `{name}`; did you mean `{meant}`?"),
        None => format!("there is no option `{name}`; `rigy-batch config` prints all keys"),
    }
}
