//! Reading the resource of a URI of a buffer or image: data in the URI itself, or a file that the loader finds.

use std::io;

use super::problem::{Problem, quoted};
use rigy_language::base::loader::{Bytes, Loader, Location, is_absence};
use rigy_language::base::transient::is_transient;
use rigy_language::base::uri::percent_decoded;

/// Longest file that a URI may refer to, in bytes: no GLB could hold more.
pub const MAX_RESOURCE_LEN: u64 = u32::MAX as u64;

/// Returns the bytes that a URI refers to. The loader finds files relative to the file at `from`, and decides which may
/// be read; `path` is the path of the URI in the JSON, for errors, such as `images[0].uri`.
///
/// # Errors
/// If the URI has a scheme other than `data:`, is absolute, is outside the loader's root, or cannot be read; if a
/// `data:` URI is not valid base64.
pub fn resource(
    uri: &str,
    path: &str,
    from: &Location,
    loader: &dyn Loader,
) -> Result<Bytes, Problem> {
    read(uri, path, from, loader)?.map_err(|unread| unread.problem)
}

/// Does the same as [`resource`], but returns `None` if there is no file where the URI leads.
///
/// # Errors
/// As [`resource`], if the file is there or is not looked for.
pub fn resource_if_there(
    uri: &str,
    path: &str,
    from: &Location,
    loader: &dyn Loader,
) -> Result<Option<Bytes>, Problem> {
    match read(uri, path, from, loader)? {
        Ok(bytes) => Ok(Some(bytes)),
        Err(unread) if unread.is_absent => Ok(None),
        Err(unread) => Err(unread.problem),
    }
}

/// A file to which a URI leads, and which has not been read.
struct Unread {
    /// True if it is not there.
    is_absent: bool,
    /// The reason.
    problem: Problem,
}

/// The bytes that a URI refers to, or the reason why the file there has not been read.
///
/// # Errors
/// If the URI leads to no file that may be read, or its data are not valid.
fn read(
    uri: &str,
    path: &str,
    from: &Location,
    loader: &dyn Loader,
) -> Result<Result<Bytes, Unread>, Problem> {
    if let Some(data) = strip_prefix_ignoring_case(uri, "data:") {
        return Ok(Ok(Bytes::new(inline(data, path)?)));
    }
    let refused = |message: String| {
        let problem = Problem::structure(&path, message);
        problem.help(
            "put the file beside this one and refer to it by a relative path, or write a `.glb`",
        )
    };
    if let Some(scheme) = scheme(uri) {
        return Err(refused(format!(
            "{} has the scheme `{scheme}`; only relative paths and `data:` are read",
            quoted(uri)
        )));
    }
    let name =
        decoded(uri).ok_or_else(|| refused(format!("{} is no path of UTF-8 text", quoted(uri))))?;
    if name.starts_with(['/', '\\']) {
        return Err(refused(format!("{} is not a relative path", quoted(uri))));
    }
    let last = name.rsplit(std::path::is_separator).next();
    if matches!(last, None | Some("" | "." | "..")) {
        return Err(refused(format!("{} names no file", quoted(uri))));
    }
    let outside = |_| refused(format!("{} leads outside the root", quoted(uri)));
    let location = loader.resolve(from, &name).map_err(outside)?;
    let unread = |error: io::Error| {
        let name = loader.name(&location);
        let problem = Problem::structure(&path, format!("{name} cannot be read: {error}"));
        let transient = is_transient(&error);
        Unread {
            is_absent: is_absence(&error),
            problem: Problem {
                transient,
                ..problem
            },
        }
    };
    Ok(loader.read(&location, MAX_RESOURCE_LEN).map_err(unread))
}

fn strip_prefix_ignoring_case<'u>(uri: &'u str, prefix: &str) -> Option<&'u str> {
    let (head, rest) = uri.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The scheme of an absolute URI (RFC 3986 §3.1); `None` if it is relative.
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let letter = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let rest = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    (letter && scheme.chars().all(rest)).then_some(scheme)
}

