//! Words of the command line: names such as pose ids that at least one input must have, and options and commands that are
//! misspelt.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;

use super::args::Args;
use super::messages::print_message;
use super::render::printable;
use rigy_base::diag::nearest;

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
        self.names
            .iter()
            .filter(|name| !self.found.contains(*name))
            .map(|name| {
                let there = self.found.iter().chain(&self.others);
                let there: Vec<&str> = there.map(|name| &**name).collect();
                let end = if self.words.contains(&&**name) {
                    format!("; `{name}` stands alone, without ids")
                } else {
                    suggestion(name, &there)
                };
                let message = self.message;
                format!("{message} `{}`{end}", printable(name))
            })
            .collect()
    }
}

/// Fewest characters after the hyphen: shorter arguments are short options.
const FEWEST: usize = 4;

/// Returns the message about the first argument that is a long option with one hyphen, such as `-ouput`. It would be read
/// as short options with a value: `-o uput`.
pub fn one_hyphen(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let names = LazyCell::new(long_names);
    arguments.take_while(|argument| argument != "--")
        .filter_map(|argument| argument.into_string().ok())
        .find_map(|argument| {
            let word = hyphenated_word(&argument)?;
            let meant = long_name(word, &names)?;
            Some(format!(
                "there is no option `{argument}`; did you mean `--{meant}`? Long options begin with two hyphens"
            ))
        })
}

/// Returns the word after the hyphen of an argument that may be a long option with one hyphen.
fn hyphenated_word(argument: &str) -> Option<&str> {
    let word = argument.strip_prefix('-')?;
    let word = word.split_once('=').map_or(word, |(word, _)| word);
    let is_word = word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    (!word.starts_with('-') && word.len() >= FEWEST && is_word).then_some(word)
}

/// Returns the long option that such a word stands for, if it is like one. `-ooutput` is `-o output`, since `output` is more
/// like an option than `ooutput`.
fn long_name<'a>(word: &str, names: &'a [String]) -> Option<&'a str> {
    let most = if word.len() < 6 { 1 } else { 2 };
    let distance = |name: &&String| strsim::damerau_levenshtein(word, name);
    let nearest = names.iter().min_by_key(distance)?;
    let of_value = strsim::damerau_levenshtein(&word[1..], nearest);
    let found = distance(&nearest);
    (found <= most && found < of_value).then_some(nearest)
}

/// Returns the names of the long options of all commands.
fn long_names() -> Vec<String> {
    let program = Args::command();
    let commands = std::iter::once(&program).chain(program.get_subcommands());
    commands
        .flat_map(clap::Command::get_arguments)
        .filter_map(clap::Arg::get_long)
        .map(str::to_owned)
        .collect()
}

/// Returns the command whose name is like that of a path that does not exist.
pub fn command_like(path: &Path) -> Option<String> {
    let word = path.to_str()?;
    let program = Args::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    let distance = |name: &&str| strsim::damerau_levenshtein(word, name);
    let nearest = names.min_by_key(distance)?;
    let most = if nearest.len() < 5 { 1 } else { 2 };
    // `baek` is two changes from `bake`, or one exchange of letters.
    (distance(&nearest) <= most).then(|| nearest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_options_with_one_hyphen_are_told_from_short_ones_with_a_value() {
        let names = long_names();
        for (argument, meant) in [
            ("-ouput", Some("output")),
            ("-output", Some("output")),
            ("-format=json", Some("format")),
            ("-animaton", Some("animation")),
            ("-quiet", Some("quiet")),
            ("-ooutput", None),
            ("-oformat", None),
            ("-o", None),
            ("-out", None),
            ("-oout", None),
            ("-j8", None),
            ("-nq", None),
            ("-", None),
            ("--output", None),
            ("models", None),
        ] {
            let found = hyphenated_word(argument).and_then(|word| long_name(word, &names));
            assert_eq!(found, meant, "{argument}");
        }
        let arguments = ["--", "-output"].map(OsString::from);
        assert_eq!(one_hyphen(arguments.into_iter()), None);
    }

    #[test]
    fn commands_are_suggested_for_words_that_are_like_them() {
        for (word, command) in [
            ("baek", Some("bake")),
            ("inspct", Some("inspect")),
            ("models", None),
            ("b", None),
        ] {
            assert_eq!(command_like(Path::new(word)).as_deref(), command, "{word}");
        }
    }
}
