//! Equal warnings of a run, which people see once: they have one code and one message, and differ in their places.

use std::collections::{BTreeSet, HashMap};

use crate::base::diag::{Code, Diagnostic};

/// Most groups of a run, because they are in memory until it ends. Warnings beyond these are shown one by one.
const MOST_GROUPS: usize = 1000;
/// Most files that a group names.
const MOST_FILES: usize = 3;

/// The warnings of a run.
#[derive(Debug, Default)]
pub struct WarningGroups {
    /// The groups in the order of their first warnings.
    groups: Vec<WarningGroup>,
    /// The number of the group of each code and message.
    numbers: HashMap<(Option<Code>, String), usize>,
}

/// Warnings that are equal but for their places.
#[derive(Debug)]
pub struct WarningGroup {
    pub first: Diagnostic,
    pub count: usize,
    /// The first files, each once.
    pub files: Vec<String>,
    /// True if there are more files.
    pub has_more_files: bool,
}

impl WarningGroups {
    /// Adds a warning about an input. Gives it back if there are too many groups.
    pub fn add(&mut self, warning: Diagnostic, input: &str) -> Option<Diagnostic> {
        let key = (warning.code, warning.message.clone());
        let is_full = self.groups.len() >= MOST_GROUPS;
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            None if is_full => return Some(warning),
            None => {
                self.numbers.insert(key, self.groups.len());
                self.groups.push(WarningGroup::new(warning.clone()));
                self.groups.len() - 1
            }
        };
        let place = warning.place.as_ref();
        self.groups[number].count(place.map_or(input, |place| &*place.file));
        None
    }

    /// Returns the codes of the warnings, each once.
    pub fn codes(&self) -> BTreeSet<Code> {
        let groups = self.groups.iter();
        groups.filter_map(|group| group.first.code).collect()
    }

    /// Returns the groups in the order of their first warnings.
    pub fn all(&self) -> &[WarningGroup] {
        &self.groups
    }
}

impl WarningGroup {
    fn new(first: Diagnostic) -> Self {
        Self {
            first,
            count: 0,
            files: Vec::new(),
            has_more_files: false,
        }
    }

    /// Counts a warning about a file.
    fn count(&mut self, file: &str) {
        self.count += 1;
        if self.files.iter().any(|known| known == file) {
            return;
        }
        if self.files.len() < MOST_FILES {
            self.files.push(file.to_owned());
        } else {
            self.has_more_files = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_equal_if_code_and_message_are() {
        let mut groups = WarningGroups::default();
        let of = |code, message: &str| Diagnostic::new(code, Default::default(), message);
        for input in ["a", "a", "b", "c", "d"] {
            assert_eq!(groups.add(of(Code::W07, "one"), input), None);
        }
        assert_eq!(groups.add(of(Code::W07, "two"), "a"), None);
        assert_eq!(groups.add(of(Code::W03, "one"), "a"), None);
        let [first, second, third] = &groups.groups[..] else {
            panic!("{groups:?}");
        };
        assert_eq!((first.count, second.count, third.count), (5, 1, 1));
        assert_eq!(first.files, ["a", "b", "c"]);
        assert!(first.has_more_files && !second.has_more_files);
        assert_eq!(Vec::from_iter(groups.codes()), [Code::W03, Code::W07]);
        for number in 3..MOST_GROUPS {
            assert_eq!(groups.add(of(Code::W07, &number.to_string()), "a"), None);
        }
        let more = of(Code::W07, "more");
        assert_eq!(groups.add(more.clone(), "a"), Some(more));
        assert_eq!(groups.add(of(Code::W07, "two"), "b"), None);
    }
}
