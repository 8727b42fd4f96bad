//! The files that belong to a question: the text itself, the files that it refers to, and where the question needs them, the
//! open files with the files that they refer to.

use std::collections::HashMap;
use std::path::PathBuf;

use super::names::{LinkKind, Name, Names, Scope};
use super::sketch::Sketch;
use super::walk::TextKind;
use super::{Files, Source};
use crate::base::limits::Limits;
use crate::base::loader::Location;
use crate::language::schema::names::NameKind;

/// Most files of a project.
const MOST_FILES: usize = 1024;

/// Most definitions of one name that are looked at. Documents without findings have one, and one for each armature of a pose.
const MOST_DEFINITIONS: usize = 100;

/// A file with its names.
pub struct LoadedFile {
    pub location: Location,
    pub text: String,
    pub sketch: Sketch,
    pub kind: TextKind,
    pub names: Names,
    /// The files that it refers to, by number.
    links: Vec<(LinkKind, usize)>,
}

/// A name of a file, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId {
    pub file: usize,
    pub name: usize,
}

/// How the text of a reference is made from the name of the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// It begins with the second prefix of `symmetry`, where the name begins with the first.
    Mirrored,
    /// It is the name of a macro and what follows it.
    Made(String),
    /// It is the name without a prefix.
    Without(&'static str),
}

/// A definition that a reference refers to.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub definition: NameId,
    /// The steps from the name to the reference.
    pub by: Vec<Derivation>,
}

/// The files of a question. The text that is asked about is the first.
pub struct Project {
    pub files: Vec<LoadedFile>,
    /// For each file, the files that refer to it, and how.
    owners: HashMap<usize, Vec<(usize, LinkKind)>>,
}

impl Project {
    /// Loads a text and the files that it refers to.
    pub fn of(source: Source<'_>, files: &Files<'_>) -> Self {
        let mut loading = Loading::new(files);
        loading.add(source.location, source.text.to_owned());
        loading.follow(0);
        // A contract and a weight file refer to elements of the documents that refer to them.
        let is_owned =
            |file: &LoadedFile| matches!(file.kind, TextKind::Contract | TextKind::Weights);
        match loading.files.first().is_some_and(is_owned) {
            true => loading.with_open_files(),
            false => loading.finish(),
        }
    }

    /// Loads a text, all open files, and the files that these refer to.
    pub fn with_open_files(source: Source<'_>, files: &Files<'_>) -> Self {
        let mut loading = Loading::new(files);
        loading.add(source.location, source.text.to_owned());
        loading.follow(0);
        loading.with_open_files()
    }

    pub fn name(&self, id: NameId) -> &Name {
        &self.files[id.file].names.all[id.name]
    }

    /// Returns the file of an import of a file.
    pub fn import(&self, file: usize, import: &str) -> Option<usize> {
        self.linked(
            file,
            |kind| matches!(kind, LinkKind::Import(name) if name == import),
        )
    }

    /// Returns the contract of an import of a file.
    pub fn contract(&self, file: usize, import: &str) -> Option<usize> {
        self.linked(
            file,
            |kind| matches!(kind, LinkKind::Contract(name) if name == import),
        )
    }

    pub fn linked(&self, file: usize, wanted: impl Fn(&LinkKind) -> bool) -> Option<usize> {
        let links = &self.files[file].links;
        let found = links.iter().find(|(kind, _)| wanted(kind));
        found.map(|(_, to)| *to)
    }

    /// Returns the definitions that a name refers to: of a definition, the definition itself.
    pub fn resolve(&self, id: NameId) -> Vec<Resolved> {
        let name = self.name(id);
        if name.is_definition {
            let by = Vec::new();
            return vec![Resolved { definition: id, by }];
        }
        let mut found: Vec<Resolved> = Vec::new();
        for (file, scope) in self.scopes(id.file, name) {
            let more = match name.kind {
                NameKind::Frame => self.frames(file, name),
                _ => self.lookup(file, name.kind, &scope, &name.text),
            };
            found.extend(more);
        }
        found
    }

    /// Returns the files and scopes in which a reference is looked up.
    pub fn scopes(&self, file: usize, name: &Name) -> Vec<(usize, Scope)> {
        match (&name.scope, name.kind) {
            (Scope::Part(import), NameKind::Frame) => {
                let contract = self.contract(file, import);
                contract
                    .map(|file| (file, Scope::File))
                    .into_iter()
                    .collect()
            }
            (Scope::Part(import), _) => {
                let part = self.import(file, import);
                part.map(|file| (file, Scope::File)).into_iter().collect()
            }
            (Scope::Owners, kind) => self.owner_scopes(file, kind),
            (scope, _) => vec![(file, scope.clone())],
        }
    }

