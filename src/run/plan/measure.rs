//! The work on a sample, measured.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::estimate::Measured;
use crate::io::Found;
use crate::run::batch::{
    Batch, Options, Outcome, StartError, Status, ThreadsError, Work, thread_pool_of_at_most,
};

/// The reason why a sample cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The batch cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The system gives no thread.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Does the work on inputs one after the other on one thread, with hashes as for a report, writes nothing, and returns what was
/// measured of each, by its path. `done` is called after each input.
///
/// # Errors
/// If outputs of the inputs clash, or the system gives no thread.
pub fn measure<W: Work>(
    inputs: Vec<Found>,
    options: &Options,
    work: W,
    mut done: impl FnMut(),
) -> Result<HashMap<PathBuf, Measured>, MeasureError> {
    let options = options.clone().dry_run(true).force(true).hash(true);
    let batch = Batch::new(inputs, options, work, Arc::default())?;
    let pool = thread_pool_of_at_most(1)?;
    let mut measured = HashMap::new();
    let prepare = |outcome: Outcome| ((outcome.input.clone(), facts(&outcome)), 0);
    // Nothing is written, so nothing fails that concerns no single input.
    let _ = batch.run(&pool, prepare, |(path, facts)| {
        measured.insert(path, facts);
        done();
    });
    Ok(measured)
}

fn facts(outcome: &Outcome) -> Measured {
    let made = outcome.records.iter();
    let made = made.filter(|record| record.status == Status::Written);
    let bytes = made.clone().filter_map(|record| record.bytes);
    Measured {
        seconds: outcome.times.total().as_secs_f64(),
        files: made.count() as u64,
        bytes: bytes.sum(),
        failed: outcome.has_failed(),
    }
}
