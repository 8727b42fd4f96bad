//! Percent escapes of URIs, and the URIs of files.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// What is not unreserved (RFC 3986 §2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Returns bytes as a part of a URI: those other than letters, digits and `-`, `.`, `_`, `~` of ASCII are written as `%` and two
/// digits (RFC 3986 §2.1 and §2.3).
///
/// ```
/// use rigy_base::uri::percent_encoded;
///
/// assert_eq!(percent_encoded(b"a b#1.html"), "a%20b%231.html");
/// ```
pub fn percent_encoded(bytes: &[u8]) -> String {
    percent_encode(bytes, ESCAPED).to_string()
}

/// Returns the bytes of a text with its percent escapes decoded. A `%` that begins no escape stays, as in other clients.
pub fn percent_decoded(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

/// Returns true if a URI has the scheme `data`: it contains what it stands for.
pub fn is_data(uri: &str) -> bool {
    let scheme = uri.get(..5);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Returns a path as a URI: relative as the path is, or with the scheme `file`. Names that are not UTF-8 keep their bytes.
///
/// ```
/// use rigy_base::uri::of_path;
///
/// assert_eq!(of_path("in/a b.glb".as_ref()), "in/a%20b.glb");
/// # #[cfg(unix)]
/// assert_eq!(of_path("/in/a.glb".as_ref()), "file:///in/a.glb");
/// ```
pub fn of_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let uri = bytes
        .split(|byte| *byte == b'/' || cfg!(windows) && *byte == b'\\')
        .map(percent_encoded)
        .collect::<Vec<String>>()
        .join("/");
    match path.is_absolute() {
        true if uri.starts_with('/') => format!("file://{uri}"),
        true => format!("file:///{uri}"),
        false => uri,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parts_of_uris() {
        assert_eq!(percent_encoded(b"a b#1.html"), "a%20b%231.html");
        assert_eq!(percent_encoded(b"../\xff\""), "..%2F%FF%22");
    }

    #[test]
    fn escapes_come_back_and_other_percent_signs_stay() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(percent_decoded(&percent_encoded(&all)), all);
        assert_eq!(percent_decoded("%2%zz%"), b"%2%zz%");
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(of_path(Path::new("a b/c#%.yaml")), "a%20b/c%23%25.yaml");
        assert_eq!(of_path(Path::new("../x:y")), "../x%3Ay");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = std::ffi::OsStr::from_bytes(b"/d/\xff.glb");
            assert_eq!(of_path(Path::new(name)), "file:///d/%FF.glb");
        }
    }
}
