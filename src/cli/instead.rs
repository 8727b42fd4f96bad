//! Options, values and commands that this program does not have, since they left it or only other tools have them, and what to write instead:
//! on the command line and in `rigy-batch.toml`.

use clap::error::{ContextKind, ErrorKind};

use rigy_export::Format;

/// Each line has commands, options, `COMMAND OPTION`s or `OPTION=VALUE`s, and the sentence that says what to write instead. `FORMATS` are those
/// of `bake --to`.
const INSTEAD: &str = include_str!("instead.txt");

/// Returns what to write instead of a command, an option or `OPTION=VALUE`.
pub fn of_word(word: &str) -> Option<String> {
    let (_, sentence) = INSTEAD
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(words, _)| words.split(", ").any(|gone| gone == word))?;
    let formats = Format::NAMES.join("|");
    Some(sentence.replace("FORMATS", &formats))
}

/// Returns what to write instead of the option or value that an error in the arguments is about, or of the command before it.
pub fn of_error(error: &clap::Error) -> Option<String> {
    let argument = error.get(ContextKind::InvalidArg)?.to_string();
    let option = argument.split(['=', ' ']).next()?;
    match error.get(ContextKind::InvalidValue) {
        Some(value) => {
            let value = value.to_string();
            let name = value.split_once('=').map_or(&*value, |(name, _)| name);
            of_word(&format!("{option}={name}"))
        }
        None if error.kind() == ErrorKind::UnknownArgument => {
            let command = super::arguments::arguments().get(1)?.to_str()?;
            [&*format!("{command} {option}"), option, command]
                .into_iter()
                .find_map(of_word)
        }
        None => None,
    }
}
