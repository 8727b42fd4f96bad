//! Each distinct operation on a file fails, and in the soak each operation: the right file is named, nothing is half done or left
//! over, other inputs are done, and the same run without faults then does all.

mod page;
mod run;

use std::collections::HashSet;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rigy_batch::base::paths::Slashed;
use rigy_batch::io::faults::{Fault, Hit, clear, plant};

use crate::alone::in_own_process;
use crate::support::Dir;
use run::{Case, Tree, inputs, is_of_page, is_private, run, tree};

/// True if an operation may fail without an error of the run, if all is done nevertheless: it only reads, removes what is left over, or
/// tags a private directory, which the next run does.
fn may_fail(hit: &Hit) -> bool {
    let name = hit.path.file_name().unwrap_or_default().to_string_lossy();
    let is_tag =
        [".gitignore", "CACHEDIR.TAG"].contains(&&*name) || name.starts_with(".rigy-batch-");
    is_tag
        || [
            "list", "look at", "map", "open", "read", "remove", "resolve",
        ]
        .contains(&hit.operation)
}

/// Makes a file look as if it had not been written just now. A run waits to see whether such a file still changes.
fn make_old(path: &Path) {
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(hour_ago).unwrap();
}

/// The operations that have failed, each once with its kind of fault: its verb, and its path below the root without digits.
#[derive(Default)]
struct Tried(HashSet<(Fault, &'static str, String)>);

impl Tried {
    /// The numbers of the operations of a run that are to fail: a third, from run to run another one, of those that have not been
    /// tried yet; with `RIGY_FULL` all. A last number is beyond them, so that a run without a fault is tried as well.
    fn next(&mut self, kind: fn(u64) -> Fault, root: &Path, run: impl FnOnce()) -> Vec<u64> {
        plant(Fault::Record);
        run();
        let mut operations = clear();
        if matches!(kind(1), Fault::FullFrom(_)) {
            operations.retain(Hit::needs_space);
        }
        let end = operations.len() as u64 + 1;
        let numbered = (1..).zip(&operations);
        if std::env::var_os("RIGY_FULL").is_some() {
            return (1..=end).collect();
        }
        let new = numbered.filter(|(_, hit)| {
            let path = hit.path.strip_prefix(root).unwrap_or(&hit.path);
            let path = path.to_string_lossy();
            let shape = path.replace(|letter: char| letter.is_ascii_digit(), "");
            self.0.insert((kind(0), hit.operation, shape))
        });
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let first = since.unwrap().as_secs() as usize % 3;
        let sample = new.skip(first).step_by(3).map(|(k, _)| k);
        sample.chain([end]).collect()
    }
}

/// Removes the files of earlier runs, or puts old ones there. Returns the old ones.
fn prepare(case: Case, dir: &Dir, full: &Tree) -> Tree {
    let out = dir.path().join("out");
    let _ = std::fs::remove_dir_all(&out);
    let _ = std::fs::remove_file(dir.path().join("report"));
    let mut before = Tree::new();
    if !case.stale {
        let _ = std::fs::remove_file(dir.path().join("pages/page.html"));
        let _ = std::fs::remove_dir_all(dir.path().join("pages/page.html.data"));
        return before;
    }
    for (path, content) in full.iter().filter(|(path, _)| path.starts_with(&out)) {
        if path.extension().is_none() {
            continue;
        }
        let mut content = content.clone();
        if path.to_string_lossy().contains(".p.") || case.bake {
            *content.last_mut().unwrap() ^= 1;
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &content).unwrap();
        make_old(path);
        before.insert(path.clone(), content);
    }
    before
}

fn check(case: Case, fault: Fault, counts: &mut [usize; 4], dir: &Dir, full: &Tree) {
    let report = dir.path().join("report");
    let before = prepare(case, dir, full);
    plant(fault);
    let ended = run(dir.path(), case);
    let hits = clear();
    let Some(hit) = hits.first() else {
        assert_eq!(ended.messages, Vec::<String>::new());
        return;
    };
    let say = format!("{fault:?}, {hit:?}: {:?}", ended.messages);
    let now = tree(dir.path());
    // Nothing is partial: every file is the old one, the new one, or not there.
    for (path, content) in now
        .iter()
        .filter(|(path, _)| !is_of_page(path) || is_private(path))
    {
        let removal_failed = hit.operation == "remove";
        assert!(
            !is_private(path) || removal_failed,
            "left over: {path:?} {say}"
        );
        if !is_private(path) {
            let is_whole = full.get(path) == Some(content) || before.get(path) == Some(content);
            assert!(is_whole, "partial: {path:?} {say}");
        }
    }
    page::check_whole(dir.path());
    let done = full
        .iter()
        .filter(|(path, _)| !is_of_page(path))
        .all(|(path, content)| now.get(path) == Some(content));
    let mut messages = ended.messages.iter();
    if ended.status == 1 && messages.all(|message| message.contains("report page")) {
        assert!(done && ended.failed == 0, "spoiled by the page: {say}");
        counts[3] += 1;
    }
    if ended.status == 0 {
        // A model that cannot be made is a note on the page.
        let is_noted = case.page && page::has_note(dir.path());
        assert!(may_fail(hit) || is_noted, "unnoticed: {say}");
        assert!(done, "not done: {say}");
    } else {
        // The right file is named: the one of the operation, or the output that was being written.
        let all = ended.messages.join("\n");
        let shown = |path: &Path| path.slashed().to_string();
        let name = hit.path.file_name().unwrap().to_string_lossy();
        let is_trial = name.starts_with(".rigy-batch-"); // of writing to the output root
        let named = if is_trial {
            all.contains(&shown(hit.path.parent().unwrap()))
        } else if is_private(&hit.path) {
            let outputs = full.keys().filter(|path| path.extension().is_some());
            all.contains(".rigy-batch")
                || all.contains("the report")
                || all.contains(&shown(&report))
                || outputs.into_iter().any(|path| all.contains(&shown(path)))
        } else {
            all.contains(&*name)
        };
        assert!(named, "unnamed: {say}");
        let is_full = matches!(fault, Fault::FullFrom(_));
        assert!(is_full || ended.failed <= 1, "others failed too: {say}");
        // Whoever looks at the outcome can tell whether it may be another one next time.
        let transient = match fault {
            Fault::Record | Fault::Once(_) | Fault::Taken => 0,
            Fault::Stale(_) | Fault::FullFrom(_) => ended.failed,
        };
        assert_eq!(ended.transient, transient, "{say}");
    }
    counts[usize::from(ended.status)] += 1;
    // The same run without faults then does everything.
    let again = run(dir.path(), case);
    assert_eq!((again.status, again.messages), (0, Vec::new()), "{say}");
    assert!(
        without_page(tree(dir.path())) == without_page(full.clone()),
        "{say}"
    );
    if case.page {
        page::check_complete(dir.path());
    }
}

/// All files but those of the report page: statuses on it tell which outputs were there.
fn without_page(mut tree: Tree) -> Tree {
    tree.retain(|path, _| !is_of_page(path));
    tree
}

/// Every path that a run forces onto the disk, and checks that a failure to do so is reported.
#[cfg(target_os = "linux")]
fn synced(case: Case, dir: &Dir, before: impl Fn()) -> Vec<PathBuf> {
    let mut synced = Vec::new();
    for k in 1.. {
        before();
        plant(Fault::Once(k));
        let ended = run(dir.path(), case);
        let hits = clear();
        let Some(hit) = hits.into_iter().next() else {
            break;
        };
        if hit.operation == "sync" {
            assert_ne!(ended.status, 0, "unnoticed: {hit:?}");
            synced.push(hit.path);
        }
    }
    synced
}

#[test]
#[cfg(target_os = "linux")]
fn unchanged_outputs_are_forced_onto_the_disk_as_well() {
    if !in_own_process(unchanged_outputs_are_forced_onto_the_disk_as_well) {
        return;
    }
    let mut case = DOCUMENTS;
    let dir = inputs(case);
    let out = dir.path().join("out");
    let ended = run(dir.path(), case);
    assert_eq!((ended.status, ended.messages), (0, Vec::new()));
    for sync in [false, true] {
        case.sync = sync;
        let found = synced(case, &dir, || ());
        assert_eq!(found.contains(&out), sync, "{found:?}");
    }
    // The names in the directory above: the report's, and that of the output root if it is new.
    let above = |found: Vec<PathBuf>| found.iter().filter(|path| *path == dir.path()).count();
    assert_eq!(above(synced(case, &dir, || ())), 1);
    let fresh = || std::fs::remove_dir_all(&out).unwrap_or(());
    assert_eq!(above(synced(case, &dir, fresh)), 2);
}

/// A test for each kind of run, since a fault is for a whole process.
macro_rules! any_operation_may_fail {
    ($($name:ident $case:expr,)*) => {
        $(#[test]
        fn $name() {
            if in_own_process($name) {
                any_operation_may_fail($case);
            }
        })*
    };
}

const DOCUMENTS: Case = Case {
    bake: false,
    sync: false,
    stale: false,
    force: false,
    page: false,
};

any_operation_may_fail! {
    any_operation_on_documents_may_fail DOCUMENTS,
    any_operation_on_documents_may_fail_again Case { stale: true, ..DOCUMENTS },
    any_operation_on_bakes_may_fail Case { bake: true, force: true, ..DOCUMENTS },
    any_operation_on_bakes_may_fail_again Case { bake: true, stale: true, ..DOCUMENTS },
    any_operation_on_a_page_may_fail Case { page: true, ..DOCUMENTS },
    any_operation_on_a_page_may_fail_again Case { page: true, stale: true, ..DOCUMENTS },
}

fn any_operation_may_fail(case: Case) {
    let (mut tried, mut counts) = (Tried::default(), [0; 4]);
    let syncs: &[bool] = match case {
        Case { bake: true, .. } => &[!case.force], // the other is as for documents
        Case { page: true, .. } => &[case.stale],  // each is there once
        _ => &[false, true],
    };
    for sync in syncs.iter().copied() {
        let case = Case { sync, ..case };
        let dir = inputs(case);
        let ended = run(dir.path(), case);
        assert_eq!((ended.status, ended.messages), (0, Vec::new()));
        let full = tree(dir.path());
        assert!(!full.keys().any(|path| is_private(path)));
        let kinds: &[fn(u64) -> Fault] = match sync {
            false => &[Fault::Once, Fault::FullFrom, Fault::Stale],
            true => &[Fault::Once, Fault::FullFrom], // `Stale` hits the same operations
        };
        for kind in kinds {
            prepare(case, &dir, &full);
            let all = tried.next(*kind, dir.path(), || drop(run(dir.path(), case)));
            for k in all {
                check(case, kind(k), &mut counts, &dir, &full);
            }
        }
    }
    let [unharmed, failed, not_started, of_page] = counts;
    println!("{unharmed} without harm, {failed} failed, {not_started} not started");
    assert!(failed > 3 && not_started > 0);
    assert_eq!(
        of_page > 3,
        case.page,
        "{of_page} failures concern the page alone"
    );
}
