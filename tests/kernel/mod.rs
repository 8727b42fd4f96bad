//! The kernel on every instruction set, by bits.

mod cases;
mod frames;
mod lanes;
