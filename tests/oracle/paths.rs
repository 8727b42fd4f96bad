//! Paths as text: `/` between names, without a look at the disk (`language.md` 4.1).

/// A path as a document in `directory` wrote it, seen from where `directory` is seen from, without
/// `.` and without any `..` but those that lead out at the front.
pub fn join(directory: &str, path: &str) -> String {
    if let Some(rest) = path.strip_prefix('/') {
        return format!("/{}", join("", rest));
    }
    let mut names: Vec<&str> = Vec::new();
    for name in directory.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    names.join("/")
}

/// The directory of a normalised path; empty for a bare file name.
pub fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}
