//! Files in the directory for the data of a page.

use sha2::{Digest, Sha256};

use crate::io::Staged;
use crate::run::batch::ChunkKind;

/// A file that is not yet in its place.
#[derive(Debug)]
pub struct DataFile {
    /// The name of the file.
    pub name: String,
    /// Its length in bytes.
    pub len: u64,
    /// The file itself.
    pub staged: Staged,
}

/// Returns sixteen hexadecimal digits of the hash of a content. A file of another content has another name, so a page that
/// is open finds its own data or none.
pub fn name_of(content: &str) -> String {
    let hash = Sha256::digest(content);
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns true if a file has the name of a data file: a kind of chunk or `scene`, `-`, 16 hexadecimal digits and `.js`; or
/// `viewer-`, such digits and `.html`.
pub fn is_data_file(name: &str) -> bool {
    let (stem, is_script) = match (name.strip_suffix(".js"), name.strip_suffix(".html")) {
        (Some(stem), _) => (stem, true),
        (None, Some(stem)) => (stem, false),
        (None, None) => return false,
    };
    stem.split_once('-').is_some_and(|(kind, hash)| {
        let is_chunk = || ChunkKind::ALL.iter().any(|known| known.name() == kind);
        let is_kind = match is_script {
            true => kind == "scene" || is_chunk(),
            false => kind == "viewer",
        };
        let is_hexadecimal = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_kind && is_hexadecimal && hash.len() == 16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_not_taken_for_data_files() {
        for name in [
            "rows-0123456789abcdef.js",
            "models-0123456789abcdef.js",
            "scene-0123456789abcdef.js",
            "viewer-0123456789abcdef.html",
        ] {
            assert!(is_data_file(name), "{name}");
        }
        for name in [
            "viewer-0123456789abcdef.js",
            "rows-0123456789abcdef.html",
            "scene-0123456789abcde.js",
            "scene-0123456789abcdeg.js",
            "notes-0123456789abcdef.js",
            "scene.js",
            "precious.html",
        ] {
            assert!(!is_data_file(name), "{name}");
        }
    }
}
