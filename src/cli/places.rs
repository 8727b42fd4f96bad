//! Places of inputs and outputs that are given as URLs: `file://` leads to this machine, other schemes to object stores.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use super::Fatal;
use super::batch_args::Batch;
use crate::base::uri::percent_decoded;

/// The schemes of object stores.
const STORES: [&str; 3] = ["s3", "gs", "az"];

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

fn place_of(path: &Path) -> Result<PathBuf, String> {
    match url(path) {
        None => Ok(path.to_owned()),
        Some(("file", rest)) => local(rest),
        Some((scheme, rest)) if STORES.contains(&scheme) => on_store(scheme, rest),
        Some((scheme, _)) => Err(format!(
            "there is no kind of store `{scheme}`; there are {}, and file://; a directory of this name is `./{scheme}:`",
            STORES.map(|name| format!("{name}://")).join(", ")
        )),
    }
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
    let text = match cfg!(windows) {
        true => text.trim_start_matches('/'),
        false => &text,
    };
    Ok(PathBuf::from(text))
}

#[cfg(feature = "object-store")]
fn on_store(scheme: &str, rest: &str) -> Result<PathBuf, String> {
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    match parts.iter().find(|part| matches!(**part, "." | "..")) {
        Some(part) => Err(format!("`{part}` has no meaning in the URL of a store")),
        None if rest.starts_with('/') || parts.is_empty() => Err(format!(
            "the name of the bucket is missing: {scheme}://BUCKET/PREFIX"
        )),
        None => Ok(PathBuf::from(format!("{scheme}://{}", parts.join("/")))),
    }
}

#[cfg(not(feature = "object-store"))]
fn on_store(scheme: &str, _: &str) -> Result<PathBuf, String> {
    Err(format!(
        "`{scheme}://` needs the feature `object-store`, which this program was built without; install it with `cargo install \
         --path . --features object-store` in the sources"
    ))
}

/// Refuses a URL after an option that takes a path on this machine.
///
/// # Errors
/// If it is one.
pub fn refuse_url(option: &str, path: Option<&Path>) -> Result<(), Fatal> {
    match path.and_then(url) {
        Some(_) => Err(format!("`{option}` takes a path on this machine, and no URL").into()),
        None => Ok(()),
    }
}

/// Refuses URLs of stores among the words of a command that takes paths alone.
///
/// # Errors
/// If there is one.
pub fn refuse_urls(words: &[OsString]) -> Result<(), Fatal> {
    let is_url =
        |word: &&OsString| url(Path::new(word)).is_some_and(|(scheme, _)| STORES.contains(&scheme));
    match words.iter().find(is_url) {
        Some(word) => Err(format!(
            "this command takes paths on this machine, and no URL such as `{}`",
            word.display()
        )
        .into()),
        None => Ok(()),
    }
}

/// The stores of a run. They are closed when this is dropped.
pub struct Stores;

impl Stores {
    /// Opens the stores that a run reads from or writes to.
    ///
    /// # Errors
    /// If a store cannot be opened, or an option does not go with stores.
    pub fn open(args: &Batch, paths: &[PathBuf]) -> Result<Self, Fatal> {
        refuse_url("--report", args.report.as_deref())?;
        refuse_url("--html", args.html())?;
        let places = paths.iter().chain(&args.output).chain(&args.root);
        let places: Vec<&PathBuf> = places.filter(|path| url(path).is_some()).collect();
        let Some(first) = places.first() else {
            return Ok(Self);
        };
        let refused = [
            (args.watch, "--watch", "stores do not tell of changes"),
            (
                args.prune,
                "--prune",
                "there are no notes about outputs on stores",
            ),
            (
                args.html().is_some(),
                "--html",
                "its links are for files on this machine",
            ),
        ];
        if let Some((_, option, reason)) = refused.iter().find(|(is_given, ..)| *is_given) {
            let first = first.display();
            return Err(format!("`{option}` does not go with `{first}`: {reason}").into());
        }
        // Dropped if a store cannot be opened.
        let stores = Self;
        #[cfg(feature = "object-store")]
        for place in places {
            // A list of the inputs stands for the listing.
            match args.inputs_from.is_some() && paths.contains(place) {
                true => crate::io::store::open_unlisted(place)?,
                false => crate::io::store::open(place)?,
            }
            crate::io::store::check(place)?;
        }
        Ok(stores)
    }
}

impl Drop for Stores {
    fn drop(&mut self) {
        #[cfg(feature = "object-store")]
        crate::io::store::close();
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
        for text in ["file://host/a", "ftp://host/a", "file:///%ff"] {
            assert!(place(text).is_err(), "{text}");
        }
    }

    #[test]
    #[cfg(not(feature = "object-store"))]
    fn a_program_without_the_feature_names_it() {
        let error = place_of(Path::new("s3://bucket/in")).unwrap_err();
        assert!(error.contains("--features object-store"), "{error}");
    }

    #[test]
    #[cfg(feature = "object-store")]
    fn urls_of_stores_have_a_bucket_and_plain_parts() {
        let place = |text: &str| place_of(Path::new(text));
        assert_eq!(place("s3://b/in//x/"), Ok(PathBuf::from("s3://b/in/x")));
        for text in ["s3://", "s3:///", "gs://b/../c"] {
            assert!(place(text).is_err(), "{text}");
        }
    }
}
