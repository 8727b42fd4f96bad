//! Places of inputs and outputs that are given as URLs: `file://` leads to this machine, and other URLs are refused.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use super::status::{Result, bail};
use crate::io::simplified;
use rigy_base::uri::percent_decoded;

/// Reads a path or a URL.
pub fn place() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| place_of(&path))
}

/// Returns the scheme and the rest of a URL; `None` for paths.
fn url(path: &Path) -> Option<(&str, &str)> {
    let (scheme, rest) = path.to_str()?.split_once("://")?;
    let is_scheme = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_scheme.then_some((scheme, rest))
}

/// Returns true if a text is a URL, so that it does not start from any directory.
pub fn is_url(text: &str) -> bool {
    url(Path::new(text)).is_some()
}

/// Returns the path of a path or a URL.
///
/// # Errors
/// If a URL is not on this machine.
pub fn place_of(path: &Path) -> Result<PathBuf, String> {
    match url(path) {
        None => Ok(simplified(path).to_owned()),
        Some(("file", rest)) => local(rest),
        Some((scheme, _)) => Err(refusal(scheme)),
    }
}

/// Returns the sentence that refuses a URL with a scheme other than `file`.
fn refusal(scheme: &str) -> String {
    format!(
        "`{scheme}://` is not on this machine: copy the files here and the outputs back, as the guide's page on clusters shows; \
         a directory of this name is `./{scheme}:`"
    )
}

/// Returns the path of a URL with the scheme `file`, which has no host or `localhost`.
fn local(rest: &str) -> Result<PathBuf, String> {
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return Err("a URL with `file` has three slashes before the path: file:///PATH".into());
    }
    let text = String::from_utf8(percent_decoded(rest))
        .map_err(|_| "the path in the URL is not UTF-8; write it without `file://`")?;
    // A drive of Windows follows the third slash.
    let text = if cfg!(windows) {
        text.trim_start_matches('/')
    } else {
        &text
    };
    Ok(PathBuf::from(text))
}

/// Refuses a URL after an option that takes a path on this machine.
///
/// # Errors
/// If it is one.
pub fn refuse_url(option: &str, path: Option<&Path>) -> Result<()> {
    match path.and_then(url) {
        Some(_) => bail!("`{option}` takes a path on this machine, and no URL"),
        None => Ok(()),
    }
}

/// Refuses URLs of object stores among the words of a command that takes paths alone.
///
/// # Errors
/// If there is one.
pub fn refuse_urls(words: &[OsString]) -> Result<()> {
    let mut stores = words
        .iter()
        .filter_map(|word| url(Path::new(word)))
        .filter(|(scheme, _)| matches!(*scheme, "s3" | "gs" | "az"));
    match stores.next() {
        Some((scheme, _)) => Err(refusal(scheme).into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_files_lead_to_this_machine() {
        let place = |text: &str| place_of(Path::new(text));
        #[cfg(unix)]
        for (text, path) in [
            ("file:///a%20b/c", "/a b/c"),
            ("file://localhost/a", "/a"),
            ("models", "models"),
            ("./s3:/x", "./s3:/x"),
        ] {
            assert_eq!(place(text), Ok(PathBuf::from(path)), "{text}");
        }
        for text in [
            "file://host/a",
            "ftp://host/a",
            "file:///%ff",
            "s3://bucket/in",
        ] {
            assert!(place(text).is_err(), "{text}");
        }
    }
}
