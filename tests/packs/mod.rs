//! Packs: the same bytes every time, the same files as without them, nothing that reads as whole unless it is, and no harm from
//! hostile ones.

mod bytes;
mod hostile;
#[cfg(unix)]
mod kills;
mod reading;
mod refused;
mod sets;

use crate::documents::{self, Size};
use crate::support::{Dir, document, skinned::skinned};

/// Generated documents in some folders, one that is broken, and skinned glTF files.
pub fn inputs(count: u64) -> Dir {
    let dir = Dir::new();
    let folders = ["in", "in/b", "in/b-c", "in/b/c", "in/b c", "in/é"];
    for index in 0..count {
        let generated = documents::document(11, index, Size::Small);
        let folder = folders[index as usize % folders.len()];
        let stem = documents::stem(index);
        dir.write(&format!("{folder}/{stem}.rigy.yaml"), generated.yaml);
        for (name, text) in generated.files {
            dir.write(&format!("{folder}/{name}"), text);
        }
    }
    dir.write("in/b/broken.rigy.yaml", "version: [");
    // A path of more than 100 bytes has a header of its own in tar.
    let long = format!("in/{}/{}.rigy.yaml", "d".repeat(90), "f".repeat(90));
    dir.write(&long, document("p"));
    dir
}

/// A document and nothing else.
pub fn one() -> Dir {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    dir
}

/// A glTF file of about this many bytes.
pub fn large(len: usize) -> Vec<u8> {
    skinned(len / 32, 0.5).glb()
}

/// Files below a folder of a directory, with paths relative to it.
pub fn below(dir: &Dir, folder: &str) -> Vec<(String, Vec<u8>)> {
    let tree = dir.tree().into_iter();
    let start = format!("{folder}/");
    tree.filter_map(|(name, bytes)| Some((name.strip_prefix(&start)?.to_owned(), bytes)))
        .collect()
}
