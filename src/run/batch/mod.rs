//! Many documents at once.
//!
//! In: inputs, options and sinks. Out: one [`Outcome`] per input, in the order of the inputs whatever order the
//! work is done in. This is the only room that knows threads. A document's files are written only once all of
//! them are ready; a document that fails, or even panics, leaves the others alone.

mod bake_content;
mod bakes;
mod budget;
mod cache;
mod clock;
mod content;
mod dispatch;
mod documents;
mod frames;
mod key;
mod memory;
mod merge;
mod names;
mod options;
mod order;
mod outcome;
mod outputs;
mod report;
mod report_lines;
mod run;
mod scheduler;
mod shard;
mod sources;
mod staging;
mod suspects;
mod threads;
mod timings;
mod work;

pub use bakes::{BakeJob, Bakes};
pub use budget::Postponed;
pub use clock::{Stage, Times};
pub use documents::{Documents, PoseFilter};
pub use frames::Frames;
pub use merge::{MergeError, MergeFault, merge_reports};
pub use names::{
    Clash, OutputFormat, bake_file_name, clashes, document_stem, export_file_name, gltf_stem,
    is_document, is_gltf_input, pose_file_name,
};
pub use options::Options;
pub use outcome::{Outcome, OutputRecord, Status};
pub use report::{Ended, Finding, LastLine, Line, ReportWriter, Summary, is_report};
pub use run::{Batch, StartError};
pub use shard::{Shard, ShardError};
pub use threads::{MAX_THREADS, ThreadsError, thread_count, thread_pool, thread_pool_of_at_most};
pub use timings::{Figures, Slow, StageFigures, Timings, TimingsReport};
pub use work::{Buffers, Place, Standing, Work};
