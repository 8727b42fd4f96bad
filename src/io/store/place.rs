//! URLs of objects: `scheme://bucket/key`.

use std::path::{Path, PathBuf};

/// A URL in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The scheme and the bucket, such as `s3://bucket`.
    pub base: String,
    /// What follows, without `.`, `..` and empty parts; `None` if it leads out of the bucket.
    pub key: Option<String>,
}

impl Place {
    /// Takes a path apart whose text is a URL; `None` for another path. One slash after the scheme is enough, because
    /// putting a path together from its components leaves no more.
    pub fn of(path: &Path) -> Option<Self> {
        let bytes = path.as_os_str().as_encoded_bytes();
        let colon = bytes
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric())?;
        // A drive of Windows is a single letter.
        if colon < 2 || !bytes[colon..].starts_with(b":/") {
            return None;
        }
        let text = path.to_str()?;
        let (scheme, rest) = (&text[..colon], text[colon + 1..].trim_start_matches('/'));
        let (bucket, rest) = rest.split_once(is_separator).unwrap_or((rest, ""));
        let base = format!("{scheme}://{bucket}");
        let key = key_of(rest);
        Some(Self { base, key })
    }
}

/// Returns the path of an object, whose text is its URL.
pub(super) fn path_of(base: &str, key: &str) -> PathBuf {
    match key {
        "" => PathBuf::from(base),
        key => PathBuf::from(format!("{base}/{key}")),
    }
}

/// Returns true if a key is `prefix`, or lies below it as a file lies below a directory.
pub(super) fn is_below(key: &str, prefix: &str) -> bool {
    let rest = key.strip_prefix(prefix);
    rest.is_some_and(|rest| prefix.is_empty() || rest.is_empty() || rest.starts_with('/'))
}

fn is_separator(c: char) -> bool {
    c == '/' || cfg!(windows) && c == '\\'
}

fn key_of(rest: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in rest.split(is_separator) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart_and_other_paths_are_not() {
        for (text, base, key) in [
            ("s3://b/in/a.yaml", "s3://b", Some("in/a.yaml")),
            ("s3:/b/in/a.yaml", "s3://b", Some("in/a.yaml")),
            ("s3://b", "s3://b", Some("")),
            ("gs://b//x/./y/../z/", "gs://b", Some("x/z")),
            ("s3://b/in/../../x", "s3://b", None),
        ] {
            let place = Place::of(Path::new(text)).unwrap();
            assert_eq!((&*place.base, place.key.as_deref()), (base, key), "{text}");
        }
        for text in [
            "", "s3", "s3:", "C:/x", "a/s3://b", "./s3://b", "/s3://b", "s3:b/c",
        ] {
            assert_eq!(Place::of(Path::new(text)), None, "{text}");
        }
    }

    #[test]
    fn a_prefix_ends_where_a_name_does() {
        assert!(is_below("in/a", "in") && is_below("in", "in") && is_below("in", ""));
        assert!(!is_below("inner/a", "in") && !is_below("in", "in/a"));
    }
}
