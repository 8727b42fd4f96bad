//! Long options that are written with one hyphen, and commands that are misspelt.

use std::cell::LazyCell;
use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;

use super::args::Args;

/// Fewest characters after the hyphen: shorter arguments are short options.
const FEWEST: usize = 4;

/// Returns the message about the first argument that is a long option with one hyphen, such as `-ouput`. It would be read
/// as short options with a value: `-o uput`.
pub fn one_hyphen(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let names = LazyCell::new(long_names);
    let before_paths = arguments.take_while(|argument| argument != "--");
    before_paths
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
    let names = commands.flat_map(|command| command.get_arguments());
    let names = names.filter_map(|argument| argument.get_long());
    names.map(str::to_owned).collect()
}

/// Returns the command whose name is like that of a path that does not exist.
pub fn command_like(path: &Path) -> Option<String> {
    let word = path.to_str()?;
    let program = Args::command();
    let names = program.get_subcommands().map(|command| command.get_name());
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
