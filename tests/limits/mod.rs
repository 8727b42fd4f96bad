//! Limits: a file just within one passes, and a file beyond it is refused soon and without taking much memory.

mod hostile;
mod late;
mod options;
mod repeated_work;
mod soon;
