//! The inputs of a command, from a search or from a list (`--inputs-from`). If there are none, the message says for which command the
//! files there are.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::batch_args::Batch;
use super::circumstances::word;
use super::expanded::Expansions;
use super::instead;
use super::messages::print_note;
use super::page::Shown;
use super::requested::command_like;
use super::status::{Fatal, Result, bail};
use crate::io::{Discovery, InputList, IoError, Skips, discover, is_dir};
use crate::run::batch::{Outcome, Shard, document_stem, gltf_stem, is_document, is_gltf_input};
use rigy_base::diag::Category;
use rigy_base::paths::Slashed;

/// The kinds of files that a command may be for, judged by their names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A Rigy document or a scene.
    Document,
    /// A glTF file that is not named like an output of `bake`.
    Gltf,
    /// A glTF file that is named like an output of `bake`.
    Baked,
    /// Another YAML file.
    OtherYaml,
}

impl FileKind {
    /// Returns the kind of a file with this name, if there is a command for it.
    fn of(name: &OsStr) -> Option<Self> {
        match name {
            _ if is_document(name) => Some(Self::Document),
            _ if is_gltf_input(name) => Some(Self::Gltf),
            _ if gltf_stem(name) != name => Some(Self::Baked),
            _ if document_stem(name) != name => Some(Self::OtherYaml),
            _ => None,
        }
    }
}

/// Numbers of files by their kind, in the order of [`FileKind`].
#[derive(Default)]
struct Counts([Cell<usize>; 4]);

impl Counts {
    fn add(&self, kind: FileKind) {
        let count = &self.0[kind as usize];
        count.set(count.get() + 1);
    }
}

/// Returns the number of inputs that are there and that ignore files or globs exclude. It searches again, without these.
fn excluded(paths: &[PathBuf], kind: FileKind, skips: &Skips) -> usize {
    let all = Skips {
        outputs: skips.outputs.clone(),
        ..Skips::default()
    };
    let is_input = |name: &OsStr| FileKind::of(name) == Some(kind);
    discover(paths, &is_input, &all).map_or(0, |discovery| discovery.found.len())
}

/// Returns the message that a search found no inputs but excluded ones.
fn all_excluded(paths: &[PathBuf], kind: FileKind, count: usize) -> String {
    let (files, them) = plural(count, "one file is", "files are");
    format!(
        "{}; {files} excluded by ignore files or by `--exclude`; to take {them} nevertheless, use `--no-ignore`, or leave `--exclude` out",
        none(paths, kind)
    )
}

/// Returns the error about a path that does not exist, or cannot be searched. It may be a misspelt command, or one of another tool.
fn missing(error: IoError) -> Fatal {
    if let Some(sentence) = error.path.to_str().and_then(instead::of_word) {
        return format!("{error}\n{sentence}").into();
    }
    match command_like(&error.path) {
        Some(command) if error.path == Path::new(&command) => {
            format!("{error}; options stand after the command: `rigy-batch {command} ...`").into()
        }
        Some(command) if error.source.kind() == std::io::ErrorKind::NotFound => {
            format!("{error}; did you mean the command `{command}`?").into()
        }
        _ => error.into(),
    }
}

/// Returns the beginning of messages that a search found no input.
fn none(paths: &[PathBuf], kind: FileKind) -> String {
    let below = paths
        .iter()
        .map(|path| format!("`{}`", path.slashed()))
        .collect::<Vec<String>>()
        .join(", ");
    let names = match kind {
        FileKind::Document | FileKind::OtherYaml => "*.rigy.yaml or *.rigs.yaml",
        FileKind::Gltf | FileKind::Baked => "*.glb, *.gltf or *.vrm",
    };
    format!("no {names} found below {below}")
}

/// Returns the message that a search found no input. It names the command for other files that were seen.
fn none_found(paths: &[PathBuf], kind: FileKind, counts: &Counts) -> String {
    let (none, arguments) = (none(paths, kind), arguments(paths));
    let [documents, gltf, baked, yaml] = counts.0.each_ref().map(Cell::get);
    match kind {
        FileKind::Gltf | FileKind::Baked if baked > 0 => {
            let (files, them) = plural(baked, "one file that is", "files that are");
            format!(
                "{none}, but {files} named like outputs (*.baked.*); to bake {them}, name {them} on the command line"
            )
        }
        FileKind::Gltf | FileKind::Baked if documents > 0 => {
            let (files, them) = plural(documents, "one Rigy document", "Rigy documents");
            format!("{none}, but {files}; to compile {them}, run `rigy-batch {arguments}`")
        }
        FileKind::Document | FileKind::OtherYaml if gltf > 0 => {
            let (files, them) = plural(gltf, "one glTF file", "glTF files");
            format!("{none}, but {files}; to bake {them}, run `rigy-batch bake {arguments}`")
        }
        FileKind::Document | FileKind::OtherYaml if yaml > 0 => {
            let (files, them) = plural(yaml, "one other YAML file", "other YAML files");
            format!("{none}, but {files}; to compile {them}, name {them} on the command line")
        }
        _ => format!("{none}; name another directory, or files, which may have any name"),
    }
}

