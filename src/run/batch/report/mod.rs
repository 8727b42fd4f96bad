//! Reports of a run as JSON: [`line`](mod@line) has one object for each output, [`summary`] the counts that end a report,
//! [`writer`] puts them into a report file, and [`reader`] reads such a file again so that [`merge`] can join the
//! reports of shards. [`timings`] collects how long inputs have taken. [`page`] makes the data of an HTML page of the same facts.

pub mod line;
pub mod merge;
pub mod page;
pub mod reader;
pub mod summary;
pub mod timings;
pub mod writer;
