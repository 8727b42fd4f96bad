//! `--inputs-from`: the inputs of a run from a list, in the place of a search.

use std::path::{Path, PathBuf};

use super::Fatal;
use super::batch_args::Batch;
use super::inputs::{self, FileKind, WhenEmpty};
use super::print_note;
use crate::io::{Discovery, InputList, ListedKind, Skips, is_dir};
use crate::run::batch::Shard;

/// Returns the paths of a command line; if there are none, the roots of its list. A list that cannot be read has none here:
/// the run reads it again, and says what is wrong.
pub fn paths_or_roots(paths: Vec<PathBuf>, list: Option<&Path>) -> Vec<PathBuf> {
    let roots = || {
        let list = InputList::open(list?).ok()?;
        Some(list.roots().to_vec())
    };
    match paths.is_empty() {
        true => roots().unwrap_or_default(),
        false => paths,
    }
}

impl Batch {
    /// Finds the inputs of a run: those of its list that fall to the shard, or else all that a search of `paths` finds. Where a
    /// list is given, `paths` are the places of its roots.
    ///
    /// # Errors
    /// As [`inputs::find`], and if the list is faulty or for the other command.
    pub fn find(
        &self,
        paths: &[PathBuf],
        kind: FileKind,
        skips: &Skips,
        when_empty: WhenEmpty,
        shard: Option<Shard>,
    ) -> Result<Discovery, Fatal> {
        let Some(path) = &self.inputs_from else {
            return inputs::find(paths, kind, skips, when_empty);
        };
        let list = InputList::open(path)?;
        check_kind(path, list.kind(), kind)?;
        if let Some(root) = paths.iter().find(|root| !is_dir(root)) {
            return Err(format!(
                "the directory `{}` of the input list `{}` is not there; start where the list was written, or give the directories that \
                 this machine has before `--inputs-from`",
                root.display(),
                path.display()
            )
            .into());
        }
        let takes = |relative: &Path| shard.is_none_or(|shard| shard.takes_path(relative));
        let selected = list.select(paths, &takes)?;
        // A shard may have no input.
        if shard.is_none() && selected.found.is_empty() && selected.unreadable.is_empty() {
            let message = format!("the input list `{}` has no inputs", path.display());
            match when_empty {
                WhenEmpty::Fail => {
                    return Err(format!("{message}\n`--allow-empty` makes this no error").into());
                }
                WhenEmpty::Note => print_note(&message),
                WhenEmpty::Silent => {}
            }
        }
        Ok(selected)
    }
}

/// Checks that a list is for the command that reads it.
///
/// # Errors
/// If it is for the other one.
fn check_kind(path: &Path, listed: ListedKind, wanted: FileKind) -> Result<(), Fatal> {
    let is_for_bake = listed == ListedKind::Files;
    if is_for_bake == matches!(wanted, FileKind::Gltf | FileKind::Baked) {
        return Ok(());
    }
    let path = path.display();
    Err(match is_for_bake {
        true => format!(
            "the input list `{path}` is of glTF files; run `rigy-batch bake --inputs-from {path}`"
        ),
        false => format!(
            "the input list `{path}` is of documents; run `rigy-batch --inputs-from {path}`"
        ),
    }
    .into())
}
