//! Colours: whether text for people has them, decided once for the whole program.
//!
//! The option `--color` decides; then the environment variables `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and `TERM`; then
//! whether the text goes to a terminal.

use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::{ColorChoice, ValueEnum};

/// The values of `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorName {
    /// On a terminal.
    Auto,
    Always,
    Never,
}

/// The choice of this program, once it has been made. [`ColorName::Auto`] leaves it to each stream.
static CHOICE: OnceLock<ColorName> = OnceLock::new();

/// Decides by the arguments of the program and by the environment.
///
/// The arguments are looked at before clap reads them, because its errors are coloured, too. A value that `--color` does not
/// have counts as none: clap reports it.
pub fn decide(arguments: impl Iterator<Item = OsString>) {
    CHOICE.get_or_init(|| resolve(option(arguments), &|name| std::env::var_os(name)));
}

/// Returns the choice for clap's help and errors.
pub fn of_help() -> ColorChoice {
    match CHOICE.get() {
        Some(ColorName::Always) => ColorChoice::Always,
        Some(ColorName::Never) => ColorChoice::Never,
        Some(ColorName::Auto) | None => ColorChoice::Auto,
    }
}

/// Returns true if text on standard error is coloured.
pub fn on_standard_error() -> bool {
    is_coloured(&std::io::stderr())
}

/// Returns true if text on a stream is coloured.
pub fn is_coloured(stream: &impl IsTerminal) -> bool {
    match CHOICE.get() {
        Some(ColorName::Always) => true,
        Some(ColorName::Never) => false,
        Some(ColorName::Auto) | None => stream.is_terminal() && has_escape_sequences(),
    }
}

/// Lets the console understand escape sequences, which consoles of Windows do on request. Returns false if it cannot.
fn has_escape_sequences() -> bool {
    #[cfg(windows)]
    return anstyle_query::windows::enable_ansi_colors() != Some(false);
    #[cfg(not(windows))]
    true
}

/// A colour of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    None = 0,
    Green = 32,
    Yellow = 33,
    Red = 31,
}

/// Returns a text in a colour, if `is_coloured`.
pub fn painted(text: &str, colour: Colour, is_coloured: bool) -> String {
    if is_coloured && colour != Colour::None {
        format!("\u{1b}[{}m{text}\u{1b}[0m", colour as u8)
    } else {
        text.to_owned()
    }
}

/// Returns true if the variable `TERM` names a terminal that can neither colour text nor move in it.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Returns the last value of `--color` among the arguments.
fn option(arguments: impl Iterator<Item = OsString>) -> Option<ColorName> {
    let value = |text: &OsStr| ColorName::from_str(text.to_str()?, false).ok();
    let mut found = None;
    let mut arguments = arguments.take_while(|argument| argument != "--");
    while let Some(argument) = arguments.next() {
        let Some(rest) = argument.to_str().and_then(|a| a.strip_prefix("--color")) else {
            continue;
        };
        let here = match rest.strip_prefix('=') {
            Some(text) => value(text.as_ref()),
            None if rest.is_empty() => arguments.next().and_then(|text| value(&text)),
            None => None,
        };
        found = here.or(found);
    }
    found
}

/// Decides by the option and the variables of an environment.
fn resolve(option: Option<ColorName>, variable: &dyn Fn(&str) -> Option<OsString>) -> ColorName {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let is = |name, text: &str| variable(name).is_some_and(|value| value == text);
    match option {
        Some(named @ (ColorName::Always | ColorName::Never)) => named,
        _ if is_set("NO_COLOR") => ColorName::Never,
        _ if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => ColorName::Always,
        _ if is("CLICOLOR", "0") || is("TERM", "dumb") => ColorName::Never,
        _ => ColorName::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ColorName::{Always, Auto, Never};

    fn resolved(option: Option<ColorName>, variables: &[(&str, &str)]) -> ColorName {
        resolve(option, &|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_option_comes_first_and_then_the_variables_in_their_order() {
        let both = [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")];
        for (option, variables, expected) in [
            (None, &[][..], Auto),
            (Some(Auto), &[], Auto),
            (Some(Always), &both, Always),
            (Some(Never), &both[1..], Never),
            (None, &both, Never),
            (Some(Auto), &both, Never),
            (None, &both[1..], Always),
            (None, &[("NO_COLOR", ""), ("CLICOLOR_FORCE", "")], Auto),
            (None, &[("CLICOLOR_FORCE", "0")], Auto),
            (None, &[("CLICOLOR", "0")], Never),
            (None, &[("CLICOLOR", "1")], Auto),
            (None, &[("CLICOLOR", "0"), ("CLICOLOR_FORCE", "1")], Always),
            (None, &[("TERM", "dumb")], Never),
            (Some(Always), &[("TERM", "dumb")], Always),
        ] {
            assert_eq!(
                resolved(option, variables),
                expected,
                "{option:?} {variables:?}"
            );
        }
    }

    #[test]
    fn the_option_is_found_in_both_of_its_forms() {
        for (arguments, expected) in [
            (&["in", "--color", "never"][..], Some(Never)),
            (&["--color=always", "in"], Some(Always)),
            (&["--color=always", "--color", "auto"], Some(Auto)),
            (&["--color", "blue"], None),
            (&["--colors=never"], None),
            (&["in", "--", "--color=never"], None),
            (&["--color"], None),
        ] {
            let arguments = arguments.iter().map(OsString::from);
            assert_eq!(option(arguments), expected);
        }
    }
}
