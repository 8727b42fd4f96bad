//! Limits: a file just within one passes, and a file beyond it is refused soon and without taking much memory.

mod bombs;
mod hostile;
mod late;
mod mutated;
mod options;
mod repeated_work;
mod soon;
