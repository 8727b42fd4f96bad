//! `--inputs-from`: the inputs of a run from a list, in the place of a search.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::Fatal;
use super::batch_args::Batch;
use super::inputs::{self, FileKind, WhenEmpty};
use super::print_note;
use crate::io::{Discovery, InputList, Skips, is_dir};
use crate::run::batch::Shard;

/// Returns the paths of a command line, or the current directory if there are none and a list is given.
pub fn paths_or_root(paths: Vec<PathBuf>, list: Option<&Path>) -> Vec<PathBuf> {
    if paths.is_empty() && list.is_some() {
        return vec![PathBuf::from(".")];
    }
    paths
}

impl Batch {
    /// Finds the inputs of a run: those of its list that fall to the shard, or else all that a search of `paths` finds. Where a
    /// list is given, `paths` is the directory that its paths are relative to.
    ///
    /// # Errors
    /// As [`inputs::find`], and if there are several directories or the list is faulty.
    pub fn find(
        &self,
        paths: &[PathBuf],
        kind: FileKind,
        skips: &Skips,
        when_empty: WhenEmpty,
        shard: Option<Shard>,
    ) -> Result<Discovery, Fatal> {
        let Some(list) = &self.inputs_from else {
            return inputs::find(paths, kind, skips, when_empty);
        };
        let [root] = paths else {
            return Err("`--inputs-from` takes one PATH, the directory that the paths of the list are relative to; without one, that is the current directory".into());
        };
        if !is_dir(root) {
            return Err(format!(
                "`{}` is no directory; the paths of `--inputs-from` are relative to PATH",
                root.display()
            )
            .into());
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
            let message = format!("the input list `{}` names no inputs", list.display());
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
