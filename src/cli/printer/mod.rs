//! Commands print for people by this module. It lays out values as lines, tables and numbers, escapes control characters, and fits tables
//! to the terminal.

mod left_out;
mod listing;
mod numbers;
mod table;
mod value;

pub use left_out::{and_more, at_most};
pub use listing::Listing;
pub use numbers::{counted, duration, plural, whole_seconds};
pub use rigy_base::short::three_digits;
pub use table::Table;
pub use value::{Shows, bounds};
