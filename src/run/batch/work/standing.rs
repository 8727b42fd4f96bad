//! Classification of existing files at the paths of outputs.

use std::io::{BufReader, Read};
use std::path::Path;

use crate::bake::GENERATOR;
use crate::io::Target;

/// The kinds of files that can exist at the path of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// An output of this program, or a file that no input of this kind refers to.
    Output,
    /// A file that the run would have read as an input if outputs did not go to its directory.
    LeftOut,
    /// Any other file: an input may refer to it.
    Other,
}

/// Returns true if the file at `path` begins as a GLB does.
pub(crate) fn is_glb(path: &Path) -> bool {
    let mut start = [0; 4];
    let file = Target::new(path).open();
    let read = file.is_ok_and(|mut file| file.read_exact(&mut start).is_ok());
    read && start == *b"glTF"
}

/// Returns true if the file at `path` is a GLB that names this program as its generator.
pub(crate) fn is_baked(path: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Head {
        asset: Asset,
    }
    #[derive(serde::Deserialize)]
    struct Asset {
        generator: String,
    }
    let generator = || {
        let mut file = Target::new(path).open().ok()?;
        let mut start = [0; 20];
        file.read_exact(&mut start).ok()?;
        let [magic, _, _, json_len, chunk] = *start.as_chunks::<4>().0 else {
            return None;
        };
        if magic != *b"glTF" || chunk != *b"JSON" {
            return None;
        }
        let json = BufReader::new(file).take(u32::from_le_bytes(json_len).into());
        let head: Head = serde_json::from_reader(json).ok()?;
        Some(head.asset.generator)
    };
    generator().is_some_and(|generator| generator == GENERATOR)
}
