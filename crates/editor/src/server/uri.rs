//! Paths of the files that URIs name.

use std::path::PathBuf;

use rigy_base::uri::percent_decoded;

/// Returns the path of a `file:` URI; `None` for another scheme, another machine, and a text that is
/// no path.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (host, path) = rest.split_at(rest.find('/')?);
    let is_local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    if !scheme.eq_ignore_ascii_case("file") || !is_local {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    path_of_bytes(percent_decoded(path)).filter(|path| path.is_absolute())
}

#[cfg(unix)]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    let has_nul = bytes.contains(&0);
    (!has_nul).then(|| std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(bytes).ok()?;
    // The slash before the letter of a drive is no part of the path.
    let path = text
        .strip_prefix('/')
        .filter(|rest| rest.contains(':'))
        .unwrap_or(&text);
    (!path.contains('\0')).then(|| path.replace('/', "\\").into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;
    use rigy_base::uri::of_path;

    #[test]
    fn only_files_of_this_machine_have_paths() {
        for (uri, path) in [
            ("file:///a/b.rigy.yaml", Some("/a/b.rigy.yaml")),
            ("FILE://localhost/a", Some("/a")),
            ("file:/a", Some("/a")),
            ("file:///a%20b/%C3%9F%2", Some("/a b/\u{df}%2")),
            ("file:///c%3A/x", Some("/c:/x")),
            ("file:///a?b#c", Some("/a")),
            ("file://elsewhere/a", None),
            ("file:a", None),
            ("file:///a%00b", None),
            ("untitled:Untitled-1", None),
            ("untitled:/a", None),
            ("", None),
        ] {
            assert_eq!(path_of(uri), path.map(PathBuf::from), "{uri}");
        }
    }

    #[test]
    fn paths_come_back_from_their_uris() {
        use std::os::unix::ffi::OsStrExt;
        for bytes in [
            &b"/a b/#?%41.yaml"[..],
            b"/\xff\xfe",
            "/\u{1f980}".as_bytes(),
        ] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            let uri = of_path(path);
            assert!(uri.is_ascii(), "{uri}");
            assert_eq!(path_of(&uri).as_deref(), Some(path), "{uri}");
        }
    }
}
