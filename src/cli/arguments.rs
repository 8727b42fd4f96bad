//! The arguments of the program.

use std::ffi::OsString;
use std::sync::OnceLock;

/// The arguments of the program, the name of the program first.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Keeps the arguments of the program, the name of the program first.
pub fn keep(arguments: Vec<OsString>) -> &'static [OsString] {
    ARGUMENTS.get_or_init(|| arguments)
}

/// Returns the arguments of the program, the name of the program first.
pub fn arguments() -> &'static [OsString] {
    ARGUMENTS.get().map_or(&[], Vec::as_slice)
}
