//! What commands print for people: a value goes in, and lines, tables and numbers come out. Control characters are escaped, and
//! tables fit the terminal.

mod left_out;
mod listing;
mod numbers;
mod table;
mod value;

pub use left_out::{and_more, at_most};
pub use listing::Listing;
pub use numbers::{counted, duration, plural, three_digits, whole_seconds};
pub use table::Table;
pub use value::{Shows, bounds};
