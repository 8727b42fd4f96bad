//! The k-th operation on a file fails, for every k: the right file is named, nothing is half done or left over, other
//! inputs are done, and the same run without faults then does all.

#[path = "support/planted.rs"]
mod planted;
#[path = "support/skinned.rs"]
mod skinned;
mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rigy_batch::bake::Skinning;
use rigy_batch::io::faults::{Fault, Hit, clear, plant};
use rigy_batch::io::{Discovery, Draft, Durability, discover};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::run::batch::{
    BakeJob, Bakes, Batch, Documents, Options, Outcome, PoseFilter, StartError, Work, is_document,
    is_gltf_input, thread_pool,
};
use support::{Dir, document};

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// How a run ended.
struct Ended {
    /// As the program would: 0, 1 or 2.
    status: u8,
    /// Everything that went wrong.
    messages: Vec<String>,
    /// Inputs, or directories of them, that failed.
    failed: usize,
}

/// What is run.
#[derive(Clone, Copy)]
struct Case {
    bake: bool,
    durability: Durability,
    /// Old outputs are there.
    stale: bool,
    force: bool,
}

fn options(dir: &Path, case: Case) -> Options {
    planted::options(dir)
        .force(case.force)
        .durability(case.durability)
        .isa(Isa::Scalar)
}

/// The whole of a run, as the program does it.
fn run(dir: &Path, case: Case) -> Ended {
    let stopped = |error: &dyn std::fmt::Display| Ended {
        status: 2,
        messages: vec![error.to_string()],
        failed: 0,
    };
    let options = options(dir, case);
    let is_input: &dyn Fn(&std::ffi::OsStr) -> bool = match case.bake {
        true => &is_gltf_input,
        false => &is_document,
    };
    let found = match discover(&[dir.join("in")], is_input, options.output.as_deref()) {
        Ok(found) => found,
        Err(error) => return stopped(&error),
    };
    let ended = if case.bake {
        let job = BakeJob::new(Skinning::linear());
        Bakes::new(&found.found, &options, job)
            .map_err(StartError::from)
            .and_then(|work| run_work(dir, found, options, work))
    } else {
        Documents::new(&found.found, &options, PoseFilter::All, false)
            .map_err(StartError::from)
            .and_then(|work| run_work(dir, found, options, work))
    };
    ended.unwrap_or_else(|error| stopped(&error))
}

fn run_work<W: Work>(
    dir: &Path,
    discovery: Discovery,
    options: Options,
    work: W,
) -> Result<Ended, StartError> {
    let durability = options.durability;
    let batch = Batch::new(discovery.found, options, work, Arc::default())?;
    let mut report = Draft::beside(&dir.join("report"), durability)?;
    let mut messages: Vec<String> = discovery
        .unreadable
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut failed = messages.len();
    let pool = thread_pool(Some(1)).unwrap();
    let prepare = |outcome: Outcome| (outcome, 0);
    let errors = batch.run(&pool, prepare, |outcome: Outcome| {
        failed += usize::from(outcome.has_failed());
        messages.extend(outcome.errors.iter().map(|error| error.message.clone()));
    });
    messages.extend(errors.iter().map(ToString::to_string));
    let reported = report.write_all(b"all of the report");
    let reported = reported.map_err(|error| format!("cannot write the report: {error}"));
    let reported = reported.and_then(|()| report.commit().map_err(|error| error.to_string()));
    messages.extend(reported.err());
    Ok(Ended {
        status: u8::from(!messages.is_empty()),
        messages,
        failed,
    })
}

/// All files below a directory, private ones included, and all directories, which have no content.
fn tree(root: &Path) -> Tree {
    let entries = walkdir::WalkDir::new(root).into_iter().flatten();
    let content = |entry: walkdir::DirEntry| {
        let content = match entry.file_type().is_file() {
            true => std::fs::read(entry.path()).unwrap(),
            false => Vec::new(),
        };
        (entry.path().to_owned(), content)
    };
    let kept = entries.filter(|entry| !support::is_cache(entry.path()));
    kept.map(content).collect()
}

