//! The text of a document.

use super::unit;
use rigy_base::diag::Diagnosed;
use rigy_base::loader::{Location, git_lfs_pointer};

/// The text of a document, with its name and its location.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// Its name in diagnostics.
    pub name: &'a str,
    /// Its location, from which the loader resolves its references.
    pub location: Location,
    /// Its text; a byte order mark at the beginning is ignored.
    pub text: &'a str,
}

impl<'a> Input<'a> {
    /// Makes a document of its bytes.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn decoded(name: &'a str, location: Location, bytes: &'a [u8]) -> Diagnosed<Self> {
        let text = decode(name, bytes)?;
        Ok(Self {
            name,
            location,
            text,
        })
    }

    /// Returns a document whose name is also its location.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            location: Location(name.into()),
            text,
        }
    }
}

/// Returns the text of a document's bytes.
///
/// # Errors
/// A ParseError (U10) that gives the offset of the first byte that is not UTF-8.
pub fn decode<'b>(name: &str, bytes: &'b [u8]) -> Diagnosed<&'b str> {
    if let Some(message) = git_lfs_pointer(bytes) {
        return Err(vec![unit::about_file(name, message.to_owned())]);
    }
    std::str::from_utf8(bytes).map_err(|error| {
        vec![unit::about_file(
            name,
            format!("byte {} is not UTF-8 text", error.valid_up_to()),
        )]
    })
}
