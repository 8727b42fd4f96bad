//! Names on the command line, such as pose ids, that at least one input must have.

use std::collections::BTreeSet;

use super::print_message;
use crate::base::diag::nearest;

/// Most names of inputs that are kept for suggestions.
const MOST_NAMES: usize = 10_000;

/// The names that the user has requested, and which of them the inputs have so far.
#[derive(Default)]
pub struct RequestedNames<'a> {
    names: &'a [String],
    /// The beginning of the message about a name that no input has.
    message: &'static str,
    found: BTreeSet<String>,
    /// Other names of the inputs, for suggestions.
    others: BTreeSet<String>,
}

impl<'a> RequestedNames<'a> {
    pub fn new(names: &'a [String], message: &'static str) -> Self {
        Self {
            names,
            message,
            ..Self::default()
        }
    }

    /// Takes in the names of one input.
    pub fn add_input(&mut self, names: Vec<String>) {
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

    /// Prints a message about each requested name that no input has. Returns true if there are any.
    pub fn print_missing(&self) -> bool {
        let missing = |name: &&String| !self.found.contains(*name);
        let missing: Vec<&String> = self.names.iter().filter(missing).collect();
        for name in &missing {
            let there = self.found.iter().chain(&self.others);
            let near = nearest(name, there.map(|name| &**name));
            let near = near.map(|near| format!("; did you mean `{near}`?"));
            let message = self.message;
            print_message(&format!("{message} `{name}`{}", near.unwrap_or_default()));
        }
        !missing.is_empty()
    }
}
