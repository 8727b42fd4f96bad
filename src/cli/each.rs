//! Work on files, one of which may fail or panic without the others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rayon::prelude::*;

use super::common_args::Threads;
use super::progress::progress;
use super::status::Result;
use crate::io::Found;
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::paths::Slashed;

/// Does the work on each file under a progress bar, and returns the results in the order of the files.
///
/// # Errors
/// As [`Threads::pool`].
pub fn each<T: Send>(
    found: &[Found],
    threads: &Threads,
    quiet: bool,
    work: impl Fn(&Found) -> Diagnosed<T> + Sync,
) -> Result<Vec<Diagnosed<T>>> {
    let pool = threads.pool()?;
    let bar = progress(found.len(), quiet);
    let results = pool.install(|| {
        found
            .par_iter()
            .map(|found| {
                let result = caught(&found.path, || work(found));
                bar.inc(1);
                result
            })
            .collect()
    });
    bar.finish_and_clear();
    Ok(results)
}

/// Does the work on a file. A panic is an error of the file.
pub fn caught<T, E: From<Vec<Diagnostic>>>(
    path: &Path,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(vec![Diagnostic::panicked(&path.shown())].into()))
}
