//! Many inputs at once.
//!
//! A [`Batch`] takes inputs, options and a kind of [`Work`], and yields one [`Outcome`] for each input, in the order of
//! the inputs whatever order the work is done in. An input's files are written only once all of them are ready; an input
//! that fails, or even panics, does not affect the others.
//!
//! `work` turns one input into its outputs, `schedule` decides when each input is worked on and by which thread, `cache`
//! recognises inputs whose outputs are up to date, `prune` finds outputs that are no longer made, `conflicts` refuses outputs
//! that would overwrite other files, `shard` selects a part of the inputs, and `report` describes outcomes as JSON.

mod cache;
mod conflicts;
mod options;
mod outcome;
mod output_place;
mod prune;
mod report;
mod run;
mod schedule;
mod shard;
mod work;

pub use crate::compile::is_document;
pub use cache::key::loaded_from;
pub use conflicts::{Clash, clashes};
pub use options::{HeldInput, Options};
pub use outcome::{Outcome, OutputRecord, Placed, RecordMoment, Status};
pub use output_place::{HeldOutput, OutputPlace};
pub use report::line::Line;
pub use report::merge::merge_reports;
pub use report::page::{
    Chunk, ChunkKind, Message, Messages, PageData, PageExtras, PageFinding, PageMessage, PageModel,
    PageRow, script_json,
};
pub use report::reader::{MergeError, MergeFault};
pub use report::summary::{Ended, InputCounts, LastLine, Summary};
pub use report::timings::{Figures, Slow, StageFigures, Timings, TimingsReport};
pub use report::writer::{JSON_VERSION, ReportWriter, is_report};
pub use run::{Batch, Pruned, StartError};
pub use schedule::budget::{MemoryLimit, Postponed};
pub use schedule::clock::{Clock, Stage, Times};
pub use schedule::progress::Progress;
pub use schedule::threads::{MAX_THREADS, ThreadsError, thread_count, thread_pool_of_at_most};
#[cfg(feature = "cli")]
pub use shard::{Shard, ShardError};
pub use work::bake_exports::{ExportKind, ExportedClip, Exporter};
pub use work::bake_job::{BakeJob, Clips, MissingAnimation, SampleTimes, Textures};
pub use work::bake_options::BakeOptions;
pub use work::bake_plan::ClipPlan;
pub use work::bake_values::{FormName, OutputKind};
pub use work::bakes::Bakes;
pub use work::content::OutputFormat;
pub use work::documents::{Documents, PoseFilter};
pub use work::frames::Frames;
pub use work::job::{Buffers, JobContext, Unfinished, Work};
pub use work::names::{bake_file_name, document_stem, gltf_stem, is_gltf_input, pose_file_name};

#[cfg(feature = "cli")]
pub(crate) use self::{
    report::writer::has_shape,
    schedule::budget::{Budget, Grant},
    work::{
        bake_arguments::{finite, motion, number},
        bake_content::check_limits,
        bake_plan::planned_clips,
        estimate::check_can_allocate,
        outputs::pose_clashes,
    },
};
