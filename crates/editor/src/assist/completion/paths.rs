//! Paths of files.

use std::path::{Component, Path};

use super::position::{Marked, Typed};
use super::proposal::{Completion, CompletionKind};
use crate::assist::question::{Files, Source};
use crate::assist::walk::{NodePlace, TextKind};
use rigy_base::paths::parent_of;

/// Most paths that are proposed.
const MOST_PATHS: usize = 200;

/// Returns the paths that a field may name, the nearest first: from the directory of the text to the listed files whose names fit.
pub fn of_files(marked: &Marked, typed: &Typed, source: Source, files: &Files) -> Vec<Completion> {
    let Some(listed) = files.listed else {
        return Vec::new();
    };
    let own = files.loader.identity(source.location);
    let endings = endings(marked.reading().kind, typed.place());
    let fits = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        endings.iter().any(|ending| name.ends_with(ending)) && *path != own
    };
    let directory = parent_of(&own);
    let mut paths: Vec<String> = listed()
        .into_iter()
        .filter(|file| fits(&file.0))
        .filter_map(|file| relative(directory, &file.0))
        .collect();
    paths.sort_by_cached_key(|path| (path.matches('/').count(), path.clone()));
    paths.truncate(MOST_PATHS);
    paths
        .into_iter()
        .map(|path| Completion {
            insert: marked.spelled(typed.scalar(), &path, false),
            ..Completion::of(
                path,
                marked.replaced(typed.scalar(), 0),
                CompletionKind::File,
            )
        })
        .collect()
}

/// Returns the endings of the names that files of a field have by custom.
fn endings(kind: TextKind, place: &NodePlace) -> &'static [&'static str] {
    match (kind, place.field.map(|field| field.name)) {
        (_, Some("contract")) => &[".ricy.yaml", ".ricy.yml"],
        (TextKind::Document, _) if place.around.mesh.is_some() => &[".json"],
        _ => &[".rigy.yaml", ".rigy.yml", ".part.yaml", ".part.yml"],
    }
}

/// Returns the path from a directory to a file, with slashes; `None` if it is no text, or lies elsewhere.
fn relative(directory: &Path, file: &Path) -> Option<String> {
    let parts = |path: &Path| -> Option<Vec<String>> {
        path.components()
            .filter(|part| *part != Component::CurDir)
            .map(|part| part.as_os_str().to_str().map(str::to_owned))
            .collect()
    };
    let (from, to) = (parts(directory)?, parts(file)?);
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let is_reachable = common > 0 || !file.has_root();
    let ups = vec!["..".to_owned(); from.len() - common];
    is_reachable.then(|| [&ups, &to[common..]].concat().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_directory_of_the_text() {
        for (directory, file, expected) in [
            ("/a", "/a/b.rigy.yaml", Some("b.rigy.yaml")),
            ("/a/b", "/a/c/d.json", Some("../c/d.json")),
            ("/a/b/c", "/a/d", Some("../../d")),
            ("", "d/e", Some("d/e")),
            ("a", "a/e", Some("e")),
            ("a", "b/e", Some("../b/e")),
            ("a", "/b/e", None),
        ] {
            let found = relative(Path::new(directory), Path::new(file));
            assert_eq!(found.as_deref(), expected, "{directory} {file}");
        }
    }
}
