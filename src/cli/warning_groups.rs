//! Equal warnings of a run, which people see once: they have one code and one message, and differ in their places.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::diag::{Code, Diagnostic};
use crate::base::maps::HashMap;

/// Most groups of a run that people see. They are in memory until the run ends.
const MOST_GROUPS: usize = 100;
/// Most files that a group names.
const MOST_FILES: usize = 3;

/// The warnings of a run.
#[derive(Debug, Default)]
pub struct WarningGroups {
    /// The groups in the order of their first warnings.
    pub all: Vec<WarningGroup>,
    /// The number of the group of each message, by code.
    numbers: HashMap<Option<Code>, HashMap<String, usize>>,
    /// How many warnings are in none of the groups, by code.
    pub others: BTreeMap<Option<Code>, usize>,
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
    /// Adds a warning about an input.
    pub fn add(&mut self, warning: Diagnostic, input: &str) {
        let code = warning.code;
        let of_code = self.numbers.entry(code).or_default();
        let number = match of_code.get(&warning.message) {
            Some(number) => *number,
            None if self.all.len() >= MOST_GROUPS => {
                *self.others.entry(code).or_default() += 1;
                return;
            }
            None => {
                of_code.insert(warning.message.clone(), self.all.len());
                self.all.push(WarningGroup::new(warning.clone()));
                self.all.len() - 1
            }
        };
        let group = &mut self.all[number];
        // Help that differs is about its file alone, such as a list of what that file has.
        if group.first.help != warning.help {
            group.first.help = None;
        }
        let place = warning.place.as_ref();
        group.count(place.map_or(input, |place| &*place.file));
    }

    /// Returns the codes of the warnings, each once.
    pub fn codes(&self) -> BTreeSet<Code> {
        self.all
            .iter()
            .map(|group| group.first.code)
            .chain(self.others.keys().copied())
            .flatten()
            .collect()
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
            groups.add(of(Code::W07, "one"), input);
        }
        groups.add(of(Code::W07, "two"), "a");
        groups.add(of(Code::W03, "one"), "a");
        let [first, second, third] = &groups.all[..] else {
            panic!("{groups:?}");
        };
        assert_eq!((first.count, second.count, third.count), (5, 1, 1));
        assert_eq!(first.files, ["a", "b", "c"]);
        assert!(first.has_more_files && !second.has_more_files);
        assert_eq!(Vec::from_iter(groups.codes()), [Code::W03, Code::W07]);
    }

    #[test]
    fn help_about_one_file_is_not_that_of_a_group() {
        let of = |help: &str| Diagnostic::new(Code::W13, Default::default(), "one").help(help);
        for (second, expected) in [("same", Some("same")), ("other", None)] {
            let mut groups = WarningGroups::default();
            groups.add(of("same"), "a");
            groups.add(of(second), "b");
            assert_eq!(groups.all[0].first.help.as_deref(), expected);
        }
    }

    #[test]
    fn warnings_beyond_the_last_group_are_counted_by_code() {
        let mut groups = WarningGroups::default();
        let of = |code, message: &str| Diagnostic::new(code, Default::default(), message);
        for number in 0..MOST_GROUPS {
            groups.add(of(Code::W07, &number.to_string()), "a");
        }
        assert!(groups.others.is_empty());
        for message in ["more", "more", "others"] {
            groups.add(of(Code::W07, message), "a");
        }
        groups.add(of(Code::W03, "0"), "b");
        groups.add(of(Code::W07, "0"), "b");
        let others = Vec::from_iter(groups.others.clone());
        assert_eq!(others, [(Some(Code::W03), 1), (Some(Code::W07), 3)]);
        assert_eq!((groups.all.len(), groups.all[0].count), (MOST_GROUPS, 2));
        assert_eq!(Vec::from_iter(groups.codes()), [Code::W03, Code::W07]);
    }
}
