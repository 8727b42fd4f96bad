//! The files that each output was made of, as rules that Make and Ninja read: `--depfile FILE`.

use std::env::current_dir;
use std::path::Path;

use super::render::printable;
use super::report::check_not_read;
use crate::run::batch::{Outcome, Status};
use rigy_base::paths::Slashed;

/// A rule with the outputs of an input and the files that they were made of, and for each of these files a rule that says nothing, so
/// that Make goes on when the file is gone. `configuration` is the file that options come from, and `depfile` the one that gets the rules.
///
/// # Errors
/// If a name cannot stand in a rule, or the file of the rules is one that they name.
pub fn rules(
    depfile: &Path,
    outcome: &Outcome,
    configuration: Option<&Path>,
) -> Result<String, String> {
    check_not_read(depfile, outcome.made_of()).map_err(|error| error.to_string())?;
    let here = current_dir().unwrap_or_default();
    let escaped = |path| escaped(path, &here);
    let outputs: Vec<String> = outcome
        .records
        .iter()
        .filter(|record| record.status != Status::Removed)
        .filter_map(|record| record.path.as_deref())
        .map(escaped)
        .collect::<Result<_, _>>()?;
    if outputs.is_empty() {
        return Ok(String::new());
    }
    let files: Vec<String> = outcome
        .made_of()
        .chain(configuration)
        .map(escaped)
        .collect::<Result<_, _>>()?;
    let alone: String = files.iter().map(|file| format!("{file}:\n")).collect();
    Ok(format!(
        "{}: {}\n{alone}",
        outputs.join(" "),
        files.join(" ")
    ))
}

/// A path as compilers write it, relative to the current directory, `here`, if it is below it: with a backslash before blanks and `#`, with
/// backslashes before a blank twice, and with `$` twice. The characters that are refused belong to Make's own syntax, and Make and Ninja have
/// no common way to escape them.
fn escaped(path: &Path, here: &Path) -> Result<String, String> {
    let is_syntax = |c: char| c.is_control() || ";=%".contains(c) || c == ':' && !cfg!(windows);
    let name = path.strip_prefix(here).unwrap_or(path).to_str();
    let name = name.filter(|name| !name.contains(is_syntax) && !name.ends_with('\\'));
    let Some(name) = name else {
        let path = printable(&path.shown());
        return Err(format!(
            "`{path}` cannot be named in a rule: it is not UTF-8, has a control character or one of `:;=%`, or ends in a backslash"
        ));
    };
    let words = name.split(' ').map(|word| {
        let backslashes = word.len() - word.trim_end_matches('\\').len();
        word.to_owned() + &"\\".repeat(backslashes)
    });
    let name = words.collect::<Vec<_>>().join("\\ ");
    Ok(name.replace('#', "\\#").replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_gcc_writes_them() {
        for (name, expected) in [
            ("a b", r"a\ b"),
            ("a#b", r"a\#b"),
            ("a$b", "a$$b"),
            (r"a\b", r"a\b"),
            (r"a\ b", r"a\\\ b"),
            (r"a\\ b", r"a\\\\\ b"),
            (r"a\#b", r"a\\#b"),
            ("é[1]", "é[1]"),
        ] {
            assert_eq!(
                escaped(name.as_ref(), "/".as_ref()),
                Ok(expected.into()),
                "{name}"
            );
        }
        for name in ["a\nb", "a\tb", "a;b", "a=b", "a%b", "a\\"] {
            let message = escaped(name.as_ref(), "/".as_ref()).unwrap_err();
            assert!(!message.contains(char::is_control), "{message:?}");
        }
    }
}
