//! Several passes of `bake` over the same inputs, one for each table of the configuration file.

use std::path::PathBuf;

use super::super::bake_args::Bake;
use super::super::formats::OutcomeFormat;
use super::super::inputs::{FileKind, WhenEmpty};
use super::super::{Fatal, print_message, streams};
use crate::run::batch::{Bakes, first_shared_output};

/// Returns the directories that outputs of all passes go to, and those that the configuration file names for documents: no
/// pass takes the outputs of another run for inputs.
pub(super) fn output_directories(passes: &[Bake]) -> Vec<PathBuf> {
    let outputs = passes.iter().filter_map(|pass| pass.batch.output.clone());
    let loaded = passes
        .iter()
        .find_map(|pass| pass.batch.source.loaded.as_ref());
    let of_documents = loaded.and_then(|loaded| loaded.documents_output());
    outputs.chain(of_documents).collect()
}

/// Names the pass that begins, for people.
pub fn announce(pass: &Bake, index: usize, is_first: bool) {
    let common = &pass.batch.common;
    if is_first && !common.quiet && common.format == OutcomeFormat::Human {
        print_message(&format!("bakes as {} says", place(pass, index)));
    }
}

/// Returns the file and the line of a pass.
fn place(pass: &Bake, index: usize) -> String {
    let loaded = pass.batch.source.loaded.as_ref();
    loaded.map_or_else(|| format!("pass {index}"), |loaded| loaded.pass(index))
}

/// Refuses standard streams for several passes.
///
/// # Errors
/// If a pass is to read from standard input or to write to standard output.
pub fn refuse_streams(passes: &[Bake]) -> Result<(), Fatal> {
    let uses_streams = |pass: &Bake| streams::are_meant(&pass.batch, &pass.paths);
    match passes.iter().any(uses_streams) {
        false => Ok(()),
        true => Err("`-` is for one output, and there are several `[[bake]]`: name a file or a directory, or give `--no-config`".into()),
    }
}

/// Checks that the passes can be one run: each of them can start, there is no report, and no two of them write one file.
///
/// # Errors
/// If that is not so. Nothing has been written.
pub fn check(passes: &[Bake]) -> Result<(), Fatal> {
    for pass in passes {
        if pass.batch.archive().is_some() {
            return Err(
                "an archive is of one table, and there are several `[[bake]]`: name a directory after `-o`, or run each table with a file of its own after `--config`".into(),
            );
        }
        if pass.batch.report.is_some() || pass.batch.html().is_some() {
            return Err(
                "a report is about one table, and there are several `[[bake]]`: leave out `--report` and `--html`, or run each table with a file of \
                 its own after `--config`"
                    .into(),
            );
        }
        let format = pass.batch.common.format;
        if matches!(format, OutcomeFormat::Sarif | OutcomeFormat::Junit) {
            return Err("`--format sarif` and `--format junit` are one document about one table, and there are several `[[bake]]`: use \
                        another format, or run each table with a file of its own after `--config`"
                .into());
        }
        if pass.batch.prune {
            return Err("`--prune` would remove what other tables make: leave it out, or run each table with a file of its own after `--config`".into());
        }
        pass.check()?;
    }
    let mut outputs = Vec::new();
    for (index, pass) in passes.iter().enumerate() {
        let options = pass.batch.options(&pass.paths, pass.output_ending())?;
        let skips = super::skips(passes, pass);
        let found = pass.batch.find(
            &pass.paths,
            FileKind::Gltf,
            &skips,
            WhenEmpty::Silent,
            options.shard,
        )?;
        let found = found.found;
        let work = Bakes::new(&found, &options, pass.job()?)?;
        outputs.push((index, work, found, options));
    }
    let all = outputs
        .iter()
        .map(|(index, work, found, options)| (*index, work, &**found, options));
    match first_shared_output(all) {
        None => Ok(()),
        Some((first, second, path)) => {
            let places = [first, second].map(|index| place(&passes[index], index));
            Err(format!(
                "the tables at {} and {} would both write `{}`; give one of them another `output`",
                places[0],
                places[1],
                path.display()
            )
            .into())
        }
    }
}
