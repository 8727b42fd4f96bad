//! Staging the outputs of a compiled document.

use super::content::Content;
use super::staging::{Made, Staging};
use crate::base::diag::Diagnostic;
use crate::base::output::OutputFile;
use crate::compile::{Compiled, PosedScene};
use crate::run::Parallel;
use crate::run::batch::outcome::OutputRecord;
use crate::run::batch::schedule::clock::{Clock, Stage};

/// Stages every output of a document; `records` are those of one pose after another. Records the time of each.
///
/// # Errors
/// The errors of all outputs that have failed; of each pose, only those of the first output. None if the run has been
/// stopped.
pub fn make_all(
    compiled: &Compiled,
    staging: &Staging<'_>,
    records: &mut [OutputRecord],
    buffer: &mut Vec<u8>,
    clock: &mut Clock,
) -> Result<Vec<Made>, Vec<Diagnostic>> {
    let mut made = Vec::with_capacity(records.len());
    let mut errors = Vec::new();
    // The records of one pose are consecutive, so the pose is evaluated once for all of them.
    let mut posed: Option<PosedScene<'_>> = None;
    let mut posed_id = None;
    let mut failed_id = None;
    for record in records {
        staging.job.check_stop()?;
        if record.pose.is_some() && record.pose == failed_id {
            continue; // the other files of the pose would fail for the same reason
        }
        if record.pose != posed_id {
            posed_id = record.pose.clone();
            let id = posed_id.as_deref();
            let isa = staging.job.options.isa;
            posed = id.and_then(|id| compiled.pose(id, isa, &Parallel));
        }
        record.time = clock.lap(Stage::Pose);
        let result = make(compiled, posed.as_ref(), staging, record, buffer);
        record.time += clock.lap(Stage::Write);
        match result {
            Ok(one) => made.push(one),
            Err(found) => {
                failed_id = record.pose.clone();
                errors.extend(found);
            }
        }
    }
    if errors.is_empty() {
        Ok(made)
    } else {
        Err(errors)
    }
}

/// Stages one output: the export, or a file of a pose.
fn make(
    compiled: &Compiled,
    posed: Option<&PosedScene<'_>>,
    staging: &Staging<'_>,
    record: &mut OutputRecord,
    buffer: &mut Vec<u8>,
) -> Result<Made, Vec<Diagnostic>> {
    let format = record.format;
    let mut stage = |file: &dyn OutputFile| staging.stage(&Content::of(file, buffer), record);
    match posed {
        None => stage(&compiled.export()?),
        Some(posed) => format.write_pose(posed, stage),
    }
}
