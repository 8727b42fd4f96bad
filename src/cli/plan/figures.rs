//! The figures of a plan, as JSON has them.

use serde::Serialize;

use super::args::Plan;
use crate::cli::Fatal;
use crate::io::ListedKind;
use crate::run::plan::{Cost, Division, Estimate, Measured, Measurements};

/// The version of the JSON that this command prints.
const VERSION: u32 = 1;

/// The plan of a run, as JSON has it.
#[derive(Serialize)]
pub(super) struct Planned {
    pub version: u32,
    pub kind: ListedKind,
    pub inputs: Amount,
    pub sample: Sample,
    /// Hours of one processor for all inputs, without starts of tasks.
    pub core_hours: Estimate,
    pub outputs: Outputs,
    pub shards: Division,
    pub objects: Objects,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<Cost>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs_to: Option<String>,
}

/// A number of files, and their bytes.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Amount {
    pub count: u64,
    pub bytes: u64,
}

/// The inputs that were measured.
#[derive(Serialize)]
pub(super) struct Sample {
    pub count: usize,
    pub failed: usize,
    pub seconds: f64,
}

#[derive(Serialize)]
pub(super) struct Outputs {
    pub count: Estimate,
    pub bytes: Estimate,
}

/// Objects that are written: each output is one.
#[derive(Serialize)]
pub(super) struct Objects {
    pub files: u64,
}

impl Planned {
    /// Puts the figures together: `inputs` are all inputs, `measured` is what was measured of the sample.
    ///
    /// # Errors
    /// If a task has no time for any work.
    pub fn new(
        args: &Plan,
        kind: ListedKind,
        inputs: Amount,
        measured: &Measurements,
    ) -> Result<Self, Fatal> {
        let seconds = measured.total(|one| one.seconds);
        let [low, estimate, high] =
            [seconds.low, seconds.estimate, seconds.high].map(|s| s / 3600.0);
        let outputs = Outputs {
            count: measured.total(|one: &Measured| one.files as f64),
            bytes: measured.total(|one| one.bytes as f64),
        };
        let shards = args
            .wanted()
            .shards(seconds.estimate, inputs.count, args.task())?;
        let shards = Division::new(measured, shards, args.task());
        let objects = Objects {
            files: outputs.count.estimate.round() as u64,
        };
        let costs = args.prices.iter().map(|prices| {
            let read = inputs.count as f64;
            prices.cost(
                shards.core_hours,
                read,
                objects.files as f64,
                outputs.bytes.estimate,
            )
        });
        Ok(Self {
            version: VERSION,
            kind,
            inputs,
            sample: Sample {
                count: measured.all().count(),
                failed: measured.all().filter(|one| one.failed).count(),
                seconds: measured.all().map(|one| one.seconds).sum(),
            },
            core_hours: Estimate {
                estimate,
                low,
                high,
            },
            costs: costs.collect(),
            outputs,
            shards,
            objects,
            inputs_to: args
                .inputs_to
                .as_ref()
                .map(|path| path.display().to_string()),
        })
    }
}
