//! Names of output files.

use std::ffi::{OsStr, OsString};

use super::content::OutputFormat;
use crate::compile::DOCUMENTS;
use rigy_base::uri::percent_encoded;

/// Returns the file name without the first of these suffixes that it ends with: `.rigy.yaml`, `.rigy.yml`, `.rigs.yaml`,
/// `.rigs.yml`, `.yaml`, `.yml`.
pub fn document_stem(file_name: &OsStr) -> OsString {
    let bytes = file_name.as_encoded_bytes();
    let mut suffixes = DOCUMENTS.iter().chain(&[".yaml", ".yml"]);
    let fits = |suffix: &&&str| bytes.ends_with(suffix.as_bytes());
    match suffixes.find(fits) {
        Some(suffix) => without_end(file_name, suffix.len()),
        None => file_name.to_owned(),
    }
}

/// Returns a name without its last `len` bytes, which are ASCII, so that the rest stays well-formed.
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

/// The suffixes of glTF files, which are recognised in upper and lower case. A VRM is a GLB with data about an avatar.
const GLTF: [&str; 3] = [".glb", ".gltf", ".vrm"];

/// Returns true if a file of this name that is found in a directory is to be baked: a glTF file, unless it has the name of
/// an output beside its input (`stem.baked.glb`, `stem.baked.0000.glb`, `stem.baked.Run.glb`).
pub fn is_gltf_input(file_name: &OsStr) -> bool {
    let stem = gltf_stem(file_name);
    let name = stem.as_encoded_bytes();
    let is_output = name.ends_with(b".baked") || name.windows(7).any(|part| part == b".baked.");
    stem != file_name && !is_output
}

/// Returns the file name without the suffix `.glb`, `.gltf` or `.vrm`.
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

/// Returns the name of a baked file: `stem.glb`. The label of an animation and the number of a frame come before the ending:
/// `stem.Run.0000.glb`.
pub fn bake_file_name(
    stem: &OsStr,
    clip: Option<&str>,
    frame: Option<&str>,
    ending: &str,
) -> OsString {
    let mut name = stem.to_owned();
    for part in [clip, frame, Some(ending)].into_iter().flatten() {
        name.push(".");
        name.push(part);
    }
    name
}

/// Returns the name of a file of a pose: `stem.<pose>.glb` or `stem.<pose>.positions.json`. Every character of the pose's id
/// outside `A–Z a–z 0–9 . _ -` is percent-encoded as UTF-8; an empty id is written `%`.
pub fn pose_file_name(stem: &OsStr, pose_id: &str, format: OutputFormat) -> OsString {
    let mut name = stem.to_owned();
    name.push(".");
    name.push(encoded(pose_id));
    name.push(format.suffix());
    name
}

/// Returns the id of a pose, or the name of an animation, as file names have it.
pub fn encoded(pose_id: &str) -> String {
    if pose_id.is_empty() {
        return "%".into();
    }
    // File names have no `~`, which URIs permit.
    percent_encoded(pose_id.as_bytes()).replace('~', "%7E")
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
    fn outputs_of_a_bake_are_not_inputs() {
        let is_input = |name: &str| is_gltf_input(OsStr::new(name));
        for name in [
            "a.glb",
            "a.gltf",
            "a.vrm",
            "A.GLB",
            "A.Vrm",
            "a.0001.glb",
            "baked.glb",
            "0001.glb",
        ] {
            assert!(is_input(name), "{name}");
        }
        for name in [
            "a.baked.glb",
            "a.baked.0001.glb",
            "a.baked.123456.glb",
            "a.baked.12.glb",
            "a.baked.Run.glb",
            "a.baked.Run.0001.glb",
            "a.baked.vrm",
            "a.bin",
            "glb",
            "vrm",
        ] {
            assert!(!is_input(name), "{name}");
        }
        assert_eq!(gltf_stem(OsStr::new("a.b.GLB")), "a.b");
        assert_eq!(gltf_stem(OsStr::new("a.b.vrm")), "a.b");
        let name = |clip, frame| bake_file_name(OsStr::new("a"), clip, frame, "glb");
        assert_eq!(name(None, None), "a.glb");
        assert_eq!(name(Some("Run"), Some("0007")), "a.Run.0007.glb");
    }

    #[test]
    fn pose_ids_are_percent_encoded() {
        let stem = OsStr::new("a");
        let name = |pose| pose_file_name(stem, pose, OutputFormat::Glb);
        assert_eq!(name("run-1_b.c"), "a.run-1_b.c.glb");
        assert_eq!(name("é /%"), "a.%C3%A9%20%2F%25.glb");
        assert_eq!(name(""), "a.%.glb");
        let positions = pose_file_name(stem, "b", OutputFormat::Positions);
        assert_eq!(positions, "a.b.positions.json");
    }
}
