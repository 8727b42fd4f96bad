//! The k-th operation of a run that writes packs fails, for every k: what is said to be written is in a pack that is whole, a
//! set is never whole unless all of it is, and the next run makes it so.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rigy_batch::io::faults::{Fault, clear, plant};
use rigy_batch::io::pack::{Pack, PackFormat, PackSet};
use rigy_batch::io::{Durability, Skips, discover};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::run::batch::{
    Batch, Documents, Options, Outcome, OutputFormat, Packing, PoseFilter, Status, is_document,
    thread_pool,
};

use super::make_old;
use super::run::{is_private, tree};
use crate::alone;
use crate::support::{Dir, document};

type Entries = BTreeMap<String, Vec<u8>>;

/// Runs a batch of documents with small packs. Returns the outcomes, and the failures that belong to no input.
fn run(dir: &Path, format: PackFormat, durability: Durability) -> (Vec<Outcome>, Vec<String>) {
    let options = Options::default()
        .output(dir.join("out"))
        .durability(durability)
        .isa(Isa::Scalar)
        .pack(Packing {
            format,
            name: "p".into(),
            most: 8 << 10,
        });
    let mut outcomes = Vec::new();
    let mut ended = || -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let found = discover(&[dir.join("in")], &is_document, &Skips::default())?;
        let errors = found.unreadable.iter().map(ToString::to_string);
        let mut errors: Vec<String> = errors.collect();
        let work = Documents::new(
            &found.found,
            &options,
            PoseFilter::All,
            &[OutputFormat::Glb],
        )?;
        let batch = Batch::new(found.found, options.clone(), work, Arc::default())?;
        let pool = thread_pool(Some(1))?;
        let failures = batch.run(&pool, |outcome| (outcome, 0), |one| outcomes.push(one));
        errors.extend(failures.iter().map(ToString::to_string));
        Ok(errors)
    };
    let errors = ended().unwrap_or_else(|error| vec![error.to_string()]);
    (outcomes, errors)
}

/// The entries of a set of packs; `None` if it is not whole.
fn entries(out: &Path) -> Option<Entries> {
    let set = PackSet::open(out).ok()?;
    let mut entries = Entries::new();
    for place in set.packs() {
        let pack = place.open().ok()?;
        pack.check_archive().ok()?;
        pack.check_bytes(place.listed.as_ref()).ok()?;
        for entry in pack.entries() {
            entries.insert(entry.path.clone(), pack.read(entry).ok()?);
        }
    }
    Some(entries)
}

fn make_all_old(out: &Path) {
    let found = tree(out).into_keys();
    found
        .filter(|path| path.is_file())
        .for_each(|path| make_old(&path));
}

/// Every output that is said to be written is in a pack, with the right bytes.
fn check_written(outcomes: &[Outcome], out: &Path, full: &Entries, say: &str) {
    let records = outcomes.iter().flat_map(|outcome| &outcome.records);
    for record in records.filter(|record| record.status == Status::Written) {
        let path = record.path.as_ref().unwrap().strip_prefix(out).unwrap();
        let mut parts = path.components();
        let pack = out.join(parts.next().unwrap());
        let path = parts.as_path().to_str().unwrap();
        let pack = Pack::open(&pack).unwrap_or_else(|error| panic!("{error}: {say}"));
        let entry = pack.find(path).unwrap_or_else(|| panic!("{path}: {say}"));
        assert!(pack.read(entry).unwrap() == full[path], "{path}: {say}");
    }
}

#[test]
fn any_operation_of_a_run_with_packs_may_fail() {
    let _alone = alone();
    let dir = Dir::new();
    for name in ["a", "b/c", "d"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("p"));
    }
    let out = dir.path().join("out");
    for (format, durability, again) in [
        (PackFormat::Tar, Durability::None, false),
        (PackFormat::Tar, Durability::File, true),
        (PackFormat::Zip, Durability::Batch, true),
    ] {
        let _ = std::fs::remove_dir_all(&out);
        let (_, errors) = run(dir.path(), format, durability);
        assert_eq!(errors, Vec::<String>::new());
        let full = entries(&out).expect("whole");
        assert_eq!(full.len(), 6);
        let whole = tree(&out);
        let mut counts = [0; 3];
        let kinds: [fn(u64) -> Fault; 3] = [Fault::Once, Fault::FullFrom, Fault::Stale];
        for kind in kinds {
            for k in 1.. {
                if !again {
                    let _ = std::fs::remove_dir_all(&out);
                }
                make_all_old(&out);
                let fault = kind(k);
                plant(fault);
                let (outcomes, errors) = run(dir.path(), format, durability);
                let hits = clear();
                let Some(hit) = hits.first() else {
                    assert_eq!(errors, Vec::<String>::new());
                    break;
                };
                let failed = outcomes.iter().filter(|outcome| outcome.has_failed());
                let say = format!("{fault:?}, {hit:?}: {errors:?} {outcomes:?}");
                check_written(&outcomes, &out, &full, &say);
                let found = entries(&out);
                let count = failed.clone().count();
                if errors.is_empty() && count == 0 {
                    assert!(found.as_ref() == Some(&full), "not whole: {say}");
                    counts[0] += 1;
                } else {
                    // An input that could not be read has no entries; those of the others are right.
                    let is_part =
                        |found: &Entries| found.iter().all(|(path, bytes)| full[path] == *bytes);
                    assert!(found.as_ref().is_none_or(is_part), "wrong bytes: {say}");
                    counts[if count > 0 { 1 } else { 2 }] += 1;
                }
                if !matches!(fault, Fault::Once(_)) {
                    assert!(failed.clone().all(Outcome::has_transient_failure), "{say}");
                }
                let is_left = tree(dir.path()).keys().any(|path| is_private(path));
                assert!(!is_left || hit.operation == "remove", "left over: {say}");
                make_all_old(&out);
                let (_, errors) = run(dir.path(), format, durability);
                assert_eq!(errors, Vec::<String>::new(), "{say}");
                assert!(tree(&out) == whole, "{say}");
            }
        }
        let [unharmed, failed, others] = counts;
        println!("{format:?}: {unharmed} without harm, {failed} with failed inputs, {others} else");
        assert!(failed > 20 && others > 3);
    }
}
