//! The data of a report page: the facts of JSON lines, divided into chunks that the page loads when it needs them.
//!
//! In: the outcomes of a run. Out: chunks, each a JSON array that the element `script` of an HTML file may hold. There are
//! four kinds: `rows` has the fields by which outputs are listed, searched and sorted, `findings` has errors and warnings
//! with the lines that they quote, `thumbnails` has pictures, and `models` says what the viewer shows of an output. A row
//! names the chunk and the element of its findings, its picture and its model. No more than one unfinished chunk of each
//! kind is kept in memory.

mod data;
mod messages;
mod row;
mod script;

pub use data::{Chunk, ChunkKind, PageData};
pub use messages::{Message, Messages};
pub use row::{PageExtras, PageFinding, PageMessage, PageModel, PageRow};
pub use script::script_json;
