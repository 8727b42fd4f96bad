//! The two rules by which no output overwrites a file that it must not: [`paths`] and [`sources`].

pub mod paths;
pub mod sources;
