//! The tables of the file: the options that each of them sets, and their faults.

use std::borrow::Cow;
use std::path::Path;

use clap::Command;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{Key, OF_RUN, Target, refusal};
use super::read::{Setting, Settings};
use super::values::{Fault, argument, check, texts};
use crate::base::diag::nearest;

type TomlKey<'i> = Spanned<Cow<'i, str>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the tables, and collects faults.
pub(super) struct Reader<'b> {
    base: &'b Path,
    commands: [(Target, Vec<Key>, Command); 2],
    /// Settings for both commands, as each of them has them.
    common: [Settings; 2],
    documents: Settings,
    bakes: Vec<(usize, Settings)>,
    pub faults: Vec<Fault>,
}

impl<'b> Reader<'b> {
    pub fn new(base: &'b Path) -> Self {
        Self {
            base,
            commands: Target::ALL.map(|target| (target, target.keys(), target.command())),
            common: Default::default(),
            documents: Settings::new(),
            bakes: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Reads the whole file.
    pub fn file(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let key: &TomlKey<'_> = key;
            match (&**key.get_ref(), value.get_ref()) {
                ("documents", DeValue::Table(table)) => {
                    self.documents = self.table(Target::Documents, table);
                }
                ("bake", DeValue::Table(table)) => {
                    let settings = self.table(Target::Bake, table);
                    self.bakes.push((key.span().start, settings));
                }
                ("bake", DeValue::Array(tables)) => self.passes(tables.iter()),
                ("documents" | "bake", _) => {
                    let name = key.get_ref();
                    let message =
                        format!("`{name}` is a table of options; begin it with `[{name}]`");
                    self.faults.push((value.span(), message));
                }
                _ => self.common(key, value),
            }
        }
    }

    /// Reads the tables of several passes.
    fn passes<'v, 'i: 'v>(&mut self, tables: impl ExactSizeIterator<Item = &'v Value<'i>>) {
        let several = tables.len() > 1;
        for value in tables {
            let DeValue::Table(table) = value.get_ref() else {
                let message = "`bake` is a table of options, or several that begin with `[[bake]]`";
                self.faults.push((value.span(), message.to_owned()));
                continue;
            };
            let settings = self.table(Target::Bake, table);
            let of_run = settings
                .values()
                .filter(|setting| several && OF_RUN.contains(&&*setting.name));
            for setting in of_run {
                let name = &setting.name;
                let message = format!(
                    "`{name}` holds for the whole run; write it above all tables, or leave one `[[bake]]`"
                );
                self.faults.push((setting.span.clone(), message));
            }
            self.bakes.push((value.span().start, settings));
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
        for (index, target) in Target::ALL.into_iter().enumerate() {
            let faults = self.faults.len();
            if let Some(setting) = self.setting(target, key, value) {
                self.common[index].insert(setting.name.clone(), setting);
            }
            if self.faults.len() > faults {
                return;
            }
        }
    }

    fn table(&mut self, target: Target, table: &DeTable<'_>) -> Settings {
        let settings = table
            .iter()
            .filter_map(|(key, value)| self.setting(target, key, value));
        settings
            .map(|setting| (setting.name.clone(), setting))
            .collect()
    }

    /// Reads one key of a command; `None` if it has a fault.
    fn setting(&mut self, target: Target, key: &TomlKey<'_>, value: &Value<'_>) -> Option<Setting> {
        let name = &**key.get_ref();
        let index = usize::from(target == Target::Bake);
        let (_, keys, command) = &mut self.commands[index];
        let Some(known) = keys.iter().find(|known| known.name == name) else {
            let message = unknown(target, name, keys);
            self.faults.push((key.span(), message));
            return None;
        };
        let texts = match texts(known, value, self.base) {
            Ok(texts) => texts,
            Err(fault) => {
                self.faults.push(fault);
                return None;
            }
        };
        let (mut arguments, mut values) = (Vec::new(), Vec::new());
        for (span, text) in texts {
            let argument = argument(known, &text);
            if let Err(message) = check(command, &argument) {
                self.faults.push((span, message));
                return None;
            }
            arguments.push(argument);
            values.push(text);
        }
        Some(Setting {
            name: name.to_owned(),
            arguments,
            values,
            span: key.span(),
        })
    }

    /// Returns the settings of each command: those of its tables, and those of both commands that the tables do not set.
    pub fn settings(self) -> (Settings, Vec<(usize, Settings)>) {
        let [documents, bake] = self.common;
        let merged = |common: &Settings, own: Settings| {
            let mut all = common.clone();
            all.extend(own);
            all
        };
        let mut passes = self.bakes;
        if passes.is_empty() {
            passes.push((0, Settings::new()));
        }
        let passes = passes
            .into_iter()
            .map(|(offset, own)| (offset, merged(&bake, own)));
        (merged(&documents, self.documents), passes.collect())
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
        None => format!("there is no option `{name}`; `rigy-batch config` prints all keys"),
    }
}
