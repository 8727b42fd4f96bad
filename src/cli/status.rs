//! How a command ends: its exit status, and the error that keeps it from starting.

use std::error::Error;

/// All good.
pub const SUCCESS: u8 = 0;
/// Some input failed; the others have been processed.
pub const FAILED: u8 = 1;
/// The run could not start.
pub const COULD_NOT_START: u8 = 2;
/// Some input failed, or the run could not start, for a reason that may pass: `EX_TEMPFAIL` of sysexits.h. A scheduler may start
/// the same run again.
pub const TRY_AGAIN: u8 = 75;

/// An error that keeps a run from starting.
pub type Fatal = Box<dyn Error>;

/// A value, or the error that ends the program.
pub type Result<T, E = Fatal> = std::result::Result<T, E>;

/// Ends a function with a message, as an error that keeps a run from starting.
macro_rules! bail {
    ($($message:tt)*) => {
        return Err(format!($($message)*).into())
    };
}
pub(super) use bail;

/// Returns true if an error, or one that has caused it, is one of the system that may pass.
pub fn is_transient(error: &(dyn Error + 'static)) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(rigy_base::transient::is_transient)
        || error.source().is_some_and(is_transient)
}
