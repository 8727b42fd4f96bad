//! The explanations of codes: one table, which `rigy-batch explain`, the page of codes and editors show.

mod example;
mod table;

pub use example::{Example, Explanation, Fixture};
pub use table::{EXPLANATIONS, of};
