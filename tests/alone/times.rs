//! File systems whose times are whole seconds: a file that changes within the second in which it was noted keeps its stamp.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rigy_batch::io::faults::{self, Times};
use rigy_batch::run::batch::{Batch, Options, Outcome, OutputPlace, Status};

use crate::alone::in_own_process;
use crate::alone::planted::{documents, outcomes_of};
use crate::support::{Dir, document};

fn bytes(dir: &Dir, name: &str) -> Vec<u8> {
    fs::read(dir.path().join(name)).unwrap()
}

/// Whole seconds until this is dropped.
struct Coarse;

impl Coarse {
    fn plant() -> Self {
        faults::plant_times(Times::WholeSeconds);
        Self
    }
}

impl Drop for Coarse {
    fn drop(&mut self) {
        faults::plant_times(Times::Exact);
    }
}

/// Runs over all documents below `in`; returns the outcomes, and those of pruning.
fn run(dir: &Dir, options: Options) -> (Vec<Outcome>, Vec<Outcome>) {
    let options = Options {
        output: OutputPlace::Below(dir.path().join("out")),
        paths: vec![dir.path().join("in")],
        prune: true,
        ..options
    };
    let (found, work) = documents(dir.path(), &options);
    let batch = Batch::new(found, options, work, Arc::default()).unwrap();
    let outcomes = outcomes_of(&batch);
    let pruned = batch.prune();
    assert!(pruned.failures.is_empty(), "{:?}", pruned.failures);
    (outcomes, pruned.outcomes)
}

fn one_document() -> Dir {
    let dir = Dir::new();
    dir.write(ALL[0], document("p"));
    dir
}

fn notes(dir: &Dir) -> String {
    String::from_utf8(bytes(dir, "out/.rigy-batch/cache")).unwrap()
}

/// Writes other bytes of the same number into a file, in place.
fn change(dir: &Dir, name: &str, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let path = dir.path().join(name);
    let bytes = fs::read(&path).unwrap();
    let at = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes());
    let mut changed = bytes;
    let at = at.expect("the file has this text");
    changed[at..at + to.len()].copy_from_slice(to.as_bytes());
    fs::write(path, changed).unwrap();
}

fn statuses(outcomes: &[Outcome]) -> Vec<Status> {
    outcomes
        .iter()
        .flat_map(|outcome| &outcome.records)
        .map(|record| record.status)
        .collect()
}

/// Sets the time of a file, so that an edit leaves no trace in it.
fn freeze(dir: &Dir, name: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(dir.path().join(name));
    file.unwrap().set_modified(time).unwrap();
}

const ALL: [&str; 3] = ["in/a.rigy.yaml", "out/a.glb", "out/a.p.glb"];

#[test]
fn an_input_that_changes_within_the_second_of_its_note_is_compiled_again() {
    if !in_own_process(an_input_that_changes_within_the_second_of_its_note_is_compiled_again) {
        return;
    }
    let _coarse = Coarse::plant();
    let dir = one_document();
    for turn in 0..20 {
        let (from, to) = if turn % 2 == 0 {
            ("x: 1}", "x: 2}")
        } else {
            ("x: 2}", "x: 1}")
        };
        let now = SystemTime::now();
        freeze(&dir, ALL[0], now);
        run(&dir, Options::default());
        let before = bytes(&dir, "out/a.glb");
        change(&dir, ALL[0], from, to);
        freeze(&dir, ALL[0], now);
        run(&dir, Options::default());
        assert_ne!(bytes(&dir, "out/a.glb"), before, "turn {turn}");
    }
}

#[test]
fn an_output_that_changes_within_the_second_of_its_note_is_made_again() {
    if !in_own_process(an_output_that_changes_within_the_second_of_its_note_is_made_again) {
        return;
    }
    let _coarse = Coarse::plant();
    let dir = one_document();
    run(&dir, Options::default());
    let right = bytes(&dir, ALL[1]);
    change(&dir, ALL[1], "glTF", "glXF");
    let (outcomes, _) = run(
        &dir,
        Options {
            hash: true,
            ..Options::default()
        },
    );
    assert_eq!(statuses(&outcomes), [Status::Written, Status::Unchanged]);
    assert_eq!(bytes(&dir, ALL[1]), right);
}

#[test]
fn an_output_that_changes_within_the_second_of_its_note_is_not_pruned() {
    if !in_own_process(an_output_that_changes_within_the_second_of_its_note_is_not_pruned) {
        return;
    }
    let _coarse = Coarse::plant();
    let dir = one_document();
    dir.write("in/b.rigy.yaml", document("p"));
    run(&dir, Options::default());
    change(&dir, ALL[1], "glTF", "glXF");
    fs::remove_file(dir.path().join(ALL[0])).unwrap();
    let (_, pruned) = run(&dir, Options::default());
    assert_eq!(pruned.len(), 1);
    assert_eq!(pruned[0].records.len(), 1, "{pruned:?}");
    assert!(dir.path().join(ALL[1]).exists() && !dir.path().join(ALL[2]).exists());
}

#[test]
fn a_note_is_certain_after_the_bytes_have_been_compared_once() {
    if !in_own_process(a_note_is_certain_after_the_bytes_have_been_compared_once) {
        return;
    }
    let _coarse = Coarse::plant();
    let dir = one_document();
    run(&dir, Options::default());
    let last = |notes: &str| {
        notes
            .lines()
            .rev()
            .find(|line| line.contains("a.rigy"))
            .unwrap()
            .to_owned()
    };
    assert!(last(&notes(&dir)).contains("\"uncertain\":true"));
    std::thread::sleep(Duration::from_millis(3100));
    let (outcomes, _) = run(&dir, Options::default());
    assert!(outcomes[0].known);
    let certain = notes(&dir);
    assert!(!last(&certain).contains("uncertain"), "{certain}");
    let (outcomes, _) = run(&dir, Options::default());
    assert!(outcomes[0].known);
    assert_eq!(notes(&dir), certain, "nothing is noted again");
}

#[test]
fn times_in_the_future_are_uncertain_on_every_file_system() {
    if !in_own_process(times_in_the_future_are_uncertain_on_every_file_system) {
        return;
    }
    let dir = one_document();
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    freeze(&dir, ALL[0], tomorrow);
    run(&dir, Options::default());
    assert!(notes(&dir).contains("\"uncertain\":true"));
    // An ordinary file system gives no reason for doubt.
    let dir = one_document();
    run(&dir, Options::default());
    assert!(!notes(&dir).contains("uncertain"));
}

#[test]
fn an_input_in_another_image_with_the_same_fixed_times_is_compiled_again() {
    if !in_own_process(an_input_in_another_image_with_the_same_fixed_times_is_compiled_again) {
        return;
    }
    // An image that is mounted in the place of an older one, with the same lengths, numbers and times.
    faults::plant_times(Times::Fixed(1_000_000_000));
    let dir = one_document();
    run(&dir, Options::default());
    let before = bytes(&dir, ALL[1]);
    let (outcomes, _) = run(&dir, Options::default());
    assert!(outcomes[0].known);
    change(&dir, ALL[0], "x: 1}", "x: 2}");
    let (outcomes, _) = run(&dir, Options::default());
    assert_eq!(statuses(&outcomes), [Status::Written; 2]);
    assert_ne!(bytes(&dir, ALL[1]), before);
    faults::plant_times(Times::Exact);
}
