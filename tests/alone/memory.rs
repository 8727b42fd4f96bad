//! The files that a document imports count as memory before they are read.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use rigy_batch::Options;
use rigy_batch::run::batch::{MemoryLimit, Outcome, Unfinished, Work};

use crate::alone::in_own_process;
use crate::alone::planted::{options, outcomes};
use crate::support::{Dir, PART, USER};

/// How often one of two documents below `in` had to wait for the other, within `memory` bytes. Both are done at the
/// same time: neither ends before the other has.
fn postponed(dir: &Dir, memory: u64) -> usize {
    let [begun, ended, postponed] = [(); 3].map(|()| AtomicUsize::new(0));
    let wait = |count: &AtomicUsize| {
        while count.load(SeqCst) < 2 {
            std::thread::yield_now();
        }
    };
    let options = Options {
        force: true,
        memory: MemoryLimit::Bytes(memory),
        ..options(dir.path())
    };
    let outcomes = outcomes(
        dir.path(),
        options,
        || {},
        |documents, place, buffers| {
            begun.fetch_add(1, SeqCst);
            wait(&begun);
            let result = documents.run(place, buffers);
            let waits = matches!(result, Err(Unfinished::Postponed(_)));
            postponed.fetch_add(usize::from(waits), SeqCst);
            ended.fetch_add(1, SeqCst);
            wait(&ended);
            result
        },
    );
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.iter().all(Outcome::has_failed), "read in the end");
    postponed.into_inner()
}

#[test]
fn documents_wait_for_each_other_before_they_read_what_they_import() {
    if !in_own_process(documents_wait_for_each_other_before_they_read_what_they_import) {
        return;
    }
    let dir = Dir::new();
    // The part has a fault, so that a document that has read it fails without waiting for more.
    let long = format!("{PART}]\n#{}", "#".repeat(1_000_000));
    let user = |part: &str| USER.replace("p.part", part);
    // One imports its part itself, the other by way of a short one.
    dir.write("in/a.rigy.yaml", user("long"));
    dir.write("in/long.yaml", &long);
    dir.write("in/b.rigy.yaml", user("short"));
    let imports = "imports: {q: {source: longer.yaml}}\n";
    dir.write("in/short.yaml", format!("{PART}{imports}"));
    dir.write("in/longer.yaml", &long);
    assert_eq!(postponed(&dir, u64::MAX), 0);
    // Each takes 160 bytes for each byte of text.
    assert_eq!(postponed(&dir, 200 << 20), 1);
}
