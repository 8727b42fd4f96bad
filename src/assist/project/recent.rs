//! The texts of the last question, which the next question need not read again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::{LoadedFile, ReadText};
use crate::base::loader::Location;

/// Most bytes of the texts that are kept. Sketches and names take about fifty times as much memory.
const MOST_KEPT: usize = 4 << 20;

/// The texts that the last question has read, with their sketches and names. A text that has changed is read again.
#[derive(Default)]
pub struct RecentTexts(RefCell<HashMap<Location, Rc<ReadText>>>);

impl RecentTexts {
    /// Returns a text that the last question has read at this location, if it is still the same.
    pub(super) fn get(&self, location: &Location, text: &str) -> Option<Rc<ReadText>> {
        let kept = self.0.borrow();
        let read = kept.get(location).filter(|read| read.text == text);
        read.cloned()
    }

    /// Keeps the texts of a question, from the first on, in the place of those before.
    pub(super) fn keep(&self, files: &[LoadedFile]) {
        let mut left = MOST_KEPT;
        let fits = |file: &&LoadedFile| {
            let rest = left.checked_sub(file.read.text.len());
            rest.map(|rest| left = rest).is_some()
        };
        let files = files.iter().filter(fits);
        let kept = files.map(|file| (file.location.clone(), file.read.clone()));
        self.0.replace(kept.collect());
    }
}