    fn owner_scopes(&self, file: usize, kind: NameKind) -> Vec<(usize, Scope)> {
        let owners = self.owners.get(&file).map_or(&[][..], Vec::as_slice);
        let scope = |(owner, link): &(usize, LinkKind)| match (link, kind) {
            (LinkKind::Contract(import), _) => Some((self.import(*owner, import)?, Scope::File)),
            (LinkKind::Weights { armature, .. }, NameKind::Bone) => {
                Some((*owner, Scope::In(armature.clone())))
            }
            (LinkKind::Weights { mesh, .. }, _) => Some((*owner, Scope::In(mesh.clone()))),
            _ => None,
        };
        owners.iter().filter_map(scope).collect()
    }

    /// Looks a name up in a scope: as it is written, then as a mirrored copy, then as what a macro makes.
    pub fn lookup(&self, file: usize, kind: NameKind, scope: &Scope, text: &str) -> Vec<Resolved> {
        let exact = self.defined(file, kind, scope, text, &[]);
        if !exact.is_empty() {
            return exact;
        }
        let made = self.made(file, kind, scope, text, &[]);
        if !made.is_empty() {
            return made;
        }
        let is_mirrored = matches!(
            kind,
            NameKind::Primitive | NameKind::Bone | NameKind::Anchor | NameKind::Instance
        );
        let mirror = self.files[file]
            .names
            .mirror
            .as_ref()
            .filter(|_| is_mirrored);
        let Some((from, to)) = mirror else {
            return Vec::new();
        };
        let Some(rest) = text.strip_prefix(&**to) else {
            return Vec::new();
        };
        let original = format!("{from}{rest}");
        let found = self.defined(file, kind, scope, &original, &[Derivation::Mirrored]);
        match found.is_empty() {
            true => self.made(file, kind, scope, &original, &[Derivation::Mirrored]),
            false => found,
        }
    }

    fn defined(
        &self,
        file: usize,
        kind: NameKind,
        scope: &Scope,
        text: &str,
        by: &[Derivation],
    ) -> Vec<Resolved> {
        let names = self.files[file].names.defined(kind, scope, text);
        let resolved = |name: &usize| Resolved {
            definition: NameId { file, name: *name },
            by: by.to_vec(),
        };
        names.iter().take(MOST_DEFINITIONS).map(resolved).collect()
    }

    /// Looks for a macro whose id is the beginning of a name, before an underscore.
    fn made(
        &self,
        file: usize,
        kind: NameKind,
        scope: &Scope,
        text: &str,
        by: &[Derivation],
    ) -> Vec<Resolved> {
        if kind != NameKind::Primitive {
            return Vec::new();
        }
        let ends = text.rmatch_indices('_').map(|(at, _)| at);
        for end in ends.take(16) {
            let steps = [by, &[Derivation::Made(text[end..].to_owned())]].concat();
            let mut found = self.defined(file, kind, scope, &text[..end], &steps);
            found.retain(|found| self.name(found.definition).is_macro);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Looks a set of a contract up: with the prefix of slots or mounts, then as it is written.
    fn frames(&self, file: usize, name: &Name) -> Vec<Resolved> {
        let prefix = match name.is_slot {
            true => "slots.",
            false => "mounts.",
        };
        let full = format!("{prefix}{}", name.text);
        let without = [Derivation::Without(prefix)];
        let found = self.defined(file, NameKind::Frame, &Scope::File, &full, &without);
        match found.is_empty() {
            true => self.defined(file, NameKind::Frame, &Scope::File, &name.text, &[]),
            false => found,
        }
    }
}

/// Files that are being loaded.
struct Loading<'a> {
    files: Vec<LoadedFile>,
    loader: &'a Files<'a>,
    /// The number of each file, by its identity; `None` if it cannot be read.
    known: HashMap<PathBuf, Option<usize>>,
}

impl<'a> Loading<'a> {
    fn new(loader: &'a Files<'a>) -> Self {
        Self {
            files: Vec::new(),
            loader,
            known: HashMap::new(),
        }
    }

    fn add(&mut self, location: &Location, text: String) -> usize {
        let source = Source {
            location,
            text: &text,
        };
        let sketch = Sketch::read(&text);
        let kind = TextKind::of(source, &sketch);
        let names = Names::of(&text, &sketch, kind);
        let number = self.files.len();
        let identity = self.loader.loader.identity(location);
        self.known.insert(identity, Some(number));
        self.files.push(LoadedFile {
            location: location.clone(),
            text,
            sketch,
            kind,
            names,
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
        let text = String::from_utf8(bytes.ok()?.as_ref().to_vec()).ok()?;
        Some(self.add(location, text))
    }

    /// Loads the files that a file refers to.
    fn follow(&mut self, file: usize) {
        let from = self.files[file].location.clone();
        let kind = self.files[file].kind;
        let links = self.files[file].names.links.clone();
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

    fn with_open_files(mut self) -> Project {
        for location in self.loader.open {
            if let Some(file) = self.load(location)
                && self.files[file].links.is_empty()
            {
                self.follow(file);
            }
        }
        self.finish()
    }

    fn finish(self) -> Project {
        let mut owners: HashMap<usize, Vec<(usize, LinkKind)>> = HashMap::new();
        for (owner, file) in self.files.iter().enumerate() {
            for (link, to) in &file.links {
                owners.entry(*to).or_default().push((owner, link.clone()));
            }
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
