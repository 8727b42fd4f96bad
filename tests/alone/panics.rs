//! A planted panic in one input: it is reported as a bug, nothing of that input is left, and the others are done.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rigy_batch::run::batch::{Outcome, Work};

use crate::alone::in_own_process;
use crate::alone::planted::{options, outcomes};
use crate::support::{Dir, document};

/// Index of the document that panics.
const UNLUCKY: usize = 2;

/// The outcomes of all documents below `in`, one of which panics. If `looks_panic`, all of them panic while their
/// outputs are listed.
fn run(dir: &Path, looks_panic: bool) -> Vec<Outcome> {
    let done = AtomicUsize::new(0);
    outcomes(
        dir,
        options(dir),
        || assert!(!looks_panic, "planted"),
        |documents, place, buffers| {
            if done.fetch_add(1, Ordering::SeqCst) == UNLUCKY {
                panic!("planted");
            }
            documents.run(place, buffers)
        },
    )
}

#[test]
fn a_panic_spoils_its_own_input_only() {
    if !in_own_process(a_panic_spoils_its_own_input_only) {
        return;
    }
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
    // The second run has no panic, and does only the input that was left out.
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
    if !in_own_process(a_panic_while_names_are_compared_does_not_keep_others_from_being_done) {
        return;
    }
    let dir = Dir::new();
    // A pose of `a` could be called like `a.b`, so all three are read before the first is done.
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
