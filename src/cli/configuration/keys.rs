//! The keys of the file, made from clap's definitions of the options.

use std::any::TypeId;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, CommandFactory};

use crate::cli::args::Args;

/// Keys that are refused, and why.
const REFUSED: [(&str, &str); 16] = [
    ("paths", PATHS),
    ("path", PATHS),
    ("inputs-from", PATHS),
    ("null", PATHS),
    ("watch", RUN),
    ("shard", RUN),
    ("dry-run", RUN),
    ("check", RUN),
    ("depfile", RUN),
    ("config", FILE),
    ("no-config", FILE),
    ("completions", OTHER),
    ("man", OTHER),
    ("version", OTHER),
    ("help", OTHER),
    ("color", RUN),
];
const PATHS: &str = "the inputs are named on the command line";
const RUN: &str = "it is about one run; give it on the command line";
const FILE: &str = "it says which file is read; give it on the command line";
const OTHER: &str = "it does something else than a run; give it on the command line";

rigy_base::named! {
    /// The commands that take options from the file. Their names are those of the tables.
    pub enum ConfiguredCommand {
        /// The main command.
        Documents = "documents",
        /// `bake`.
        Bake = "bake",
    }
}

/// The form of the values of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    /// True or false.
    Flag,
    /// One text or number.
    Value,
    /// One text in which several values have commas between them.
    Joined,
    /// One or several.
    List,
    /// One or several `NAME=VALUE`, or a table.
    Pairs,
}

/// An option that may be a key.
pub struct OptionKey {
    pub name: String,
    /// The name by which clap finds its values.
    pub id: String,
    pub form: ValueForm,
    /// True if the value is the path of a file or directory.
    pub is_path: bool,
    /// The definition of the option.
    pub arg: Arg,
}

impl ConfiguredCommand {
    /// Returns the command with a name, or without one; `None` if it takes no options from the file.
    pub fn of(name: Option<&str>) -> Option<Self> {
        match name {
            None => Some(Self::Documents),
            Some("bake") => Some(Self::Bake),
            Some(_) => None,
        }
    }

    /// The words of a command line before the options.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Documents => &["rigy-batch"],
            Self::Bake => &["rigy-batch", "bake"],
        }
    }

    /// Returns clap's definition of the command.
    pub fn command(self) -> Command {
        let mut program = Args::command();
        program.build();
        match self {
            Self::Documents => program,
            Self::Bake => program
                .find_subcommand("bake")
                .expect("the command exists")
                .clone(),
        }
    }

    /// Returns the keys of the command, in the order of its help.
    pub fn keys(self) -> Vec<OptionKey> {
        self.command()
            .get_arguments()
            .filter(|arg| arg.get_long().is_some())
            .map(OptionKey::of)
            .filter(|key| refusal(&key.name).is_none())
            .collect()
    }
}

impl OptionKey {
    fn of(arg: &Arg) -> Self {
        let names = arg.get_value_names().unwrap_or_default();
        let form = match arg.get_action() {
            ArgAction::SetTrue => ValueForm::Flag,
            ArgAction::Append if names.iter().any(|name| name.contains('=')) => ValueForm::Pairs,
            ArgAction::Append => ValueForm::List,
            _ if names.iter().any(|name| name.ends_with(",...")) => ValueForm::Joined,
            _ => ValueForm::Value,
        };
        Self {
            name: arg.get_long().unwrap_or_default().to_owned(),
            id: arg.get_id().to_string(),
            form,
            is_path: arg.get_value_parser().type_id() == TypeId::of::<PathBuf>(),
            arg: arg.clone(),
        }
    }
}

/// Returns why a key of this name is refused; `None` if it is not.
pub fn refusal(name: &str) -> Option<&'static str> {
    REFUSED
        .iter()
        .find(|(refused, _)| *refused == name)
        .map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_key_and_no_other() {
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/docs/src/reference/configuration.md"
        );
        let page = std::fs::read_to_string(page).unwrap();
        let named = |row: &str| -> Vec<String> {
            let line = page.lines().find(|line| line.starts_with(row));
            let words = line.unwrap_or_default()[row.len()..].split('`');
            words.skip(1).step_by(2).map(str::to_owned).collect()
        };
        let sorted = |keys: &mut dyn Iterator<Item = String>| -> Vec<String> {
            let mut keys: Vec<String> = keys.collect();
            keys.sort();
            keys
        };
        let [documents, bake] = ConfiguredCommand::ALL.map(|target| {
            let keys = target.keys().into_iter();
            keys.map(|key| key.name).collect::<Vec<_>>()
        });
        let mut of_both = documents.iter().filter(|key| bake.contains(key)).cloned();
        let mut of_documents = documents.iter().filter(|key| !bake.contains(key)).cloned();
        let mut of_bake = bake.iter().filter(|key| !documents.contains(key)).cloned();
        assert_eq!(named("| anywhere |"), sorted(&mut of_both));
        assert_eq!(named("| in `[documents]` |"), sorted(&mut of_documents));
        assert_eq!(named("| in `[bake]` |"), sorted(&mut of_bake));
        let refused = REFUSED.iter().map(|(name, _)| (*name).to_owned());
        let mut refused = refused.filter(|name| !["path", "paths"].contains(&&**name));
        assert_eq!(named("| nowhere |"), sorted(&mut refused));
    }
}
