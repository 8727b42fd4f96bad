//! Listing a prefix of a store: which keys are passed over, and which are inputs.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::walk::{Rules, Walked};
use crate::io::store::list_below;

/// Finds the inputs below a root on a store, sorted by path; returns `None` for another root. Keys count as paths, so the rules
/// about directories hold for what a key has before its last slash. Ignore files on stores are not read.
///
/// # Errors
/// If the store cannot be asked.
pub(super) fn list(
    root: &Path,
    is_input: &dyn Fn(&OsStr) -> bool,
    rules: &Rules,
) -> Option<io::Result<Walked>> {
    let mut walked = Walked::default();
    let listed = list_below(root, &mut |key| {
        let below = Path::new(key);
        let is_named = below.file_name().is_some_and(is_input);
        if is_named && rules.admit_key(root, below, &mut walked.left_out) {
            walked.files.push(root.join(below));
        }
    });
    Some(listed?.map(|()| {
        walked.files.sort_unstable();
        walked
    }))
}