/// True if a file of this name is taken for a glTF file.
pub fn has_gltf_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| gltf_stem(name) != name)
}

/// Returns a length in bytes with a unit, as people read it.
pub fn shown_len(len: u64) -> String {
    match len {
        0..1_000 => format!("{len} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", len as f64 / 1e3),
        _ => format!("{:.1} MB", len as f64 / 1e6),
    }
}

/// Returns `one` for a single thing, else the number with `many`; and the pronoun for it.
pub fn plural(count: usize, one: &str, many: &str) -> (String, &'static str) {
    match count {
        1 => (one.to_owned(), "it"),
        count => (format!("{count} {many}"), "them"),
    }
}

/// Returns paths as arguments of a shell; those with unusual characters in quotes.
fn arguments(paths: &[PathBuf]) -> String {
    paths
        .iter()
        .map(|path| word(&path.shown()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The inputs of a command, in words.
pub struct InputKind {
    /// The word for an input.
    pub input: &'static str,
    /// Returns advice about a file that belongs to another command, judged by its name.
    pub advice: fn(&OsStr) -> Option<&'static str>,
    /// Writes expanded documents, if there are to be any.
    pub expansions: Option<Expansions>,
    /// The kind of its outputs.
    pub shown: Shown,
}

impl InputKind {
    /// Adds advice to an input that cannot be parsed and may belong to another command.
    pub fn advise(&self, outcome: &mut Outcome) {
        let advice = outcome.input.file_name().and_then(self.advice);
        if let (Some(advice), Some(error)) = (advice, outcome.errors.first_mut())
            && error.category == Category::ParseError
        {
            error.help = Some(advice.into());
        }
    }
}

/// Returns the paths of a command line, or the current directory if there are none and a list is given.
pub fn paths_or_root(paths: Vec<PathBuf>, list: Option<&Path>) -> Vec<PathBuf> {
    if paths.is_empty() && list.is_some() {
        return vec![PathBuf::from(".")];
    }
    paths
}

impl Batch {
    /// Finds the inputs of a command for files of a kind below `paths`, without what `skips` names.
    ///
    /// # Errors
    /// If a path does not exist. If nothing was found that the command is for, unless directories could not be listed, which
    /// count as failed inputs, or nothing is allowed.
    fn search(&self, paths: &[PathBuf], kind: FileKind, skips: &Skips) -> Result<Discovery> {
        let counts = Counts::default();
        let is_input = |name: &OsStr| {
            let found = FileKind::of(name);
            found.into_iter().for_each(|kind| counts.add(kind));
            found == Some(kind)
        };
        let discovery = discover(paths, &is_input, skips).map_err(missing)?;
        if discovery.found.is_empty() && discovery.unreadable.is_empty() {
            self.allow_nothing(match excluded(paths, kind, skips) {
                0 => none_found(paths, kind, &counts),
                count => all_excluded(paths, kind, count),
            })?;
        }
        Ok(discovery)
    }

    /// Says that there are no inputs.
    ///
    /// # Errors
    /// If that is not allowed.
    fn allow_nothing(&self, message: String) -> Result<()> {
        if !self.allow_empty {
            bail!("{message}\n`--allow-empty` makes this no error");
        }
        if !self.common.quiet {
            print_note(&message);
        }
        Ok(())
    }

    /// Finds the inputs of a run: the files of its list that belong to the shard, or without a list all files that a search of `paths`
    /// finds. The paths of a list are relative to the directory in `paths`.
    ///
    /// # Errors
    /// As [`find`], and if there are several directories or the list is faulty.
    pub fn find(
        &self,
        paths: &[PathBuf],
        kind: FileKind,
        skips: &Skips,
        shard: Option<Shard>,
    ) -> Result<Discovery> {
        let Some(list) = &self.inputs_from else {
            return self.search(paths, kind, skips);
        };
        let [root] = paths else {
            bail!(
                "`--inputs-from` takes one PATH, the directory that the paths of the list are relative to; without one, that is the current directory"
            );
        };
        if !is_dir(root) {
            bail!(
                "`{}` is no directory; the paths of `--inputs-from` are relative to PATH",
                root.slashed()
            );
        }
        let takes = |relative: &Path| shard.is_none_or(|shard| shard.takes_path(relative));
        let selected = if list == Path::new("-") {
            let input = BufReader::new(std::io::stdin());
            InputList::new("standard input".into(), input, self.null).select(root, &takes)?
        } else {
            InputList::open(list, self.null)?.select(root, &takes)?
        };
        // A shard may have no input.
        if shard.is_none() && selected.found.is_empty() && selected.unreadable.is_empty() {
            self.allow_nothing(format!(
                "the input list `{}` names no inputs",
                list.slashed()
            ))?;
        }
        Ok(selected)
    }
}
