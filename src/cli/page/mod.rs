//! The report page of a run, which a browser shows: `--html FILE`.
//!
//! In: the rows of outcomes as they come, and the counts at the end. Out: one HTML file with style, script and the first
//! [`INLINE_LEN`](writer) bytes of the data; the rest of the data is in files of JavaScript in the directory `FILE.data`,
//! which the page loads when it needs them. That directory also has the page of the viewer and the scenes that it shows,
//! one for each input. `viewer/src/report` has the sources of style and script.

mod html;
mod models;
mod viewer;
mod writer;

pub use html::{Circumstances, Thumbnails};
pub use models::{DataFile, Model, Models, Shown};
pub use viewer::{PAGE_START, scene_script, view_page, viewer_page};
pub use writer::{PageTarget, ReportPage, RunEnd, data_directory};
