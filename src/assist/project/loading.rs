//! Loads the files of a question.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::super::Files;
use super::super::names::LinkKind;
use super::super::walk::TextKind;
use super::{LoadedFile, Project, ReadText};
use crate::base::limits::Limits;
use crate::base::loader::Location;

/// Most files of a project.
const MOST_FILES: usize = 1024;

/// Files that are being loaded.
pub struct Loading<'a> {
    pub files: Vec<LoadedFile>,
    loader: &'a Files<'a>,
    /// The number of each file, by its identity; `None` if it cannot be read.
    known: HashMap<PathBuf, Option<usize>>,
}

impl<'a> Loading<'a> {
    pub fn new(loader: &'a Files<'a>) -> Self {
        Self {
            files: Vec::new(),
            loader,
            known: HashMap::new(),
        }
    }

    pub fn add(&mut self, location: &Location, text: &str) -> usize {
        let recent = self.loader.recent;
        let read = recent.and_then(|recent| recent.get(location, text));
        let read = read.unwrap_or_else(|| Rc::new(ReadText::of(location, text.to_owned())));
        let number = self.files.len();
        let identity = self.loader.loader.identity(location);
        self.known.insert(identity, Some(number));
        self.files.push(LoadedFile {
            location: location.clone(),
            read,
            links: Vec::new(),
        });
        number
    }

    /// Returns the number of a file, which is read if it is not loaded yet.
    fn load(&mut self, location: &Location) -> Option<usize> {
        let identity = self.loader.loader.identity(location);
        if let Some(known) = self.known.get(&identity) {
            return *known;
        }
        self.known.insert(identity, None);
        if self.files.len() >= MOST_FILES {
            return None;
        }
        let bytes = self.loader.loader.read(location, Limits::DEFAULT.bytes);
        let bytes = bytes.ok()?;
        let text = std::str::from_utf8(bytes.as_ref()).ok()?;
        Some(self.add(location, text))
    }

    /// Loads the files that a file refers to.
    pub fn follow(&mut self, file: usize) {
        let from = self.files[file].location.clone();
        let kind = self.files[file].read.kind;
        let links = self.files[file].read.names.links.clone();
        for link in links {
            let Ok(location) = self.loader.loader.resolve(&from, &link.path) else {
                continue;
            };
            if let Some(to) = self.load(&location) {
                self.files[file].links.push((link.to.clone(), to));
            }
            if let (TextKind::Scene, LinkKind::Import(import)) = (kind, link.to)
                && let Some(path) = contract_of(&link.path)
                && let Ok(location) = self.loader.loader.resolve(&from, &path)
                && let Some(to) = self.load(&location)
            {
                self.files[file]
                    .links
                    .push((LinkKind::Contract(import), to));
            }
        }
    }

    pub fn with_open_files(mut self) -> Project {
        for location in self.loader.open {
            if let Some(file) = self.load(location)
                && self.files[file].links.is_empty()
            {
                self.follow(file);
            }
        }
        self.finish()
    }

    pub fn finish(self) -> Project {
        let mut owners: HashMap<usize, Vec<(usize, LinkKind)>> = HashMap::new();
        for (owner, file) in self.files.iter().enumerate() {
            for (link, to) in &file.links {
                owners.entry(*to).or_default().push((owner, link.clone()));
            }
        }
        if let Some(recent) = self.loader.recent {
            recent.keep(&self.files);
        }
        Project {
            files: self.files,
            owners,
        }
    }
}

/// Returns the path of the contract of a part of a scene.
fn contract_of(path: &str) -> Option<String> {
    let stem = path
        .strip_suffix(".rigy.yaml")
        .or_else(|| path.strip_suffix(".rigy.yml"))?;
    Some(format!("{stem}.ricy.yaml"))
}

/// Most bytes of the texts that are kept. Sketches and names take about fifty times as much memory.
const MOST_KEPT: usize = 4 << 20;

/// The texts that the last question has read, with their sketches and names. A text that has changed is read again.
#[derive(Default)]
pub struct RecentTexts(RefCell<HashMap<Location, Rc<ReadText>>>);

impl RecentTexts {
    /// Returns a text that the last question has read at this location, if it is still the same.
    pub(super) fn get(&self, location: &Location, text: &str) -> Option<Rc<ReadText>> {
        let kept = self.0.borrow();
        let read = kept.get(location).filter(|read| read.text == text);
        read.cloned()
    }

    /// Keeps the texts of a question, from the first on, in the place of those before.
    pub(super) fn keep(&self, files: &[LoadedFile]) {
        let mut left = MOST_KEPT;
        let fits = |file: &&LoadedFile| {
            let rest = left.checked_sub(file.read.text.len());
            rest.map(|rest| left = rest).is_some()
        };
        let files = files.iter().filter(fits);
        let kept = files.map(|file| (file.location.clone(), file.read.clone()));
        self.0.replace(kept.collect());
    }
}
