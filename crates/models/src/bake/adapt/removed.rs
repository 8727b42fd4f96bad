//! What was removed, in words.

use std::collections::BTreeMap;
use std::fmt;

use rigy_base::diag::{Code, Diagnostic};
use rigy_gltf::{Problem, quoted};

/// Most names in a list.
const MOST_NAMED: usize = 5;

/// The entries that were removed from each extension, in words.
#[derive(Default)]
pub struct Removed {
    of_extensions: BTreeMap<&'static str, Vec<String>>,
}

impl Removed {
    /// Adds what was removed from an extension.
    pub fn add(&mut self, extension: &'static str, what: String) {
        self.of_extensions.entry(extension).or_default().push(what);
    }

    /// Adds the named entries that were removed from an extension, after a word for them; nothing if there are none.
    pub fn add_named(&mut self, extension: &'static str, what: &str, names: &Names) {
        if names.count > 0 {
            self.add(extension, format!("{what} {names}"));
        }
    }

    /// Returns a warning for each extension.
    pub fn into_warnings(self, file: &str) -> Vec<Diagnostic> {
        let warning = |(extension, parts): (&str, Vec<String>)| {
            let message = format!("removed from `{extension}`: {}", parts.join("; "));
            let problem = Problem::rule(&"extensions", message).code(Code::W15);
            let help = "`--keep-extensions` leaves extensions as they are";
            problem.help(help).into_diagnostic(file)
        };
        self.of_extensions.into_iter().map(warning).collect()
    }
}

/// Names of entries, the first [`MOST_NAMED`] of which are shown.
#[derive(Default)]
pub struct Names {
    shown: Vec<String>,
    /// The number of all of them.
    pub count: usize,
}

impl Names {
    /// Adds the name of an entry, as the file has it.
    pub fn add(&mut self, name: &str) {
        if self.count < MOST_NAMED {
            self.shown.push(quoted(name));
        }
        self.count += 1;
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.shown.join(", "))?;
        match self.count - self.shown.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
