//! Names of output files.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// Whether a directory's file of this name is a document: `*.rigy.yaml` or `*.rigy.yml`.
pub fn is_document(file_name: &OsStr) -> bool {
    let name = file_name.as_encoded_bytes();
    name.ends_with(b".rigy.yaml") || name.ends_with(b".rigy.yml")
}

/// The file name without the first suffix that fits: `.rigy.yaml`, `.rigy.yml`, `.yaml`, `.yml`.
pub fn document_stem(file_name: &OsStr) -> OsString {
    let bytes = file_name.as_encoded_bytes();
    let suffixes = [".rigy.yaml", ".rigy.yml", ".yaml", ".yml"];
    let fits = |suffix: &&&str| bytes.ends_with(suffix.as_bytes());
    match suffixes.iter().find(fits) {
        Some(suffix) => without_end(file_name, suffix.len()),
        None => file_name.to_owned(),
    }
}

/// A name without its last bytes, which are ASCII: what remains is as well-formed as the whole was.
fn without_end(name: &OsStr, len: usize) -> OsString {
    match name.to_str() {
        Some(text) => text[..text.len() - len].into(),
        None => cut(name, len),
    }
}

#[cfg(unix)]
fn cut(name: &OsStr, from_end: usize) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    OsStr::from_bytes(&bytes[..bytes.len() - from_end]).to_owned()
}

#[cfg(not(unix))]
fn cut(name: &OsStr, _from_end: usize) -> OsString {
    name.to_owned()
}

/// Endings of glTF files, in any case.
const GLTF: [&str; 2] = [".glb", ".gltf"];

/// Whether a directory's file of this name is to be baked: a glTF file, unless an earlier run has written it there
/// (`stem.baked.glb`, `stem.baked.0000.glb`).
pub fn is_gltf_input(file_name: &OsStr) -> bool {
    let stem = gltf_stem(file_name);
    let name = stem.as_encoded_bytes();
    let digits = name
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let number = if digits >= 4 { digits } else { 0 };
    let name = &name[..name.len() - number];
    let name = if number > 0 {
        name.strip_suffix(b".").unwrap_or(b"")
    } else {
        name
    };
    stem != file_name && !name.ends_with(b".baked")
}

/// The file name without its ending.
pub fn gltf_stem(file_name: &OsStr) -> OsString {
    let bytes = file_name.as_encoded_bytes();
    let ends = |ending: &&&str| {
        let start = bytes.len().checked_sub(ending.len());
        start.is_some_and(|start| bytes[start..].eq_ignore_ascii_case(ending.as_bytes()))
    };
    match GLTF.iter().find(ends) {
        Some(ending) => without_end(file_name, ending.len()),
        None => file_name.to_owned(),
    }
}

/// `stem.glb`, or beside the input `stem.baked.glb`; of a frame `stem.0000.glb` or `stem.baked.0000.glb`.
pub fn bake_file_name(stem: &OsStr, beside_input: bool, frame: Option<String>) -> OsString {
    let mut name = stem.to_owned();
    if beside_input {
        name.push(".baked");
    }
    if let Some(frame) = frame {
        name.push(".");
        name.push(frame);
    }
    name.push(".glb");
    name
}

/// `stem.glb` for the export.
pub fn export_file_name(stem: &OsStr) -> OsString {
    let mut name = stem.to_owned();
    name.push(".glb");
    name
}

/// `stem.<pose>.glb` or `stem.<pose>.positions.json`, with every character of the pose's id outside
/// `A–Z a–z 0–9 . _ -` percent-encoded as UTF-8; an empty id is written `%`.
pub fn pose_file_name(stem: &OsStr, pose_id: &str, format: OutputFormat) -> OsString {
    let mut name = stem.to_owned();
    name.push(".");
    name.push(encoded(pose_id));
    name.push(match format {
        OutputFormat::Glb => ".glb",
        OutputFormat::Positions => ".positions.json",
    });
    name
}

/// What kind of file an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputFormat {
    /// A binary glTF.
    Glb,
    /// The vertices of a baked pose as JSON.
    Positions,
}

fn encoded(pose_id: &str) -> String {
    if pose_id.is_empty() {
        return "%".into();
    }
    let mut text = String::with_capacity(pose_id.len());
    for byte in pose_id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-') {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_lose_the_first_suffix_that_fits() {
        for (name, stem) in [
            ("a.rigy.yaml", "a"),
            ("a.rigy.yml", "a"),
            ("a.yaml", "a"),
            ("a.b.yml", "a.b"),
            ("f.txt", "f.txt"),
            ("g.RIGY.YAML", "g.RIGY.YAML"),
            (".rigy.yaml", ""),
        ] {
            assert_eq!(document_stem(OsStr::new(name)), stem, "{name}");
        }
    }

    #[test]
    fn what_a_bake_has_written_is_not_found_again() {
        let is_input = |name: &str| is_gltf_input(OsStr::new(name));
        for name in [
            "a.glb",
            "a.gltf",
            "A.GLB",
            "a.0001.glb",
            "baked.glb",
            "a.baked.12.glb",
            "0001.glb",
        ] {
            assert!(is_input(name), "{name}");
        }
        for name in [
            "a.baked.glb",
            "a.baked.0001.glb",
            "a.baked.123456.glb",
            "a.bin",
            "glb",
        ] {
            assert!(!is_input(name), "{name}");
        }
        assert_eq!(gltf_stem(OsStr::new("a.b.GLB")), "a.b");
        let name = |beside, frame: Option<&str>| {
            bake_file_name(OsStr::new("a"), beside, frame.map(str::to_owned))
        };
        assert_eq!(name(false, None), "a.glb");
        assert_eq!(name(true, Some("0007")), "a.baked.0007.glb");
    }

    #[test]
    fn pose_ids_are_percent_encoded() {
        let stem = OsStr::new("a");
        let name = |pose| pose_file_name(stem, pose, OutputFormat::Glb);
        assert_eq!(export_file_name(stem), "a.glb");
        assert_eq!(name("run-1_b.c"), "a.run-1_b.c.glb");
        assert_eq!(name("é /%"), "a.%C3%A9%20%2F%25.glb");
        assert_eq!(name(""), "a.%.glb");
        let positions = pose_file_name(stem, "b", OutputFormat::Positions);
        assert_eq!(positions, "a.b.positions.json");
    }
}
