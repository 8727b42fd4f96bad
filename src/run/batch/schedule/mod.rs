//! The scheduling of inputs: which thread works on which input, and when.
//!
//! [`dispatch`] starts jobs on a pool of threads as long as the memory [`budget`] admits them, and passes results on in
//! the [`order`] of the inputs. [`threads`] makes the pool, and [`clock`] measures the time that each input takes,
//! [`frames_made`] counts frames for the progress bar.

pub mod budget;
pub mod clock;
pub mod dispatch;
pub mod threads;
