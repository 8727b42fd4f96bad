//! From the values of a key to arguments of the command line, and clap's judgement of these.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::Path;

use clap::Command;
use clap::error::ErrorKind;
use toml::Spanned;
use toml::de::DeValue;

use super::keys::{OptionKey, ValueForm};
use super::place::ConfigurationPlace;
use crate::cli::instead;
use crate::cli::places::{is_url, place_of};

/// A fault in the file: its bytes, and what is wrong.
pub type Fault = (Range<usize>, String);

/// Returns the values of a key as clap reads them after the `=` of the option; none for a flag that is false. Relative paths start from
/// the directory of the file, and stay there if a search has found it.
pub fn texts(
    key: &OptionKey,
    value: &Spanned<DeValue>,
    place: &ConfigurationPlace,
) -> Result<Vec<(Range<usize>, OsString)>, Fault> {
    let name = &key.name;
    match (key.form, value.get_ref()) {
        (ValueForm::Flag, DeValue::Boolean(is_given)) => {
            let flag = is_given.then(|| (value.span(), OsString::new()));
            Ok(flag.into_iter().collect())
        }
        (ValueForm::Flag, _) => Err((value.span(), format!("`{name}` is true or false"))),
        (ValueForm::List | ValueForm::Pairs, DeValue::Array(list)) => list
            .iter()
            .map(|value| Ok((value.span(), scalar(key, value, place)?)))
            .collect(),
        (ValueForm::Joined, DeValue::Array(list)) => {
            let parts: Result<Vec<OsString>, Fault> =
                list.iter().map(|part| scalar(key, part, place)).collect();
            Ok(vec![(value.span(), parts?.join(OsStr::new(",")))])
        }
        (ValueForm::Pairs, DeValue::Table(table)) => {
            let mut pairs: Vec<_> = table.iter().collect();
            pairs.sort_by_key(|(name, _)| name.span().start);
            pairs
                .into_iter()
                .map(|(name, value)| {
                    let text = scalar(key, value, place)?;
                    let span = name.span().start..value.span().end;
                    let mut pair = OsString::from(format!("{}=", name.get_ref()));
                    pair.push(text);
                    Ok((span, pair))
                })
                .collect()
        }
        _ => Ok(vec![(value.span(), scalar(key, value, place)?)]),
    }
}

/// Returns one text or number as text.
fn scalar(
    key: &OptionKey,
    value: &Spanned<DeValue>,
    place: &ConfigurationPlace,
) -> Result<OsString, Fault> {
    let refused = |wanted: &str| {
        let (name, is) = (&key.name, value.get_ref().type_str());
        Err((
            value.span(),
            format!("`{name}` takes {wanted}, and this is of the type {is}"),
        ))
    };
    match value.get_ref() {
        DeValue::String(text) if key.is_path => match leads_out(text, place) {
            Some(reason) => Err((value.span(), format!("`{}` {reason}", key.name))),
            None => Ok(from_base(text, &place.base)),
        },
        _ if key.is_path => refused("a path in quotes"),
        DeValue::String(text) => Ok(text.clone().into_owned().into()),
        DeValue::Integer(number) => {
            let number = i128::from_str_radix(number.as_str(), number.radix());
            number.map_or_else(
                |_| refused("a smaller number"),
                |number| Ok(number.to_string().into()),
            )
        }
        DeValue::Float(number) => Ok(number.as_str().into()),
        _ if key.form == ValueForm::Value => refused("a text or a number"),
        _ => refused("a text, a number, or a list of them"),
    }
}

/// Returns a path of the file, which starts from its directory. `-` is standard output, and URLs are what they are.
fn from_base(text: &str, base: &Path) -> OsString {
    match text {
        "-" => text.into(),
        url if is_url(url) => url.into(),
        _ => base.join(text).into(),
    }
}

/// Returns why a path of the file is refused, if it leads where it may not.
fn leads_out(text: &str, place: &ConfigurationPlace) -> Option<String> {
    let path = match text {
        "-" => return None,
        url if is_url(url) => place_of(Path::new(url)).ok()?, // clap refuses those of other machines
        _ => place.base.join(text),
    };
    // The page of a run has a directory of data beside it.
    let mut data = path.clone().into_os_string();
    data.push(".data");
    place
        .leads_out(&path)
        .or_else(|| place.leads_out(Path::new(&data)))
}

/// Returns an option as an argument of the command line.
pub fn argument(name: &str, form: ValueForm, text: &OsStr) -> OsString {
    let mut argument = OsString::from(format!("--{name}"));
    if form != ValueForm::Flag {
        argument.push("=");
        argument.push(text);
    }
    argument
}

/// Checks an argument as clap does. What it says about combinations with other options is left for the whole command line.
pub fn check(command: &mut Command, argument: &OsStr) -> Result<(), String> {
    let words = [command.get_name().into(), argument.to_owned(), ".".into()];
    let Err(error) = command.try_get_matches_from_mut(words) else {
        return Ok(());
    };
    match error.kind() {
        ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict => Ok(()),
        _ => {
            let sentence = instead::of_error(&error).map(|sentence| format!("; {sentence}"));
            Err(message(&error) + &sentence.unwrap_or_default())
        }
    }
}

/// Returns the message of clap without its usage and its word for errors.
pub fn message(error: &clap::Error) -> String {
    let text = error
        .render()
        .to_string()
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect::<Vec<&str>>()
        .join("; ");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}