/// A URI with its percent escapes, such as `%20`, decoded; `None` if the result is not UTF-8 or has a NUL.
fn decoded(uri: &str) -> Option<String> {
    let text = String::from_utf8(percent_decoded(uri)).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// Decodes a `data:` URI, which is given without that prefix.
fn inline(data: &str, path: &str) -> Result<Vec<u8>, Problem> {
    let problem = |message: String| Problem::structure(&path, message);
    let Some((kind, text)) = data.split_once(',') else {
        return Err(problem(format!("the data URI {} has no `,`", quoted(data))));
    };
    if !kind.trim_end().to_ascii_lowercase().ends_with(";base64") {
        return Err(problem(format!(
            "a data URI of kind {} is not base64",
            quoted(kind)
        )));
    }
    decode_base64(text.as_bytes()).map_err(|(at, byte)| {
        let byte = char::from(byte);
        problem(format!(
            "{byte:?} is no base64, {at} bytes into the data of the URI"
        ))
    })
}

/// Decodes base64 text, padded or not; white space is ignored.
///
/// # Errors
/// The offset of the byte that is wrong, and the byte.
fn decode_base64(text: &[u8]) -> Result<Vec<u8>, (usize, u8)> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held, mut padding) = (0u32, 0u32, 0u32);
    let mut last = (0, b'=');
    for (at, &byte) in text.iter().enumerate() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if held > 0 && held + padding < 4 && held >= 2 => {
                padding += 1;
                continue;
            }
            _ if byte.is_ascii_whitespace() => continue,
            _ => return Err((at, byte)),
        };
        if padding > 0 {
            return Err((at, byte));
        }
        last = (at, byte);
        (bits, held) = (bits << 6 | u32::from(value), held + 1);
        if held == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, held) = (0, 0);
        }
    }
    match held {
        0 => {}
        2 => bytes.push((bits >> 4) as u8),
        3 => bytes.extend_from_slice(&(bits >> 2).to_be_bytes()[2..]),
        _ => return Err(last),
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_language::base::loader::MemoryLoader;

    #[test]
    fn base64_is_decoded_or_refused() {
        // RFC 4648 §10.
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYg", "foob"),
            (" Zm\n9v ", "foo"),
        ] {
            assert_eq!(decode_base64(text.as_bytes()), Ok(bytes.into()), "{text}");
        }
        for text in ["Z", "Zg===", "=", "Zg=g", "Z-==", "Zm9vZ", "Z===", "Zm9v="] {
            assert!(decode_base64(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn only_relative_paths_and_data_lead_anywhere() {
        let mut loader = MemoryLoader::default();
        loader.files.insert("models/a b.bin".into(), vec![1]);
        loader.files.insert("top.bin".into(), vec![2]);
        let from = Location("models/m.gltf".into());
        let read = |uri: &str| {
            resource(uri, "buffers[0].uri", &from, &loader).map(|bytes| bytes.as_ref().to_vec())
        };
        assert_eq!(read("a%20b.bin"), Ok(vec![1]));
        assert_eq!(read("../top.bin"), Ok(vec![2]));
        assert_eq!(
            read("DATA:application/octet-stream;base64,AwQ="),
            Ok(vec![3, 4])
        );
        for (uri, word) in [
            ("http://x/a.bin", "scheme `http`"),
            ("file:///etc/passwd", "scheme `file`"),
            ("C:/a.bin", "scheme `C`"),
            ("/etc/passwd", "not a relative path"),
            ("%2Fetc/passwd", "not a relative path"),
            ("//host/a.bin", "not a relative path"),
            ("", "names no file"),
            (".", "names no file"),
            ("..", "names no file"),
            ("top.bin/", "names no file"),
            ("../top.bin/.", "names no file"),
            ("a%20b.bin/..", "names no file"),
            ("%2e", "names no file"),
            ("../../a.bin", "outside the root"),
            ("..%2f..%2fa.bin", "outside the root"),
            ("a%00.bin", "UTF-8"),
            ("a%ff.bin", "UTF-8"),
            ("none.bin", "cannot be read"),
            ("data:text/plain,hello", "not base64"),
            ("data:hello", "no `,`"),
            ("data:;base64,A*", "no base64"),
        ] {
            let error = read(uri).unwrap_err();
            assert!(error.message.contains(word), "{uri}: {}", error.message);
            assert_eq!(error.path, "buffers[0].uri");
        }
    }
}
