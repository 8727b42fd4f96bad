//! The files beside a document: their places, their names, and references to them.
//!
//! Every path is relative to the document's directory, and its first name starts with the document's stem.

use super::parts::Part;
use super::random::{Draw, Random};

pub struct Files {
    stem: String,
    /// Directory of the document or part that is being written.
    pub directory: String,
    /// Path and text of each finished file.
    pub written: Vec<(String, String)>,
    /// Finished parts, which other documents may import once more.
    pub shelf: Vec<Part>,
    /// Path of each part that has materials which others may name, and their ids.
    pub materials: Vec<(String, Vec<String>)>,
    /// True if new documents are of 0.6 to 0.13 for the most part.
    pub extended: bool,
    taken: Vec<String>,
}

impl Files {
    pub fn new(stem: &str) -> Files {
        Files {
            stem: stem.into(),
            directory: String::new(),
            written: Vec::new(),
            shelf: Vec::new(),
            materials: Vec::new(),
            extended: false,
            taken: Vec::new(),
        }
    }

    /// A directory for another file: rather the one where we are.
    pub fn place(&self, random: &mut Random) -> String {
        if random.chance(65) {
            return self.directory.clone();
        }
        match random.below(4) {
            0 => String::new(),
            1 => format!("{}.parts/old ones", self.stem),
            _ => format!("{}.parts", self.stem),
        }
    }

    /// A path that nothing else has, on a file system that ignores case either.
    pub fn reserve(&mut self, directory: &str, tag: &str, suffix: &str) -> String {
        let path = |tag: &str| {
            let name = format!("{}.{tag}{suffix}", self.stem);
            if directory.is_empty() {
                name
            } else {
                format!("{directory}/{name}")
            }
        };
        let mut free = path(tag);
        if self.taken.contains(&free.to_lowercase()) {
            free = path(&format!("{tag}.{}", self.taken.len()));
        }
        self.taken.push(free.to_lowercase());
        free
    }

    /// Returns the number of paths that are taken, which no earlier tag can have.
    pub fn count(&self) -> usize {
        self.taken.len()
    }

    /// Returns the spelling of `path` in the document in `self.directory`.
    pub fn reference(&self, random: &mut Random, path: &str) -> String {
        let reference = relative(&self.directory, path);
        match random.below(12) {
            0 | 1 => format!("./{reference}"),
            2 => reference.replacen('/', "/./", 1),
            _ => reference,
        }
    }
}

/// The way from a directory to a file: up as far as needed, then down.
fn relative(directory: &str, path: &str) -> String {
    let mut from: Vec<&str> = directory.split('/').filter(|n| !n.is_empty()).collect();
    let mut to: Vec<&str> = path.split('/').collect();
    while !from.is_empty() && to.len() > 1 && from[0] == to[0] {
        from.remove(0);
        to.remove(0);
    }
    let mut names = vec![".."; from.len()];
    names.extend(to);
    names.join("/")
}
