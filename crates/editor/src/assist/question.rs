//! What is asked about, and the places that answers name.

use std::ops::Range;

use rigy_base::loader::{Loader, Location};

use super::project::RecentTexts;

/// A text and the location of its file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The location of the file. Its name decides the kind of a text that does not show it.
    pub location: &'a Location,
    /// The text in the editor.
    pub text: &'a str,
}

/// The other files.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// Reads files; open ones as they are in the editor.
    pub loader: &'a dyn Loader,
    /// The locations of the files in which references to an element of another file are looked for: open ones, or those of a
    /// directory. Only the ones whose text contains the name of a file of the question are parsed.
    pub searched: &'a [Location],
    /// Lists the files that a path may name, for proposals; `None` if there is no directory of them.
    pub listed: Option<&'a dyn Fn() -> Vec<Location>>,
    /// The texts of the last question; `None` if every question reads its texts.
    pub recent: Option<&'a RecentTexts>,
}

/// A range of bytes in a file.
#[derive(Debug, PartialEq, Eq)]
pub struct TextRange {
    /// The file.
    pub location: Location,
    /// The bytes.
    pub range: Range<usize>,
}
