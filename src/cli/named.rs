//! A path after an option for outputs names a directory, or a file with an ending that the command can write. Every command calls this
//! module to tell which.

use std::path::Path;

use super::status::{Result, bail};
use crate::io::{exists, is_dir};
use rigy_base::paths::Slashed;
use rigy_base::short::enumerated;

/// The kind of output that a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Directory,
    File,
}

/// Returns what the path after `option` names. A directory exists, or its name has `/` at the end or no ending. The name of a file has one
/// of `endings`.
///
/// # Errors
/// If the path names neither.
pub fn named(option: &str, path: &Path, endings: &[&str]) -> Result<Named, String> {
    let last = path.as_os_str().as_encoded_bytes().last();
    let has_slash = last.is_some_and(|last| std::path::is_separator(char::from(*last)));
    let ending = path.extension().unwrap_or_default();
    // Another run may make the directory between the two questions.
    let is_there = exists(path);
    if has_slash || is_dir(path) {
        return Ok(Named::Directory);
    }
    if endings.iter().any(|known| ending == *known) {
        return Ok(Named::File);
    }
    let shown = path.slashed();
    let takes = match endings {
        [] => String::new(),
        endings => format!(", or a name that ends in {}", listed(endings)),
    };
    let mut takes = format!("`{option}` takes a directory{takes}");
    if ending == "tar" {
        takes +=
            &format!("; `tar --sort=name --exclude=.rigy-batch -cf {shown} DIR` packs a directory");
    }
    match ending {
        _ if is_there => Err(format!("`{shown}` is a file; {takes}")),
        ending if ending.is_empty() => Ok(Named::Directory),
        _ => Err(format!(
            "`{shown}` has an ending and is no directory; {takes}; a directory of this name is `{shown}/`"
        )),
    }
}

/// Checks that a file which is to be a `kind` has one of `endings`, or none.
///
/// # Errors
/// If it has another one.
pub fn check_ending(path: &Path, kind: &str, endings: &[&str]) -> Result<()> {
    let ending = path.extension().unwrap_or_default();
    if ending.is_empty() || endings.iter().any(|known| ending == *known) {
        return Ok(());
    }
    let (path, endings) = (path.slashed(), listed(endings));
    bail!("`{path}`: the name of a {kind} ends in {endings}: name another file")
}

/// Returns endings in words.
fn listed(endings: &[&str]) -> String {
    let quoted: Vec<String> = endings.iter().map(|end| format!("`.{end}`")).collect();
    enumerated(&quoted, "or")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_and_files_are_told_by_slash_ending_and_what_is_there() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| format!("{}/{name}", root.path().slashed());
        std::fs::create_dir(path("there.v2")).unwrap();
        std::fs::write(path("file"), "").unwrap();
        for (name, expected) in [
            ("out", Some(Named::Directory)),
            ("out/", Some(Named::Directory)),
            ("out/1.0/..", Some(Named::Directory)),
            (".hidden", Some(Named::Directory)),
            ("out.glb/", Some(Named::Directory)),
            ("there.v2", Some(Named::Directory)),
            ("v1.2/out", Some(Named::Directory)),
            ("out.glb", Some(Named::File)),
            ("out.png", Some(Named::File)),
            ("out.tar", None),
            ("out.GLB", None),
            ("out.fbx", None),
            ("out.v2", None),
            ("out/1.0", None),
            ("file", None),
        ] {
            let found = named("-o", Path::new(&path(name)), &["glb", "png"]);
            assert_eq!(found.ok(), expected, "{name}");
        }
        assert_eq!(listed(&["a", "b", "c"]), "`.a`, `.b` or `.c`");
    }
}