fn is_private(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
    parts.any(|part| part.starts_with(".rigy-batch"))
}

fn inputs(case: Case) -> Dir {
    let dir = Dir::new();
    if case.bake {
        let small = skinned::skinned(10, 0.5);
        let mut json: serde_json::Value = serde_json::from_str(&small.gltf("data.bin")).unwrap();
        json["images"] = serde_json::json!([{"uri": "image.png"}]);
        dir.write("in/a/split.gltf", json.to_string());
        dir.write("in/a/data.bin", &small.bin);
        dir.write("in/a/image.png", b"\x89PNG and so on");
        // Mapped. With its picture, the output is not held in memory.
        let mut large = skinned::skinned(40_000, 0.25);
        if case.force {
            let picture = 8 << 20;
            let view = serde_json::json!({"buffer": 0, "byteOffset": large.bin.len(), "byteLength": picture});
            large.json["bufferViews"].as_array_mut().unwrap().push(view);
            large.json["images"] = serde_json::json!([{"bufferView": 3, "mimeType": "image/png"}]);
            large.bin.resize(large.bin.len() + picture, 7);
        }
        dir.write("in/b/large.glb", large.glb());
    } else {
        let map = "weights: [], weight_maps: [{primitive_id: b, source: w.json}]";
        let weights = r#"{"primitive_id": "b", "vertex_count": 24, "influences": []}"#;
        let imports = "imports: {p: {source: part.yaml, contract: part.ricy.yaml}}\n";
        let whole = document("p").replace("weights: []", map) + imports;
        dir.write("in/a/whole.rigy.yaml", whole);
        dir.write("in/a/w.json", weights);
        dir.write("in/a/part.yaml", "version: \"0.5\"\n");
        dir.write("in/a/part.ricy.yaml", "contract_version: \"1\"\n");
        dir.write("in/b/other.rigy.yaml", document("q"));
    }
    dir
}

/// Operations whose failure nobody need notice: what they were for is had in another way, or is done the next time.
fn may_fail(hit: &Hit, outputs: &Tree) -> bool {
    let is_output = outputs.contains_key(&hit.path);
    let is_program = std::env::current_exe().is_ok_and(|path| path == hit.path);
    let is_cache = hit.path.ends_with(".rigy-batch/cache");
    match hit.operation {
        "remove" | "resolve" => true,
        // Sweeping: what is not found now is found by the next run.
        "list" => !hit.path.components().any(|part| part.as_os_str() == "in"),
        // What is not known of earlier runs, or not noted for later ones, is done again.
        "look at" if is_cache || is_output || is_program => true,
        "look at" => {
            let is_root = hit
                .path
                .parent()
                .is_some_and(|parent| parent.ends_with("out"));
            hit.path.ends_with(".rigy-batch") && !is_root
        }
        // An output that cannot be compared is written anew.
        "open" | "read" => is_output || is_cache,
        _ => false,
    }
}

