//! Many documents at once.
//!
//! In: inputs, options and sinks. Out: one [`Outcome`] per input, in the order of the inputs whatever order the
//! work is done in. This is the only room that knows threads. A document's files are written only once all of
//! them are ready; a document that fails, or even panics, leaves the others alone.

mod content;
pub(crate) use content::sha256;
mod job;
mod names;
mod options;
mod order;
mod outcome;
mod outputs;
mod report;
mod run;
mod split;

pub use names::{Clash, OutputFormat, clashes, document_stem, export_file_name, pose_file_name};
pub use options::{Options, PoseFilter};
pub use outcome::{Outcome, OutputRecord, Status};
pub use report::{Finding, Line, Summary};
pub use run::{Batch, StartError, document_suffixes, thread_pool};
pub use split::{SPLIT_ABOVE, SplitByRayon, piece_len};
