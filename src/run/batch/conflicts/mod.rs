//! Checks that no output overwrites a file that it must not: [`clash`] and [`suspects`] find two outputs that would be
//! one file, and [`sources`] finds outputs that would replace a file that the run reads.

pub mod clash;
pub mod sources;
pub mod suspects;
