//! Answers to questions of editors: outline, hover, completion, definitions, references and renaming, over the fixtures and over texts with
//! faults.

mod completion;
mod examples;
mod faults;
mod names;
mod renames;

use std::path::Path;

use rigy_batch::assist::{Files, Source, Symbol, symbols};
use rigy_batch::base::paths::Slashed;
use rigy_batch::{Location, MemoryLoader};

/// The fixtures in memory.
struct Fixtures {
    loader: MemoryLoader,
    /// Those that an editor opens as documents, scenes and parts.
    locations: Vec<Location>,
}

impl Fixtures {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
        let mut loader = MemoryLoader::default();
        let mut locations = Vec::new();
        for folder in ["inputs", "invalid"] {
            for entry in walkdir::WalkDir::new(root.join(folder)).sort_by_file_name() {
                let path = entry.unwrap().into_path();
                let (true, Ok(name)) = (path.is_file(), path.strip_prefix(&root)) else {
                    continue;
                };
                let bytes = std::fs::read(&path).unwrap();
                let is_yaml = path.extension().is_some_and(|end| end == "yaml");
                if is_yaml && std::str::from_utf8(&bytes).is_ok() {
                    locations.push(Location(name.to_owned()));
                }
                let name = name.to_str().unwrap().replace('\\', "/");
                loader.files.insert(name, bytes);
            }
        }
        assert!(locations.len() > 150, "{}", locations.len());
        Self { loader, locations }
    }

    fn text(&self, location: &Location) -> String {
        let bytes = &self.loader.files[&location.0.slashed().to_string()];
        String::from_utf8(bytes.clone()).unwrap()
    }

    fn users(&self, location: &Location) -> Vec<Location> {
        let name = location.0.file_name().unwrap().to_str().unwrap();
        let is_user = |other: &&Location| self.text(other).contains(name);
        self.locations.iter().filter(is_user).cloned().collect()
    }
}

fn all(text: &str, location: &Location) -> Vec<Symbol> {
    let mut open = symbols(Source { location, text }, None);
    let mut found = Vec::new();
    while let Some(mut symbol) = open.pop() {
        open.append(&mut symbol.children);
        found.push(symbol);
    }
    found.sort_by_key(|symbol| symbol.name_range.start);
    // The name `""` has no characters to point at.
    found.retain(|symbol| !text[symbol.name_range.clone()].is_empty());
    found.retain(|symbol| &text[symbol.name_range.clone()] != "\"\"");
    // One fixture has hundreds of meshes that are alike.
    found.truncate(60);
    found
}

fn is_named(symbol: &Symbol) -> bool {
    use rigy_batch::assist::SymbolKind::{Binding, Repeat, Scene, WeightMap, Weights};
    symbol.name_range != symbol.range
        && !matches!(symbol.kind, Binding | Repeat | Scene | WeightMap | Weights)
}

/// The files of a loader without any that is open.
fn closed(loader: &MemoryLoader) -> Files<'_> {
    Files {
        loader,
        searched: &[],
        recent: None,
        listed: None,
    }
}
