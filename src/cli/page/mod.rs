//! The report page of a run, which a browser shows: `--html FILE`.
//!
//! In: the rows of outcomes as they come, and the counts at the end. Out: one HTML file with style, script and the first
//! [`INLINE_LEN`](writer) bytes of the data; the rest of the data is in files of JavaScript in the directory `FILE.data`,
//! which the page loads when it needs them. `viewer/src/report` has the sources of style and script.

mod html;
mod target;
mod thumbnail;
mod writer;

pub use target::{PageTarget, data_directory};
pub use thumbnail::thumbnail;
pub use writer::ReportPage;
