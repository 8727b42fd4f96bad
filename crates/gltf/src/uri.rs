//! Reading the resource of a URI of a buffer or image: data in the URI itself, or a file that the loader finds.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::cursor::Cursor;
use super::json::Value;
use super::meshopt::is_fallback;
use super::problem::{Problem, Result, quoted};
use rigy_base::loader::{Bytes, Loader, Location, git_lfs_pointer, is_absence};
use rigy_base::transient::is_transient;
use rigy_base::uri::{is_data, percent_decoded};

/// Most bytes of a file that a URI refers to, and of all such files of a glTF file together: no GLB could hold more.
pub const MAX_RESOURCE_LEN: u64 = u32::MAX as u64;

/// The files that a glTF file refers to. Each is read once, however many URIs lead to it.
pub struct Resources<'s> {
    /// The location of the glTF file, to which URIs are relative.
    location: &'s Location,
    pub(super) loader: &'s dyn Loader,
    known: RefCell<HashMap<Location, Bytes>>,
    /// True if the glTF file is a motion, which keeps its own animations.
    pub(super) is_of_motion: bool,
}

impl<'s> Resources<'s> {
    /// Returns the files that the file at `location` refers to. The loader finds them relative to it, and decides which may be read.
    pub fn new(location: &'s Location, loader: &'s dyn Loader) -> Self {
        Self {
            location,
            loader,
            known: RefCell::default(),
            is_of_motion: false,
        }
    }

    /// Returns the name of the glTF file for diagnostics.
    pub fn name(&self) -> String {
        self.loader.name(self.location)
    }

    /// Returns the length of the files of all buffers and images together, in bytes, without reading any; a file counts once for each
    /// way in which it is written.
    ///
    /// # Errors
    /// If they have more than [`MAX_RESOURCE_LEN`], or buffers that are files are to have more.
    pub(super) fn total_len(&self, root: &Cursor) -> Result<u64> {
        let mut uris = HashSet::new();
        let mut stated = 0_u64;
        let buffers = root.list("buffers")?;
        for buffer in buffers.items() {
            let uri = buffer.value.text("uri");
            if let Some(uri) = uri.filter(|uri| !is_data(uri) && is_fallback(&buffer) != Ok(true)) {
                uris.insert(uri);
                let len = buffer.value.get("byteLength").and_then(Value::as_u64);
                stated = stated.saturating_add(len.unwrap_or(0));
            }
        }
        let images = root
            .value
            .list("images")
            .iter()
            .filter_map(|image| image.get("uri")?.as_str());
        uris.extend(images.filter(|uri| !is_data(uri)));
        let lens = uris
            .into_iter()
            .filter_map(|uri| self.location_of(uri, "").ok())
            .map(|location| self.loader.len(&location));
        let total = lens.fold(0, u64::saturating_add);
        let most = stated.max(total);
        if most <= MAX_RESOURCE_LEN {
            return Ok(total);
        }
        let message = format!(
            "the files of all buffers and images come to {most} bytes; the limit is {MAX_RESOURCE_LEN} bytes together"
        );
        let help = "name each file in one buffer, or divide the model";
        Err(Problem::rule(&"buffers", message).help(help))
    }

    /// Returns the bytes that a URI refers to; `path` is the path of the URI in the JSON, for errors, such as `images[0].uri`.
    ///
    /// # Errors
    /// If the URI has a scheme other than `data:`, is absolute, is outside the loader's root, or cannot be read; if a
    /// `data:` URI is not valid base64.
    pub fn read(&self, uri: &str, path: &str) -> Result<Bytes> {
        self.found(uri, path)?.map_err(|unread| unread.problem)
    }

    /// Does the same as [`read`](Self::read), but returns `None` if there is no file where the URI leads.
    ///
    /// # Errors
    /// As [`read`](Self::read), if the file is there or is not looked for.
    pub fn read_if_there(&self, uri: &str, path: &str) -> Result<Option<Bytes>> {
        match self.found(uri, path)? {
            Ok(bytes) => Ok(Some(bytes)),
            Err(unread) if unread.is_absent => Ok(None),
            Err(unread) => Err(unread.problem),
        }
    }

    /// The bytes that a URI refers to, or the reason why the file there has not been read.
    ///
    /// # Errors
    /// If the URI leads to no file that may be read, or its data are not valid.
    fn found(&self, uri: &str, path: &str) -> Result<Result<Bytes, Unread>> {
        if is_data(uri) {
            return Ok(Ok(Bytes::new(inline(&uri["data:".len()..], path)?)));
        }
        let loader = self.loader;
        let location = self.location_of(uri, path)?;
        if let Some(bytes) = self.known.borrow().get(&location) {
            return Ok(Ok(bytes.clone()));
        }
        let name = || loader.name(&location);
        match loader.read(&location, MAX_RESOURCE_LEN) {
            Ok(bytes) => {
                if let Some(message) = git_lfs_pointer(bytes.as_ref()) {
                    return Err(Problem::structure(&path, format!("{}: {message}", name())));
                }
                self.known.borrow_mut().insert(location, bytes.clone());
                Ok(Ok(bytes))
            }
            Err(error) => {
                let message = format!("{} cannot be read: {error}", name());
                Ok(Err(Unread {
                    is_absent: is_absence(&error),
                    problem: Problem {
                        transient: is_transient(&error),
                        ..Problem::structure(&path, message)
                    },
                }))
            }
        }
    }

    /// The location of the file to which a URI leads.
    ///
    /// # Errors
    /// If it leads to no file that may be read.
    fn location_of(&self, uri: &str, path: &str) -> Result<Location> {
        let refused = |message: String| {
            Problem::structure(&path, message)
                .help("put the file beside this one and refer to it by a relative path, or write a `.glb`")
        };
        if let Some(scheme) = scheme(uri) {
            return Err(refused(format!(
                "{} has the scheme `{scheme}`; only relative paths and `data:` are read",
                quoted(uri)
            )));
        }
        let name = decoded(uri)
            .ok_or_else(|| refused(format!("{} is no path of UTF-8 text", quoted(uri))))?;
        if name.starts_with(['/', '\\']) {
            return Err(refused(format!("{} is not a relative path", quoted(uri))));
        }
        let last = name.rsplit(std::path::is_separator).next();
        if matches!(last, None | Some("" | "." | "..")) {
            return Err(refused(format!("{} names no file", quoted(uri))));
        }
        self.loader
            .resolve(self.location, &name)
            .map_err(|_| refused(format!("{} leads outside the root", quoted(uri))))
    }
}

/// A file to which a URI leads, and which has not been read.
struct Unread {
    /// True if it is not there.
    is_absent: bool,
    /// The reason.
    problem: Problem,
}

/// The scheme of an absolute URI (RFC 3986 §3.1); `None` if it is relative.
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let letter = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    (letter
        && scheme
            .chars()
            .all(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c)))
    .then_some(scheme)
}

/// A URI with its percent escapes, such as `%20`, decoded; `None` if the result is not UTF-8 or has a NUL.
fn decoded(uri: &str) -> Option<String> {
    let text = String::from_utf8(percent_decoded(uri)).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// Decodes a `data:` URI, which is given without that prefix.
fn inline(data: &str, path: &str) -> Result<Vec<u8>> {
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
    let mut bits = 0u32;
    let mut held = 0u32;
    let mut padding = 0u32;
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
    use rigy_base::loader::MemoryLoader;

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
            let read = Resources::new(&from, &loader).read(uri, "buffers[0].uri");
            read.map(|bytes| bytes.as_ref().to_vec())
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
