//! Directories that cannot be listed. Each counts as an input that has failed.

use std::path::PathBuf;

use super::batch_args::Batch;
use super::expanded::Emitted;
use super::rendered::{Extras, Rendered};
use crate::io::IoError;
use crate::run::batch::{Outcome, Shard};

/// Returns the outcomes of directories below the arguments `paths` that cannot be listed, in order. Only one shard reports a
/// directory, as only one processes an input.
pub fn outcomes(
    args: &Batch,
    shard: Option<Shard>,
    paths: &[PathBuf],
    errors: &[IoError],
) -> Vec<Rendered> {
    let falls_here = |error: &&IoError| {
        let root = paths.iter().find(|root| error.path.starts_with(root));
        let below = root.and_then(|root| error.path.strip_prefix(root).ok());
        shard.is_none_or(|shard| shard.takes_path(below.unwrap_or(&error.path)))
    };
    let mut outcomes: Vec<Rendered> = errors
        .iter()
        .filter(falls_here)
        .map(|error| rendered(args, error))
        .collect();
    outcomes.sort_by(|a, b| a.input.cmp(&b.input));
    outcomes
}

fn rendered(args: &Batch, error: &IoError) -> Rendered {
    let outcome = Outcome::failed(&error.path, vec![error.finding()]);
    Rendered::new(outcome, Emitted::default(), args, Extras::default()).0
}
