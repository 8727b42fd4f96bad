//! The spelling of paths on systems that have several for one file, and names that Windows has for devices.
//!
//! Windows and macOS find `Arm.glb` by `arm.glb`, and Windows also by `arm.glb.` and `parts\arm.glb`, where Linux finds nothing. A
//! reference must lead to the same file everywhere, so here it is found by its own name only.

use std::borrow::Cow;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::system;

/// Returns a path of the user without the `\\?\` of Windows, which other paths do not have, unless it is too long without.
pub fn simplified(path: &Path) -> &Path {
    #[cfg(windows)]
    return dunce::simplified(path);
    #[cfg(not(windows))]
    path
}

/// Returns a reference as a path of this system. On Windows, characters that separate or end names there, and those that no name
/// can have, become the characters of a private area that Cygwin and Samba put in their place: U+F000 and their own code.
pub fn as_path(reference: &str) -> Cow<'_, Path> {
    if cfg!(windows) {
        PathBuf::from(with_private_characters(reference)).into()
    } else {
        Path::new(reference).into()
    }
}

fn with_private_characters(reference: &str) -> String {
    reference
        .split('/')
        .map(|part| {
            let ends = part.trim_end_matches(['.', ' ']).len();
            let is_step = matches!(part, "." | "..");
            part.char_indices()
                .map(move |(at, c)| match c {
                    '"' | '*' | ':' | '<' | '>' | '?' | '\\' | '|' | '\x01'..='\x1f' => private(c),
                    '.' | ' ' if at >= ends && !is_step => private(c),
                    c => c,
                })
                .collect::<String>()
        })
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns the character that stands for an ASCII character in file names of Windows.
fn private(c: char) -> char {
    char::from_u32(0xf000 + u32::from(c)).unwrap_or(c)
}

/// Returns the reason why there is no file at a path below a directory, if the file that the system finds there has another name;
/// `None` if the names are right, and if nothing is found. The spelling of the directory itself is the user's.
pub fn misspelt(directory: &Path, path: &Path) -> Option<io::Error> {
    if cfg!(target_os = "linux") {
        return None;
    }
    let whole = directory.join(path);
    if system::canonicalize(&whole).is_ok_and(|it| it == whole) {
        return None;
    }
    let mut place = directory.to_owned();
    for step in path.components() {
        let Component::Normal(name) = step else {
            place.push(step);
            continue;
        };
        let found = system::canonicalize(&place.join(name)).ok()?;
        if found.file_name() != Some(name) {
            // The entry may be a link, whose own name the resolved path does not have.
            let entries = system::list(&place).ok()?.flatten();
            let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            if !names.iter().any(|entry| entry == name) {
                let own = names.iter().find(|entry| entry.eq_ignore_ascii_case(name));
                let own = own.map_or_else(|| name.to_string_lossy(), |own| own.to_string_lossy());
                let message = format!(
                    "the name there is `{own}`; systems differ in whether they find it by another spelling"
                );
                return Some(io::Error::new(io::ErrorKind::NotFound, message));
            }
        }
        place.push(name);
    }
    None
}

/// Returns the reason why a file that was not found is not there, if the reference to it has a character that no name has on this
/// system.
pub fn unusable_name(path: &Path) -> Option<io::Error> {
    if !cfg!(windows) {
        return None;
    }
    let name = path.to_string_lossy();
    if name.contains(private('\\')) {
        let message = "a `\\` in a reference is a part of a name; write `/` between names";
        Some(io::Error::new(io::ErrorKind::NotFound, message))
    } else if name.contains(|c: char| ('\u{f001}'..='\u{f07f}').contains(&c)) {
        let message = "no file of this system has such a name";
        Some(io::Error::new(io::ErrorKind::NotFound, message))
    } else {
        None
    }
}

/// Returns the reason why no file of this system can have the name that a path ends with: Windows has it for a device, or would cut
/// it.
pub fn unusable_output(path: &Path) -> Option<io::Error> {
    let name = path.file_name().filter(|_| cfg!(windows))?;
    let message = fault_on_windows(&name.to_string_lossy())?;
    Some(io::Error::new(io::ErrorKind::InvalidFilename, message))
}

/// Returns true if a path leads to the device of Windows that takes everything and keeps nothing.
pub fn is_null_device(path: &Path) -> bool {
    cfg!(windows)
        && path
            .file_name()
            .is_some_and(|name| name.eq_ignore_ascii_case("nul"))
}

fn fault_on_windows(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let numbered = |device: &str| {
        let rest = stem.get(device.len()..).unwrap_or_default();
        let is_device = stem
            .get(..device.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(device));
        is_device
            && rest.chars().count() == 1
            && rest.contains(|c: char| "123456789¹²³".contains(c))
    };
    let devices = ["con", "prn", "aux", "nul"];
    if devices.iter().any(|it| stem.eq_ignore_ascii_case(it)) || numbered("com") || numbered("lpt")
    {
        Some("Windows has this name for a device")
    } else if name.ends_with(['.', ' ']) {
        Some("Windows drops the dots and blanks at the end of a name")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_no_names_of_files() {
        for name in [
            "NUL",
            "con.glb",
            "Aux .tar.gz",
            "com1",
            "LPT9.x",
            "lpt²",
            "a.",
            "a ",
        ] {
            assert!(fault_on_windows(name).is_some(), "{name}");
        }
        for name in [
            "null",
            "console.glb",
            "com",
            "com10",
            "comx",
            "a.con",
            ".aux",
            "lpt0",
        ] {
            assert!(fault_on_windows(name).is_none(), "{name}");
        }
    }

    #[test]
    fn names_of_windows_have_no_second_meaning() {
        for (reference, path) in [
            ("parts/arm.glb", "parts/arm.glb"),
            ("./../a b/.c", "./../a b/.c"),
            (r"parts\arm.glb", "parts\u{f05c}arm.glb"),
            ("c:a.glb", "c\u{f03a}a.glb"),
            ("a.glb.", "a.glb\u{f02e}"),
            ("a. /...", "a\u{f02e}\u{f020}/\u{f02e}\u{f02e}\u{f02e}"),
            ("a?.glb", "a\u{f03f}.glb"),
        ] {
            assert_eq!(with_private_characters(reference), path);
        }
    }
}
