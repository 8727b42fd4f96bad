//! The page of `diff --html`: two files in the viewer, coloured by the distance between them.

use std::path::{Path, PathBuf};

use super::pairs::{Pair, Pairs, of_files};
use crate::cli::messages::{print_findings, print_message};
use crate::cli::named::check_ending;
use crate::cli::page::{PAGE_START, view_page};
use crate::cli::report::{begins_with, check_replaced};
use crate::cli::status::{Result, bail};
use crate::io::{Destination, Draft};
use rigy_base::paths::Slashed;
use rigy_view::scene_data::comparison_scene;

/// The destination of a page, which has been checked.
pub struct PageFile {
    /// The path as the user wrote it.
    path: PathBuf,
    /// The same path with links followed.
    file: PathBuf,
}

/// The word for such a page in messages.
const KIND: &str = "viewer page";

impl PageFile {
    /// Follows `path` to the destination. A page replaces only a page of the viewer or an empty file.
    ///
    /// # Errors
    /// If another file is there or the file there cannot be read; if the path does not lead to a file.
    pub fn check(path: &Path) -> Result<Self> {
        let Destination::File(file) = Destination::of(path)? else {
            let path = path.slashed();
            bail!("cannot write the {KIND} to `{path}`: name a file");
        };
        check_replaced(path, &file, KIND, |file| {
            begins_with(file, PAGE_START.as_bytes())
        })?;
        check_ending(path, KIND, &["html", "htm"])?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Writes a page and returns its path, as the user wrote it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, page: &str) -> Result<PathBuf> {
        Draft::beside(&self.file, false)?.finish(page.as_bytes())?;
        Ok(self.path)
    }

    /// Writes the page of the pair with the largest distance, and says which it is if there are several. Returns false, after
    /// a message, if no page can be made of it.
    ///
    /// # Errors
    /// If the page cannot be written.
    pub fn write_pair(self, pairs: &Pairs, results: &[Pair], quiet: bool) -> Result<bool> {
        let Some(index) = most_different(results) else {
            print_message(&"there is no page, because no pair has two files");
            return Ok(false);
        };
        let pair = &results[index];
        let name = |path: &Option<String>| path.clone().unwrap_or_default();
        let (name_a, name_b) = (name(&pair.a), name(&pair.b));
        let Some(page) = page(pairs, index, [&name_a, &name_b]) else {
            return Ok(false);
        };
        let path = self.write(&page)?;
        if results.len() > 1 && !quiet {
            let (path, count) = (path.slashed(), results.len());
            print_message(&format!(
                "`{path}` shows {name_a} → {name_b}, of {count} pairs the one with the largest distance"
            ));
        }
        Ok(true)
    }
}

/// Returns the page that shows two files, which are named as given.
///
/// # Errors
/// If one is not found, or is a directory. `None`, after messages, if no page can be made of them.
pub fn comparison_page(a: &Path, b: &Path) -> Result<Option<String>> {
    if let Some(path) = [a, b].into_iter().find(|path| path.is_dir()) {
        bail!(
            "`{}` is a directory; `view` shows two files, and `diff --html` the most different ones of two directories",
            path.slashed()
        );
    }
    let names = [a, b].map(Slashed::shown);
    let pairs = of_files(a, b)?;
    Ok(page(&pairs, 0, names.each_ref().map(|name| &**name)))
}

/// The page of a pair with two files; `None`, after messages, if there is none.
fn page(pairs: &Pairs, index: usize, [name_a, name_b]: [&str; 2]) -> Option<String> {
    let scene = pairs.with_files(index, |a, b| comparison_scene((a, name_a), (b, name_b)));
    match scene {
        Ok(Ok(scene)) => return Some(view_page(&scene)),
        Ok(Err(errors)) => print_findings(&errors),
        Err(message) => print_message(&format!("there is no page: {message}")),
    }
    None
}

/// Returns the index of the first pair with the largest distance of those with two files; pairs without comparable vertices
/// come after those with a distance, and equal ones last.
fn most_different(results: &[Pair]) -> Option<usize> {
    let has_both = |pair: &Pair| pair.a.is_some() && pair.b.is_some();
    let rank = |pair: &Pair| {
        let distance = pair.difference.max_distance.unwrap_or(0.0);
        (distance, !pair.difference.equal)
    };
    let mut most: Option<usize> = None;
    for (index, pair) in results.iter().enumerate() {
        let is_more = most.is_none_or(|most| rank(pair) > rank(&results[most]));
        if has_both(pair) && is_more {
            most = Some(index);
        }
    }
    most
}
