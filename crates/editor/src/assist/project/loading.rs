//! Loads the files of a question.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use super::{LoadedFile, Project, ReadText};
use crate::assist::names::LinkKind;
use crate::assist::question::{Files, Source};
use crate::assist::walk::TextKind;
use rigy_base::loader::Location;
use rigy_base::maps::{HashMap, HashSet};

/// Most files of a project.
const MOST_FILES: usize = 1024;

/// Longest file that is read, in bytes: weight files are longer than documents.
pub const MOST_READ: u64 = 16 << 20;

/// Files that are being loaded.
pub struct Loading<'a> {
    pub files: Vec<LoadedFile>,
    loader: &'a Files<'a>,
    /// The number of each file, by its identity; `None` if it cannot be read.
    known: HashMap<PathBuf, Option<usize>>,
    is_complete: bool,
}

impl<'a> Loading<'a> {
    pub fn new(loader: &'a Files<'a>) -> Self {
        Self {
            files: Vec::new(),
            loader,
            known: HashMap::default(),
            is_complete: true,
        }
    }

    pub fn add(&mut self, location: &Location, text: &str) -> usize {
        let recent = self.loader.recent;
        let read = recent
            .and_then(|recent| recent.get(location, text))
            .unwrap_or_else(|| Rc::new(ReadText::of(location, text.to_owned())));
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
        let text = self.read(location)?;
        self.add_within_limit(location, &text)
    }

    fn read(&self, location: &Location) -> Option<String> {
        let bytes = self.loader.loader.read(location, MOST_READ);
        String::from_utf8(bytes.ok()?.as_ref().to_vec()).ok()
    }

    fn add_within_limit(&mut self, location: &Location, text: &str) -> Option<usize> {
        self.is_complete &= self.files.len() < MOST_FILES;
        self.is_complete.then(|| self.add(location, text))
    }

    /// Loads the files that a file refers to.
    pub fn follow(&mut self, file: usize) {
        let from = self.files[file].location.clone();
        let kind = self.files[file].read.kind;
        let links = self.files[file].read.names().links.clone();
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

    /// Loads the searched files that may refer to one of the files so far, and the files that these refer to.
    pub fn add_importers(&mut self) {
        let stems: HashSet<String> = self.files.iter().filter_map(stem).collect();
        for location in self.loader.searched {
            let identity = self.loader.loader.identity(location);
            let file = match self.known.get(&identity) {
                Some(known) => *known,
                None => self.importer(location, &stems),
            };
            if let Some(file) = file
                && self.files[file].links.is_empty()
            {
                self.follow(file);
            }
        }
    }

    /// Loads a file if its text contains one of the names of files. An escape of YAML might spell any name.
    fn importer(&mut self, location: &Location, stems: &HashSet<String>) -> Option<usize> {
        let text = self.read(location)?;
        let is_importer = text.contains('\\') || stems.iter().any(|stem| text.contains(stem));
        is_importer.then(|| self.add_within_limit(location, &text))?
    }

    pub fn finish(self) -> Project {
        let mut owners: HashMap<usize, Vec<(usize, LinkKind)>> = HashMap::default();
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
            is_complete: self.is_complete,
        }
    }
}

/// Returns the part of a file's name that all references to it contain. A scene names the contract of a part by the part.
fn stem(file: &LoadedFile) -> Option<String> {
    let name = file.location.0.file_name()?.to_str()?;
    let end = [".rigy.", ".ricy."].iter().find_map(|end| name.rfind(end));
    Some(name[..end.unwrap_or(name.len())].to_owned())
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
    fn get(&self, location: &Location, text: &str) -> Option<Rc<ReadText>> {
        self.0
            .borrow()
            .get(location)
            .filter(|read| read.text == text)
            .cloned()
    }

    /// Returns a text as it was read by the last question, or reads it and keeps it in the place of the others.
    pub(super) fn read(&self, source: Source) -> Rc<ReadText> {
        let Source { location, text } = source;
        if let Some(read) = self.get(location, text) {
            return read;
        }
        let read = Rc::new(ReadText::of(location, text.to_owned()));
        if text.len() <= MOST_KEPT {
            let kept = (location.clone(), read.clone());
            self.0.replace(HashMap::from_iter([kept]));
        }
        read
    }

    /// Keeps the texts of a question, from the first on, in the place of those before.
    fn keep(&self, files: &[LoadedFile]) {
        let mut left = MOST_KEPT;
        let kept = files
            .iter()
            .filter(|file| {
                let rest = left.checked_sub(file.read.text.len());
                rest.map(|rest| left = rest).is_some()
            })
            .map(|file| (file.location.clone(), file.read.clone()));
        self.0.replace(kept.collect());
    }
}
