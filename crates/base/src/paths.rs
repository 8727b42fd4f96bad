//! Paths as text.

use std::fmt::Display;
use std::path::Path;

/// Returns the directory that a path is an entry of; the empty path for the bare name of a file.
pub fn parent_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// A path that can be shown.
pub trait Slashed {
    /// Returns the path as messages, reports and JSON show it: with `/` between its parts on every system, because a path there
    /// is a name in data that another system may read. On Windows it has no `\\?\`, which marks a path as resolved.
    /// Characters that are no Unicode become U+FFFD.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use rigy_base::paths::Slashed;
    ///
    /// assert_eq!(Path::new("models").join("arm.glb").shown(), "models/arm.glb");
    /// ```
    fn slashed(&self) -> impl Display + '_;

    /// Returns the same as text.
    fn shown(&self) -> String {
        self.slashed().to_string()
    }
}

impl Slashed for Path {
    #[cfg(not(windows))]
    #[expect(clippy::disallowed_methods, reason = "`/` is the separator here")]
    fn slashed(&self) -> impl Display + '_ {
        self.display()
    }

    #[cfg(windows)]
    fn slashed(&self) -> impl Display + '_ {
        with_slashes(&self.to_string_lossy())
    }
}

/// Returns a path of Windows with `/` in the place of `\` and without `\\?\`.
#[cfg(any(windows, test))]
fn with_slashes(path: &str) -> String {
    let plain = match path.strip_prefix(r"\\?\UNC\") {
        Some(rest) => format!(r"\\{rest}"),
        None => path.strip_prefix(r"\\?\").unwrap_or(path).to_owned(),
    };
    plain.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_have_slashes() {
        for (path, shown) in [
            (r"models\arm.glb", "models/arm.glb"),
            (r"\\?\C:\in\a.glb", "C:/in/a.glb"),
            (r"\\?\UNC\server\share\a", "//server/share/a"),
            (r"\\server\share\a", "//server/share/a"),
            (r"C:a.glb", "C:a.glb"),
        ] {
            assert_eq!(with_slashes(path), shown);
        }
    }
}
