//! An operation of a run that writes an archive fails: without an error the archive is whole, else the earlier one
//! is there or none, and the next run makes it.

use std::path::Path;
use std::sync::Arc;

use rigy_batch::io::faults::{Fault, clear, plant};
use rigy_batch::io::{Durability, Skips, discover};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::run::batch::{
    Batch, Documents, Options, Outcome, OutputFormat, PoseFilter, is_document, thread_pool,
};

use super::run::{is_private, tree};
use super::{Tried, make_old};
use crate::alone::in_own_process;
use crate::support::{Dir, document};

fn run(dir: &Path, durability: Durability) -> (Vec<Outcome>, Vec<String>) {
    let options = Options {
        output: Some(dir.join("out/out.tar")),
        archive: true,
        durability,
        isa: Isa::Scalar,
        ..Options::default()
    };
    let mut outcomes = Vec::new();
    let mut ended = || -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let found = discover(&[dir.join("in")], &is_document, &Skips::default())?;
        let errors = found.unreadable.iter().map(ToString::to_string);
        let mut errors: Vec<String> = errors.collect();
        let (filter, formats) = (PoseFilter::All, [OutputFormat::Glb]);
        let work = Documents::new(&found.found, &options, filter, &formats)?;
        let batch = Batch::new(found.found, options.clone(), work, Arc::default())?;
        let pool = thread_pool(Some(1))?;
        let failures = batch.run(&pool, |outcome| (outcome, 0), |one| outcomes.push(one));
        errors.extend(failures.iter().map(ToString::to_string));
        Ok(errors)
    };
    let errors = ended().unwrap_or_else(|error| vec![error.to_string()]);
    (outcomes, errors)
}

/// Every entry of an archive, from header to header, is in the whole one in the same order.
fn is_part_of(part: &[u8], full: &[u8]) -> bool {
    let mut blocks = full.chunks(512);
    part.chunks(512)
        .all(|block| blocks.any(|other| other == block))
}

#[test]
fn any_operation_of_a_run_that_writes_an_archive_may_fail() {
    if !in_own_process(any_operation_of_a_run_that_writes_an_archive_may_fail) {
        return;
    }
    let dir = Dir::new();
    for name in ["a", "b/c", "d"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("p"));
    }
    let file = dir.path().join("out/out.tar");
    // An archive without entries, of an earlier run.
    let earlier = vec![0; 1024];
    for (durability, again) in [
        (Durability::None, false),
        (Durability::File, true),
        (Durability::Batch, true),
    ] {
        let (_, errors) = run(dir.path(), durability);
        assert_eq!(errors, Vec::<String>::new());
        let full = std::fs::read(&file).unwrap();
        let mut counts = [0; 3];
        let mut tried = Tried::default();
        let kinds: [fn(u64) -> Fault; 3] = [Fault::Once, Fault::FullFrom, Fault::Stale];
        for kind in kinds {
            let prepare = || {
                if again {
                    std::fs::write(&file, &earlier).unwrap();
                    make_old(&file);
                } else {
                    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
                }
            };
            prepare();
            let all = tried.next(kind, dir.path(), || drop(run(dir.path(), durability)));
            for k in all {
                prepare();
                let fault = kind(k);
                plant(fault);
                let (outcomes, errors) = run(dir.path(), durability);
                let hits = clear();
                let Some(hit) = hits.first() else {
                    assert_eq!(errors, Vec::<String>::new());
                    continue;
                };
                let failed: Vec<&Outcome> = outcomes
                    .iter()
                    .filter(|outcome| outcome.has_failed())
                    .collect();
                let say = format!("{fault:?}, {hit:?}: {errors:?} {outcomes:?}");
                let found = std::fs::read(&file).ok();
                if errors.is_empty() && failed.is_empty() {
                    assert!(found.as_ref() == Some(&full), "not whole: {say}");
                    counts[0] += 1;
                } else {
                    // An input that could not be read has no entries. After a failure to force it onto the disk, the archive is there.
                    let is_part = |found: &[u8]| is_part_of(found, &full);
                    let is_right = match &found {
                        None => !again,
                        Some(found) => again && *found == earlier || is_part(found),
                    };
                    assert!(is_right, "neither whole nor absent: {say}");
                    counts[if failed.is_empty() { 2 } else { 1 }] += 1;
                }
                if !matches!(fault, Fault::Once(_)) {
                    let is_transient = |one: &&Outcome| one.has_transient_failure();
                    assert!(failed.iter().all(is_transient), "{say}");
                }
                let is_left = tree(dir.path()).keys().any(|path| is_private(path));
                assert!(!is_left || hit.operation == "remove", "left over: {say}");
                let (_, errors) = run(dir.path(), durability);
                assert_eq!(errors, Vec::<String>::new(), "{say}");
                assert!(std::fs::read(&file).unwrap() == full, "{say}");
            }
        }
        let [unharmed, failed, others] = counts;
        println!("{unharmed} without harm, {failed} with failed inputs, {others} else");
        assert!(failed > 2 && others > 0);
    }
}
