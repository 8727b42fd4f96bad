//! The tables of the file: the options that each of them sets, and their faults.

use std::borrow::Cow;
use std::path::Path;

use clap::Command;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{Key, Target, refusal};
use super::read::{Setting, Settings};
use super::values::{Fault, argument, check, texts};
use crate::base::diag::nearest;

type TomlKey<'i> = Spanned<Cow<'i, str>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the tables, and collects faults.
pub(super) struct Reader<'b> {
    base: &'b Path,
    commands: [(Target, Vec<Key>, Command); 2],
    /// Settings of each command, those for both included.
    pub settings: [Settings; 2],
    pub faults: Vec<Fault>,
}

impl<'b> Reader<'b> {
    pub fn new(base: &'b Path) -> Self {
        Self {
            base,
            commands: Target::ALL.map(|target| (target, target.keys(), target.command())),
            settings: Default::default(),
            faults: Vec::new(),
        }
    }

    /// Reads the whole file. Keys for both commands are read first, so those of a table replace them.
    pub fn file(&mut self, table: &DeTable<'_>) {
        let of_key = |key: &TomlKey<'_>| {
            (Target::ALL.into_iter()).find(|target| **key.get_ref() == *target.name())
        };
        for (key, value) in table {
            if of_key(key).is_none() {
                self.common(key, value);
            }
        }
        for (key, value) in table {
            if let Some(target) = of_key(key) {
                self.table(target, key, value);
            }
        }
    }

    /// Reads a key of both commands.
    fn common(&mut self, key: &TomlKey<'_>, value: &Value<'_>) {
        let name = &**key.get_ref();
        let has =
            |(_, keys, _): &(Target, Vec<Key>, Command)| keys.iter().any(|key| key.name == name);
        let owners: Vec<Target> = (self.commands.iter())
            .filter(|command| has(command))
            .map(|(target, ..)| *target)
            .collect();
        if let [owner] = owners[..] {
            let owner = owner.name();
            let message =
                format!("`{name}` is an option of one command; write it below `[{owner}]`");
            self.faults.push((key.span(), message));
            return;
        }
        for target in Target::ALL {
            let faults = self.faults.len();
            self.setting(target, key, value);
            if self.faults.len() > faults {
                return;
            }
        }
    }

    /// Reads the table of a command.
    fn table(&mut self, target: Target, key: &TomlKey<'_>, value: &Value<'_>) {
        let name = target.name();
        let fault = match value.get_ref() {
            DeValue::Table(table) => {
                let keys = table.iter();
                return keys.for_each(|(key, value)| self.setting(target, key, value));
            }
            DeValue::Array(_) => (
                key.span(),
                format!(
                    "there is one table `[{name}]`; run the program once for each set of options, with a file of its own after `--config`"
                ),
            ),
            _ => (
                value.span(),
                format!("`{name}` is a table of options; begin it with `[{name}]`"),
            ),
        };
        self.faults.push(fault);
    }

    /// Reads one key of a command.
    fn setting(&mut self, target: Target, key: &TomlKey<'_>, value: &Value<'_>) {
        let name = &**key.get_ref();
        let (_, keys, command) = &mut self.commands[target as usize];
        let Some(known) = keys.iter().find(|known| known.name == name) else {
            let message = unknown(target, name, keys);
            self.faults.push((key.span(), message));
            return;
        };
        let texts = match texts(known, value, self.base) {
            Ok(texts) => texts,
            Err(fault) => {
                self.faults.push(fault);
                return;
            }
        };
        for (span, text) in &texts {
            if let Err(message) = check(command, &argument(name, known.form, text)) {
                self.faults.push((span.clone(), message));
                return;
            }
        }
        let setting = Setting {
            name: name.to_owned(),
            form: known.form,
            values: texts.into_iter().map(|(_, text)| text).collect(),
            span: key.span(),
        };
        self.settings[target as usize].insert(name.to_owned(), setting);
    }
}

/// Returns the message about a key that no option has.
fn unknown(target: Target, name: &str, keys: &[Key]) -> String {
    if let Some(reason) = refusal(name) {
        return format!("`{name}` is no key of this file: {reason}");
    }
    let other = Target::ALL
        .into_iter()
        .find(|other| *other != target && other.keys().iter().any(|key| key.name == name));
    if let Some(other) = other {
        return format!(
            "`{name}` is an option of the other command; write it below `[{}]`",
            other.name()
        );
    }
    let names = keys.iter().map(|key| key.name.as_str());
    match nearest(name, names) {
        Some(meant) => format!("there is no option `{name}`; did you mean `{meant}`?"),
        None => {
            let command = target.words().join(" ");
            format!("there is no option `{name}`; `{command} --help` lists all")
        }
    }
}
