//! What commands print for people: a value goes in, and lines, tables and numbers come out. Control characters are escaped, and
//! tables fit the terminal.

mod listing;
mod numbers;
mod table;
mod value;

pub use listing::{Listing, and_more, at_most};
pub use numbers::{counted, duration, plural, three_digits, whole_seconds};
pub use table::Table;
pub use value::{Shows, bounds};
