//! The place where tests make an operation fail, or plant times.

use std::io;
use std::path::Path;

use rigy_base::loader::Stamp;

/// Fails if a test has planted a fault for this operation; without debug assertions, never fails.
pub fn pass(operation: &'static str, path: &Path) -> io::Result<()> {
    #[cfg(debug_assertions)]
    return crate::io::faults::pass(operation, path);
    #[cfg(not(debug_assertions))]
    return {
        let _ = (operation, path);
        Ok(())
    };
}

/// Returns a stamp with the times that a test has planted; without debug assertions, with its own.
pub fn with_planted_times(stamp: Stamp) -> Stamp {
    #[cfg(debug_assertions)]
    return crate::io::faults::with_planted_times(stamp);
    #[cfg(not(debug_assertions))]
    return stamp;
}
