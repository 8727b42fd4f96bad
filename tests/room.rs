//! What a document imports counts as memory before it is read.

mod support;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use rigy_batch::batch::{
    Batch, Buffers, Documents, Options, Outcome, Place, PoseFilter, Postponed, Work, is_document,
    thread_pool,
};
use rigy_batch::diag::WarningPolicy;
use rigy_batch::io::{Durability, Found, discover};
use rigy_batch::limits::Limits;
use rigy_batch::simd::Isa;
use support::{Dir, PART, USER};

/// The work of documents, of which the first two are done at the same time: neither ends before the other has.
struct Together {
    documents: Documents,
    begun: AtomicUsize,
    ended: AtomicUsize,
    postponed: Arc<AtomicUsize>,
}

impl Work for Together {
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
        self.documents.outputs(found, directory, options, known)
    }

    fn describe(&self) -> String {
        self.documents.describe()
    }

    fn estimate(&self, found: &Found) -> u64 {
        self.documents.estimate(found)
    }

    fn run(&self, place: &Place<'_>, buffers: &mut Buffers) -> Result<Outcome, Postponed> {
        let wait = |count: &AtomicUsize| {
            while count.load(SeqCst) < 2 {
                std::thread::yield_now();
            }
        };
        self.begun.fetch_add(1, SeqCst);
        wait(&self.begun);
        let result = self.documents.run(place, buffers);
        self.postponed
            .fetch_add(usize::from(result.is_err()), SeqCst);
        self.ended.fetch_add(1, SeqCst);
        wait(&self.ended);
        result
    }
}

/// How often one of two documents below `in` had to wait for the other, within so much memory.
fn postponed(dir: &Dir, memory: u64) -> usize {
    let options = Options {
        output: Some(dir.path().join("out")),
        root: None,
        force: true,
        dry_run: false,
        fail_fast: false,
        warnings: WarningPolicy::default(),
        hash: true,
        map: true,
        durability: Durability::None,
        isa: Isa::best(),
        memory,
        shard: None,
        limits: Limits::DEFAULT,
    };
    let (found, _) = discover(&[dir.path().join("in")], &is_document, None).unwrap();
    let postponed = Arc::new(AtomicUsize::new(0));
    let work = Together {
        documents: Documents::new(&found, &options, PoseFilter::All, false).unwrap(),
        begun: AtomicUsize::new(0),
        ended: AtomicUsize::new(0),
        postponed: postponed.clone(),
    };
    let batch = Batch::new(found, options, work, Arc::default()).unwrap();
    let mut outcomes = Vec::new();
    let pool = thread_pool(Some(2)).unwrap();
    let errors = batch.run(&pool, |outcome| (outcome, 0), |one| outcomes.push(one));
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.iter().all(Outcome::has_failed), "read in the end");
    postponed.load(SeqCst)
}

#[test]
fn documents_wait_for_each_other_before_they_read_what_they_import() {
    let dir = Dir::new();
    // Whoever reads it finds a fault, and need not wait for anything.
    let long = format!("{PART}]\n#{}", "#".repeat(1 << 20));
    let user = |part: &str| USER.replace("p.part", part);
    // One imports its part itself, the other by way of a short one.
    dir.write("in/a.rigy.yaml", user("long"));
    dir.write("in/long.yaml", &long);
    dir.write("in/b.rigy.yaml", user("short"));
    let imports = "imports: {q: {source: longer.yaml}}\n";
    dir.write("in/short.yaml", format!("{PART}{imports}"));
    dir.write("in/longer.yaml", &long);
    assert_eq!(postponed(&dir, u64::MAX), 0);
    assert_eq!(postponed(&dir, 100 << 20), 1);
}
