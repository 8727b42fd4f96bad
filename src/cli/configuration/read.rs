//! Reading the file, and the places of what it sets.

use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;

use toml::de::DeTable;

use super::Place;
use super::keys::{Form, Target};
use super::tables::Reader;
use super::values::{Fault, argument};
use crate::base::diag::{Category, Diagnostic, Lines, Source, Span};
use crate::base::loader::Stamp;
use crate::compile::decode;
use crate::io::{read_file, stamp_of};

/// Longest file, in bytes.
const LONGEST: u64 = 1 << 20;

/// An option that the file sets.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// The long name of the option.
    pub name: String,
    pub form: Form,
    /// The value of each argument: an empty text for a flag, and none for one that is false.
    pub values: Vec<OsString>,
    /// The bytes of the key.
    pub span: Range<usize>,
}

impl Setting {
    /// Returns the arguments of a command line that the setting stands for.
    pub fn arguments(&self) -> impl Iterator<Item = OsString> {
        let values = self.values.iter();
        values.map(|value| argument(&self.name, self.form, value))
    }
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
    pub stamp: Option<Stamp>,
    /// Settings of each command.
    settings: [Settings; 2],
}

impl Loaded {
    /// Reads a file.
    ///
    /// # Errors
    /// All faults of the file, with their places.
    pub(super) fn read(place: &Place) -> Result<Self, Vec<Diagnostic>> {
        let name = place.file.display().to_string();
        let stamp = stamp_of(&place.file).ok();
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
        Ok(Self {
            file: place.file.clone(),
            text: text.to_owned(),
            stamp,
            settings: reader.settings,
        })
    }

    pub(super) fn settings(&self, target: Target) -> &Settings {
        &self.settings[target as usize]
    }

    /// Returns the path that outputs of documents go to, if the file names one.
    pub fn documents_output(&self) -> Option<PathBuf> {
        let setting = self.settings(Target::Documents).get("output")?;
        setting.values.first().map(PathBuf::from)
    }

    /// Returns the long names of settings with the file and the line of each.
    pub(super) fn places(&self, settings: &[Setting]) -> Vec<(String, String)> {
        let place = |setting: &Setting| {
            let before = self.text.as_bytes().iter().take(setting.span.start);
            let line = 1 + before.filter(|byte| **byte == b'\n').count();
            let place = format!("{}:{line}", self.file.display());
            (setting.name.clone(), place)
        };
        settings.iter().map(place).collect()
    }

    /// Returns a finding about a setting.
    pub(super) fn finding(&self, setting: &Setting, message: String) -> Diagnostic {
        let fault = (setting.span.clone(), message);
        diagnostic(&self.file.display().to_string(), &self.text, fault)
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
