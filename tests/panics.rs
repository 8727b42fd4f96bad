//! A panic in one input, planted: it is reported as the bug it is, nothing of that input is left, the others are done.

mod support;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rigy_batch::batch::{
    Batch, Buffers, Documents, Options, Outcome, Place, PoseFilter, Postponed, Work, is_document,
    thread_pool,
};
use rigy_batch::diag::WarningPolicy;
use rigy_batch::io::{Durability, Found, discover};
use rigy_batch::limits::Limits;
use rigy_batch::simd::Isa;
use support::{Dir, document};

/// The work of documents, but for one of them.
struct Panicking {
    documents: Documents,
    /// How many are done.
    done: AtomicUsize,
    /// Whether it panics, too, when one is asked for its outputs.
    looks_panic: bool,
}

/// Which of them panics.
const UNLUCKY: usize = 2;

impl Work for Panicking {
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
        assert!(!self.looks_panic, "planted");
        self.documents.outputs(found, directory, options, known)
    }

    fn describe(&self) -> String {
        self.documents.describe()
    }

    fn estimate(&self, found: &Found) -> u64 {
        self.documents.estimate(found)
    }

    fn run(&self, place: &Place<'_>, buffers: &mut Buffers) -> Result<Outcome, Postponed> {
        if self.done.fetch_add(1, Ordering::SeqCst) == UNLUCKY {
            panic!("planted");
        }
        self.documents.run(place, buffers)
    }
}

fn options(dir: &Path) -> Options {
    Options {
        output: Some(dir.join("out")),
        root: None,
        force: false,
        dry_run: false,
        fail_fast: false,
        warnings: WarningPolicy::default(),
        hash: true,
        map: true,
        durability: Durability::None,
        isa: Isa::best(),
        memory: u64::MAX,
        shard: None,
        limits: Limits::DEFAULT,
    }
}

/// Outcomes of all documents below `in`.
fn run(dir: &Path, looks_panic: bool) -> Vec<Outcome> {
    let options = options(dir);
    let (found, _) = discover(&[dir.join("in")], &is_document, options.output.as_deref()).unwrap();
    let documents = Documents::new(&found, &options, PoseFilter::All, false).unwrap();
    let work = Panicking {
        documents,
        done: AtomicUsize::new(0),
        looks_panic,
    };
    let batch = Batch::new(found, options, work, Arc::default()).unwrap();
    let mut outcomes = Vec::new();
    let pool = thread_pool(Some(2)).unwrap();
    let errors = batch.run(
        &pool,
        |outcome| (outcome, 0),
        |outcome| outcomes.push(outcome),
    );
    assert!(errors.is_empty(), "{errors:?}");
    outcomes
}

#[test]
fn a_panic_spoils_its_own_input_only() {
    let dir = Dir::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("bow"));
    }
    let outcomes = run(dir.path(), false);
    assert_eq!(outcomes.len(), 6);
    let failed: Vec<&Outcome> = outcomes.iter().filter(|o| o.has_failed()).collect();
    let [failed] = &*failed else {
        panic!("{} failed", failed.len());
    };
    let message = &failed.errors[0].message;
    assert!(message.contains("a bug in rigy-batch"), "{message}");
    let outputs = dir
        .files()
        .iter()
        .filter(|name| name.starts_with("out/"))
        .count();
    assert_eq!(outputs, 5 * 2);
    // Nobody panics the second time: what was left out is done, and it alone.
    let again = run(dir.path(), false);
    assert!(again.iter().all(|outcome| !outcome.has_failed()));
    let outputs = dir
        .files()
        .iter()
        .filter(|name| name.starts_with("out/"))
        .count();
    assert_eq!(outputs, 6 * 2);
}

#[test]
fn a_panic_while_names_are_compared_does_not_keep_others_from_being_done() {
    let dir = Dir::new();
    // A pose of `a` could be called like `a.b`, so all three are looked into before the first is done.
    for name in ["a", "a.b", "a.c"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("bow"));
    }
    let outcomes = run(dir.path(), true);
    let failed: Vec<bool> = outcomes.iter().map(Outcome::has_failed).collect();
    assert_eq!(failed.len(), 3);
    let failed = failed.into_iter().filter(|failed| *failed).count();
    assert_eq!(failed, 1, "the one that panics when it is done, too");
    let files = dir.files();
    let outputs = files.iter().filter(|name| name.starts_with("out/"));
    assert_eq!(outputs.count(), 2 * 2);
}
