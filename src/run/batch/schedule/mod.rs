//! The scheduling of inputs: which thread works on which input, and when.
//!
//! [`dispatch`] starts jobs on a pool of threads as long as the memory [`budget`] admits them, and [`threads`] makes the pool and puts
//! results in the order of the inputs. [`clock`] measures the time that each input takes, [`progress`] how much of the batch is done.

pub mod budget;
pub mod clock;
pub mod dispatch;
pub mod progress;
pub mod threads;
