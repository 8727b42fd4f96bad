//! Whole runs over documents in this process, with functions planted in the work.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rigy_batch::io::{Found, Skips, discover};
use rigy_batch::run::batch::{
    Batch, Buffers, Documents, JobContext, Options, Outcome, OutputFormat, OutputPlace, PoseFilter,
    Unfinished, Work, is_document, thread_pool_of_at_most,
};

pub fn options(dir: &Path) -> Options {
    Options {
        output: OutputPlace::Below(dir.join("out")),
        hash: true,
        ..Options::default()
    }
}

/// The work of documents, with other functions in place of a document's work and before its outputs are listed.
struct Planted<L, R> {
    documents: Documents,
    look: L,
    run: R,
}

impl<L, R> Work for Planted<L, R>
where
    L: Fn() + Sync,
    R: Fn(&Documents, &JobContext<'_>, &mut Buffers) -> Result<Outcome, Unfinished> + Sync,
{
    fn stem(&self, file_name: &OsStr) -> OsString {
        self.documents.stem(file_name)
    }

    fn outputs(
        &self,
        found: &Found,
        directory: &Path,
        options: &Options,
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf> {
        (self.look)();
        self.documents.outputs(found, directory, options, known)
    }

    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf> {
        self.documents.references(found, options)
    }

    fn describe(&self) -> String {
        self.documents.describe()
    }

    fn estimate(&self, found: &Found) -> u64 {
        self.documents.estimate(found)
    }

    fn run(&self, place: &JobContext<'_>, buffers: &mut Buffers) -> Result<Outcome, Unfinished> {
        (self.run)(&self.documents, place, buffers)
    }
}

pub fn documents(dir: &Path, options: &Options) -> (Vec<Found>, Documents) {
    let found = discover(&[dir.join("in")], &is_document, &Skips::default()).unwrap();
    let found = found.found;
    let documents = Documents::new(&found, options, PoseFilter::All, &[OutputFormat::Glb]);
    (found, documents.unwrap())
}

pub fn outcomes(
    dir: &Path,
    options: Options,
    look: impl Fn() + Sync,
    run: impl Fn(&Documents, &JobContext<'_>, &mut Buffers) -> Result<Outcome, Unfinished> + Sync,
) -> Vec<Outcome> {
    let (found, documents) = documents(dir, &options);
    let work = Planted {
        documents,
        look,
        run,
    };
    let batch = Batch::new(found, options, work, Arc::default()).unwrap();
    outcomes_of(&batch)
}

pub fn outcomes_of(batch: &Batch<impl Work>) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let pool = thread_pool_of_at_most(2).unwrap();
    let errors = batch.run(&pool, |outcome| (outcome, 0), |one| outcomes.push(one));
    assert!(errors.is_empty(), "{errors:?}");
    outcomes
}
