//! Names on the command line, such as pose ids, that at least one input must have.

use std::collections::BTreeSet;

use super::print_message;
use super::render::printable;
use crate::base::diag::nearest;

/// Most names of inputs that are kept for suggestions.
const MOST_NAMES: usize = 10_000;

/// Most names that a message lists.
const MOST_LISTED: usize = 10;

/// Returns the end of a message about a name that is not there: the one of `names` that is near, or else the first of them.
pub fn suggestion(wanted: &str, names: &[&str]) -> String {
    if let Some(near) = nearest(wanted, names.iter().copied()) {
        return format!("; did you mean `{}`?", printable(near));
    }
    let listed: Vec<String> = names
        .iter()
        .take(MOST_LISTED)
        .map(|name| format!("`{}`", printable(name)))
        .collect();
    match names.len() {
        0 => String::new(),
        1 => format!("; there is {}", listed[0]),
        2..=MOST_LISTED => format!("; there are {}", listed.join(", ")),
        count => format!("; of {count}, there are {}, …", listed.join(", ")),
    }
}

/// The names that the user has requested, and which of them the inputs have so far.
#[derive(Default)]
pub struct RequestedNames<'a> {
    names: &'a [String],
    /// The beginning of the message about a name that no input has.
    message: &'static str,
    /// Values of the option that are no names and stand alone.
    words: &'static [&'static str],
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

    /// Sets the values of the option that are no names and stand alone, for the message about them among names.
    pub fn with_words(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
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
        let missing = self.missing();
        missing.iter().for_each(|message| print_message(message));
        !missing.is_empty()
    }

    /// Returns a message about each requested name that no input has.
    pub fn missing(&self) -> Vec<String> {
        let missing = |name: &&String| !self.found.contains(*name);
        let missing: Vec<&String> = self.names.iter().filter(missing).collect();
        let message = |name: &&String| {
            let name = *name;
            let there = self.found.iter().chain(&self.others);
            let there: Vec<&str> = there.map(|name| &**name).collect();
            let end = match self.words.contains(&&**name) {
                true => format!("; `{name}` stands alone, without ids"),
                false => suggestion(name, &there),
            };
            let message = self.message;
            format!("{message} `{}`{end}", printable(name))
        };
        missing.iter().map(message).collect()
    }
}
