//! Outputs that two passes over inputs would both write.

use std::path::PathBuf;

use super::clash::claimed_twice;
use crate::io::{Found, identity};
use crate::run::batch::options::Options;
use crate::run::batch::work::Work;

/// Returns the first output that two passes would both write: their numbers, and its path. A pass is a number, its work, the inputs and
/// the options. Inputs are read if the names of their outputs depend on what they hold; clashes within one pass are left to it.
pub fn first_shared_output<'p, W: Work + 'p>(
    passes: impl Iterator<Item = (usize, &'p W, &'p [Found], &'p Options)>,
) -> Option<(usize, usize, PathBuf)> {
    let outputs = passes.flat_map(|(pass, work, found, options)| {
        found.iter().flat_map(move |input| {
            let directory = identity(&options.directory_of(input));
            let paths = work.outputs(input, &directory, options, &|| None);
            paths.into_iter().map(move |path| (pass, path))
        })
    });
    let mut shared = claimed_twice(outputs).into_iter();
    shared.find(|(first, second, _)| first != second)
}