fn check(case: Case, fault: Fault, counts: &mut [usize; 3], dir: &Dir, full: &Tree) -> bool {
    let (out, report) = (dir.path().join("out"), dir.path().join("report"));
    let _ = std::fs::remove_dir_all(&out);
    let _ = std::fs::remove_file(&report);
    let mut before = Tree::new();
    if case.stale {
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
            before.insert(path.clone(), content);
        }
    }
    plant(fault);
    let ended = run(dir.path(), case);
    let hits = clear();
    let Some(hit) = hits.first() else {
        assert_eq!(ended.messages, Vec::<String>::new());
        return false;
    };
    let say = format!("{fault:?}, {hit:?}: {:?}", ended.messages);
    let now = tree(dir.path());
    // Nothing is partial: every file is the old one, the new one, or not there.
    for (path, content) in &now {
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
    let done = full
        .iter()
        .all(|(path, content)| now.get(path) == Some(content));
    if ended.status == 0 {
        assert!(may_fail(hit, full), "unnoticed: {say}");
        assert!(done, "not done: {say}");
    } else {
        // The right file is named: the one that the operation was about, or the output that was on its way.
        let all = ended.messages.join("\n");
        let name = hit.path.file_name().unwrap().to_string_lossy();
        let is_trial = name.starts_with(".rigy-batch-"); // of writing to the output root
        let named = if is_trial {
            all.contains(&*hit.path.parent().unwrap().to_string_lossy())
        } else if is_private(&hit.path) {
            let outputs = full.keys().filter(|path| path.extension().is_some());
            all.contains(".rigy-batch")
                || all.contains("the report")
                || all.contains(&*report.to_string_lossy())
                || outputs
                    .into_iter()
                    .any(|path| all.contains(&*path.to_string_lossy()))
        } else {
            all.contains(&*name)
        };
        assert!(named, "unnamed: {say}");
        let once = matches!(fault, Fault::Once(_));
        assert!(!once || ended.failed <= 1, "others failed too: {say}");
    }
    counts[usize::from(ended.status)] += 1;
    // And then all is well.
    let again = run(dir.path(), case);
    assert_eq!((again.status, again.messages), (0, Vec::new()), "{say}");
    assert!(tree(dir.path()) == *full, "{say}");
    true
}

/// Faults are planted for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// Everything that a run forces onto the disk. Each of these waits is one whose failure is noticed.
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
fn what_is_there_already_is_forced_onto_the_disk_as_well() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut case = Case {
        bake: false,
        durability: Durability::None,
        stale: false,
        force: false,
    };
    let dir = inputs(case);
    let out = dir.path().join("out");
    let ended = run(dir.path(), case);
    assert_eq!((ended.status, ended.messages), (0, Vec::new()));
    for durability in [Durability::None, Durability::Batch, Durability::File] {
        case.durability = durability;
        let found = synced(case, &dir, || ());
        let wanted = durability != Durability::None;
        assert_eq!(found.contains(&out), wanted, "{durability:?}: {found:?}");
    }
    // The names in the directory above: the report's, and that of the output root if it is new.
    let above = |found: Vec<PathBuf>| found.iter().filter(|path| *path == dir.path()).count();
    assert_eq!(above(synced(case, &dir, || ())), 1);
    let fresh = || std::fs::remove_dir_all(&out).unwrap_or(());
    assert_eq!(above(synced(case, &dir, fresh)), 2);
}

#[test]
fn any_operation_may_fail() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    use Durability::{Batch, File, None};
    for (name, case) in [
        ("documents", [false, false, false]),
        ("documents, again", [false, true, false]),
        ("bakes", [true, false, true]),
        ("bakes, again", [true, true, false]),
    ] {
        let [bake, stale, force] = case;
        for durability in [None, Batch, File] {
            if bake && durability != if force { None } else { File } {
                continue; // as for documents
            }
            let case = Case {
                bake,
                durability,
                stale,
                force,
            };
            let dir = inputs(case);
            let ended = run(dir.path(), case);
            assert_eq!((ended.status, ended.messages), (0, Vec::new()));
            let full = tree(dir.path());
            assert!(!full.keys().any(|path| is_private(path)));
            let mut counts = [0; 3];
            for kind in [Fault::Once, Fault::FullFrom] {
                // A large file is written and read in hundreds of pieces, one like the other.
                let step = |k| if force && k > 50 { 17 } else { 1 };
                let mut k = 1;
                while check(case, kind(k), &mut counts, &dir, &full) {
                    k += step(k);
                }
            }
            let [unharmed, failed, not_started] = counts;
            println!(
                "{name}, {durability:?}: {unharmed} without harm, {failed} failed, {not_started} not started"
            );
            assert!(failed > 10 && not_started > 3);
        }
    }
}
