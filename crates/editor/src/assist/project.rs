//! The files that belong to a question: the text itself, the files that it refers to, and where the question needs them, the
//! searched files that refer to one of these, with the files that they refer to.

mod loading;
mod resolve;

use std::cell::OnceCell;
use std::rc::Rc;

use super::names::{LinkKind, Name, Names};
use super::question::{Files, Source};
use super::sketch::Sketch;
use super::walk::{Reading, TextKind};
use rigy_base::loader::Location;
use rigy_base::maps::HashMap;
use rigy_language::yaml::{Options, body, compose};

use loading::Loading;
pub use loading::{MOST_READ, RecentTexts};
pub use resolve::{Derivation, Resolved};

/// A text with its sketch and its names.
pub struct ReadText {
    pub text: String,
    pub sketch: Sketch,
    pub kind: TextKind,
    names: OnceCell<Names>,
    is_sound: OnceCell<bool>,
}

impl ReadText {
    /// The text with its sketch.
    pub fn reading(&self) -> Reading<'_> {
        Reading {
            text: &self.text,
            sketch: &self.sketch,
            kind: self.kind,
        }
    }

    /// Reads a text.
    fn of(location: &Location, text: String) -> Self {
        let source = Source {
            location,
            text: &text,
        };
        let sketch = Sketch::read(&text);
        let kind = TextKind::of(source, &sketch);
        Self {
            text,
            sketch,
            kind,
            names: OnceCell::new(),
            is_sound: OnceCell::new(),
        }
    }

    /// Returns its names, which the first question about them collects.
    pub fn names(&self) -> &Names {
        self.names
            .get_or_init(|| Names::of(&self.text, &self.sketch, self.kind))
    }

    /// True if the text has no fault of YAML.
    pub fn is_sound(&self) -> bool {
        let body = body(&self.text);
        *self
            .is_sound
            .get_or_init(|| compose(body, &Options::default()).is_ok())
    }
}

/// Reads a text, or returns it as the last question has read it.
pub fn read(source: Source, recent: Option<&RecentTexts>) -> Rc<ReadText> {
    match recent {
        Some(recent) => recent.read(source),
        None => Rc::new(ReadText::of(source.location, source.text.to_owned())),
    }
}

/// A file with its names.
pub struct LoadedFile {
    pub location: Location,
    pub read: Rc<ReadText>,
    /// The files that it refers to, by number.
    links: Vec<(LinkKind, usize)>,
}

/// A name of a file, by numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameId {
    pub file: usize,
    pub name: usize,
}

/// The files of a question. The text that is asked about is the first.
pub struct Project {
    pub files: Vec<LoadedFile>,
    /// For each file, the files that refer to it, and how.
    owners: HashMap<usize, Vec<(usize, LinkKind)>>,
    /// False if files were left out because there are too many.
    pub is_complete: bool,
}

impl Project {
    /// Loads a text and the files that it refers to.
    pub fn of(source: Source, files: &Files) -> Self {
        Self::loading(source, files).finish()
    }

    /// Loads the files of [`Project::of`], the searched files that refer to one of them, and the files that these refer to.
    pub fn with_importers(source: Source, files: &Files) -> Self {
        let mut loading = Self::loading(source, files);
        loading.add_importers();
        loading.finish()
    }

    fn loading<'a>(source: Source, files: &'a Files<'a>) -> Loading<'a> {
        let mut loading = Loading::new(files);
        loading.add(source.location, source.text);
        loading.follow(0);
        // A contract and a weight file refer to elements of the documents that refer to them.
        if loading
            .files
            .first()
            .is_some_and(|file| matches!(file.read.kind, TextKind::Contract | TextKind::Weights))
        {
            loading.add_importers();
        }
        loading
    }

    pub fn name(&self, id: NameId) -> &Name {
        &self.names(id.file).all[id.name]
    }

    /// Returns the names of a file.
    pub fn names(&self, file: usize) -> &Names {
        self.files[file].read.names()
    }

    /// Returns the file of an import of a file.
    pub fn import(&self, file: usize, import: &str) -> Option<usize> {
        self.linked(file, &LinkKind::Import(import.to_owned()))
    }

    /// Returns the contract of an import of a file.
    pub fn contract(&self, file: usize, import: &str) -> Option<usize> {
        self.linked(file, &LinkKind::Contract(import.to_owned()))
    }

    pub fn linked(&self, file: usize, wanted: &LinkKind) -> Option<usize> {
        let links = &self.files[file].links;
        links
            .iter()
            .find(|(kind, _)| kind == wanted)
            .map(|(_, to)| *to)
    }
}
