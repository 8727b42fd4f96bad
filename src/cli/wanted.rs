//! Names that a command line asks for, such as poses.

use std::collections::BTreeSet;

use super::complain_of;
use crate::base::diag::nearest;

/// Most names that are remembered as what may have been meant.
const MOST_NAMES: usize = 10_000;

/// Names that inputs are asked for.
#[derive(Default)]
pub struct Wanted<'a> {
    /// The names.
    pub names: &'a [String],
    /// How the complaint about one begins that no input has.
    pub complaint: &'static str,
    found: BTreeSet<String>,
    /// Others that are there, and may have been meant.
    others: BTreeSet<String>,
}

impl<'a> Wanted<'a> {
    pub fn new(names: &'a [String], complaint: &'static str) -> Self {
        Self {
            names,
            complaint,
            ..Self::default()
        }
    }

    /// These are in some input.
    pub fn see(&mut self, names: Vec<String>) {
        if self.names.is_empty() {
            return;
        }
        for name in names {
            if self.names.contains(&name) {
                self.found.insert(name);
            } else if self.others.len() < MOST_NAMES {
                self.others.insert(name);
            }
        }
    }

    /// Complains of those that are nowhere; whether there are any.
    pub fn complain(&self) -> bool {
        let missing = |name: &&String| !self.found.contains(*name);
        let missing: Vec<&String> = self.names.iter().filter(missing).collect();
        for name in &missing {
            let there = self.found.iter().chain(&self.others);
            let near = nearest(name, there.map(|name| &**name));
            let near = near.map(|near| format!("; did you mean `{near}`?"));
            let complaint = self.complaint;
            complain_of(&format!("{complaint} `{name}`{}", near.unwrap_or_default()));
        }
        !missing.is_empty()
    }
}
