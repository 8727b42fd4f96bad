//! Reading the file, and the places of what it sets.

use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;

use toml::de::DeTable;

use super::keys::Target;
use super::place::Place;
use super::tables::Reader;
use super::values::Fault;
use crate::base::diag::{Category, Diagnostic, Lines, Source, Span};
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
    /// The values in these; empty texts for flags.
    pub values: Vec<OsString>,
    /// The bytes of the key.
    pub span: Range<usize>,
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

    /// Returns the path that outputs of documents go to, if the file names one.
    pub fn documents_output(&self) -> Option<PathBuf> {
        self.documents
            .get("output")?
            .values
            .first()
            .map(PathBuf::from)
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

    /// Returns the long names of settings with their places.
    pub(super) fn places(&self, settings: &[Setting]) -> Vec<(String, String)> {
        let place = |setting: &Setting| {
            let place = format!("{}:{}", self.file.display(), self.line(setting));
            (setting.name.clone(), place)
        };
        settings.iter().map(place).collect()
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
