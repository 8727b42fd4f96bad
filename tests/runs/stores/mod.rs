//! Inputs and outputs on object stores: the same outputs as on a disk, whatever requests fail, and nothing overwritten that
//! another program has written meanwhile.

mod flaky;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::TryStreamExt;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use rigy_batch::io::{self, Discovery, Skips, discover};
use rigy_batch::run::batch::{
    self, Documents, Options, Outcome, OutputFormat, PoseFilter, Status, is_document,
};

use crate::support::Dir;
use flaky::Flaky;

fn wait<T>(answer: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(answer)
}

/// Opens `memory://<bucket>` with its prefixes `in` and `out`.
fn open(bucket: &str, store: Flaky) -> (Arc<Flaky>, PathBuf, PathBuf) {
    let store = Arc::new(store);
    let [input, output] =
        ["in", "out"].map(|name| PathBuf::from(format!("memory://{bucket}/{name}")));
    for url in [&input, &output] {
        io::store::open_client(url, store.clone()).unwrap();
    }
    (store, input, output)
}

fn put(store: &Flaky, key: &str, bytes: impl Into<object_store::PutPayload>) {
    wait(store.inner.put(&Key::parse(key).unwrap(), bytes.into())).unwrap();
}

/// Puts the files of a directory below `in`.
fn upload(store: &Flaky, directory: &Path) {
    for entry in walkdir::WalkDir::new(directory) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(directory).unwrap();
            let bytes = std::fs::read(entry.path()).unwrap();
            put(store, &format!("in/{}", below.display()), bytes);
        }
    }
}

/// The objects below `out` with their bytes.
fn outputs(store: &Flaky) -> Vec<(String, Vec<u8>)> {
    let all = wait(
        store
            .inner
            .list(Some(&Key::from("out")))
            .try_collect::<Vec<_>>(),
    );
    let bytes = |key: &Key| wait(async { store.inner.get(key).await?.bytes().await });
    let all = all.unwrap().into_iter().map(|object| {
        let name = object.location.as_ref().strip_prefix("out/").unwrap();
        (name.to_owned(), bytes(&object.location).unwrap().to_vec())
    });
    let mut all: Vec<_> = all.collect();
    all.sort();
    all
}

fn found(input: &Path) -> Discovery {
    let skips = Skips {
        excludes: vec!["left/".to_owned()],
        ignored: true,
        ..Skips::default()
    };
    discover(&[input.to_owned()], &|name| is_document(name), &skips).unwrap()
}

fn run(input: &Path, options: Options) -> Vec<Outcome> {
    let found = found(input).found;
    let formats = [OutputFormat::Glb];
    let work = Documents::new(&found, &options, PoseFilter::All, &formats).unwrap();
    let batch = batch::Batch::new(found, options, work, Arc::default()).unwrap();
    let pool = batch::thread_pool(Some(4)).unwrap();
    let mut outcomes = Vec::new();
    let failures = batch.run(
        &pool,
        |outcome| (outcome, 0),
        |outcome| outcomes.push(outcome),
    );
    assert!(failures.is_empty(), "{failures:?}");
    outcomes
}

/// What reports say of outcomes, with paths relative to the roots.
fn told(outcomes: &[Outcome], roots: [&Path; 2]) -> Vec<String> {
    let lines = outcomes.iter().flat_map(|outcome| outcome.lines(false));
    let text = lines.map(|line| serde_json::to_string(&line).unwrap());
    let [input, output] = roots.map(|root| root.display().to_string());
    text.map(|text| text.replace(&output, "OUT").replace(&input, "IN"))
        .collect()
}

fn statuses(outcomes: &[Outcome]) -> Vec<Status> {
    let records = outcomes.iter().flat_map(|outcome| &outcome.records);
    records.map(|record| record.status).collect()
}

const DOCUMENT: &str =
    "version: \"0.5\"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]\n";

#[test]
fn what_is_made_is_the_same_as_on_a_disk_although_requests_fail() {
    let dir = Dir::new();
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/inputs");
    let (store, input, output) = open("same", Flaky::every(7));
    upload(&store, &suite);
    put(&store, "in/broken.rigy.yaml", "version: [");
    let local = dir.path().join("in");
    copy(&suite, &local);
    std::fs::write(local.join("broken.rigy.yaml"), "version: [").unwrap();
    let here = dir.path().join("out");
    let options = || Options::default().hash(true);
    let before = io::store::repeated_requests().unwrap();
    let on_disk = run(&local, options().output(&here));
    let on_store = run(&input, options().output(&output));
    let told_of = told(&on_store, [&input, &output]);
    assert_eq!(told_of, told(&on_disk, [&local, &here]));
    assert!(told_of.len() > 80 && told_of.iter().any(|line| line.contains("\"failed\"")));
    let repeated = io::store::repeated_requests().unwrap() - before;
    assert!(repeated > 20, "{repeated}");
    let expected: Vec<(String, Vec<u8>)> = walkdir::WalkDir::new(&here)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|ending| ending == "glb")
        })
        .map(|entry| {
            let name = entry
                .path()
                .strip_prefix(&here)
                .unwrap()
                .display()
                .to_string();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    let mut expected = expected;
    expected.sort();
    assert!(outputs(&store) == expected);
    let again = run(&input, options().output(&output));
    let changed = |status: &Status| !matches!(status, Status::Unchanged | Status::Failed);
    assert_eq!(statuses(&again).into_iter().find(changed), None);
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let place = to.join(entry.path().strip_prefix(from).unwrap());
        match entry.file_type().is_dir() {
            true => std::fs::create_dir_all(place).unwrap(),
            false => drop(std::fs::copy(entry.path(), place).unwrap()),
        }
    }
}

#[test]
fn keys_are_names_and_nothing_more() {
    let (store, input, output) = open("keys", Flaky::default());
    let long = "n".repeat(700);
    let all = [
        "a.rigy.yaml".to_owned(),
        "a.rigy.yaml/b.rigy.yaml".to_owned(),
        format!("{long}/{long}.rigy.yaml"),
        "x%2F..%2F..%2Fy.rigy.yaml".to_owned(),
        "space and \u{fc}.rigy.yaml".to_owned(),
    ];
    let others = [
        ".hidden/h.rigy.yaml",
        "node_modules/n.rigy.yaml",
        "left/l.rigy.yaml",
        "text",
    ];
    for key in all.iter().map(String::as_str).chain(others) {
        put(&store, &format!("in/{key}"), DOCUMENT);
    }
    put(&store, "inner.rigy.yaml", DOCUMENT);
    let found = found(&input).found;
    let mut names: Vec<String> = all.to_vec();
    names.sort();
    let relative = |found: &io::Found| found.relative().display().to_string();
    let mut relative: Vec<String> = found.iter().map(relative).collect();
    relative.sort();
    assert_eq!(relative, names);
    let shard = |path: &Path| {
        batch::Shard::parse("1/3", |_| None)
            .unwrap()
            .takes_path(path)
    };
    for found in &found {
        let local = Path::new("/data/in").join(found.relative());
        assert_eq!(
            shard(found.relative()),
            shard(local.strip_prefix("/data/in").unwrap())
        );
    }
    let outcomes = run(&input, Options::default().output(&output));
    assert_eq!(statuses(&outcomes), [Status::Written; 5]);
    assert_eq!(outputs(&store).len(), 5);
}

#[test]
fn an_empty_bucket_has_no_inputs() {
    let bucket = Path::new("memory://empty");
    io::store::open_client(bucket, Arc::new(Flaky::default())).unwrap();
    let found = found(bucket);
    assert!(found.found.is_empty() && found.unreadable.is_empty());
}

#[test]
fn references_do_not_leave_the_root() {
    let (store, input, output) = open("root", Flaky::default());
    let importing = |path: &str| format!("{DOCUMENT}imports: {{p: {{source: \"{path}\"}}}}\n");
    put(&store, "in/sub/up.rigy.yaml", importing("../part.yaml"));
    put(&store, "in/part.yaml", DOCUMENT);
    put(&store, "secret.yaml", DOCUMENT);
    for (name, path) in [
        ("above", "../secret.yaml"),
        ("far", "../../../../secret.yaml"),
        ("disk", "/etc/hostname"),
        ("url", "memory://root/secret.yaml"),
    ] {
        put(&store, &format!("in/{name}.rigy.yaml"), importing(path));
    }
    let outcomes = run(&input, Options::default().output(&output));
    let told = told(&outcomes, [&input, &output]);
    for (line, name) in told.iter().zip(["above", "disk", "far", "sub/up", "url"]) {
        assert!(line.contains(&format!("IN/{name}.rigy.yaml")), "{line}");
        let expected = match name {
            "sub/up" => "\"written\"",
            "url" => "U06",
            _ => "U14",
        };
        assert!(line.contains(expected), "{line}");
    }
}

#[test]
fn another_writer_is_noticed() {
    let (store, input, output) = open("race", Flaky::default());
    put(&store, "in/a.rigy.yaml", DOCUMENT);
    let options = || Options::default().output(&output).force(true);
    let rival = |bytes: Vec<u8>| {
        *store.rival.lock().unwrap() = Some((Key::from("out/a.glb"), bytes.into()));
    };
    // Where there was nothing, and where there was an output.
    for _ in 0..2 {
        rival(b"of a stranger".to_vec());
        let outcomes = run(&input, options());
        assert_eq!(statuses(&outcomes), [Status::Failed]);
        assert!(outcomes[0].has_transient_failure());
        let message = &outcomes[0].errors[0].message;
        assert!(message.contains("memory://race/out/a.glb") && message.contains("another program"));
        assert_eq!(outputs(&store)[0].1, b"of a stranger");
        let outcomes = run(&input, options());
        assert_eq!(statuses(&outcomes), [Status::Written]);
    }
    let ours = outputs(&store)[0].1.clone();
    assert!(ours.starts_with(b"glTF"));
    rival(ours.clone());
    assert_eq!(statuses(&run(&input, options())), [Status::Written]);
    assert_eq!(outputs(&store)[0].1, ours);
}

#[test]
fn a_server_that_is_gone_is_a_reason_to_try_again() {
    let dir = Dir::new();
    let variables = [
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9"),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "key"),
        ("AWS_REGION", "us-east-1"),
        ("RIGY_BATCH_STORE_REPEATS", "2"),
    ];
    let temporary = dir.path().to_str().unwrap();
    let variables = [&variables[..], &[("TMPDIR", temporary)]].concat();
    let ran = dir.run_with(&variables, &["s3://bucket/in", "-o", "out"]);
    assert_eq!(ran.status(), 75, "{}", ran.stderr());
    assert!(ran.stderr().contains("s3://bucket/in"), "{}", ran.stderr());
    dir.write("in/a.rigy.yaml", DOCUMENT);
    let args = ["in", "-o", "s3://bucket/out", "--format", "json"];
    let ran = dir.run_with(&variables, &args);
    assert_eq!(ran.status(), 75, "{}", ran.stderr());
    assert_eq!(dir.files(), ["in/a.rigy.yaml"]);
}

#[test]
fn options_that_do_not_go_with_stores_are_refused() {
    let dir = Dir::new();
    for (args, named) in [
        (&["s3://b/in", "-o", "out", "--watch"][..], "--watch"),
        (&["in", "-o", "s3://b/out", "--prune"], "--prune"),
        (&["in", "--report", "s3://b/report.json"], "--report"),
        (
            &["in", "--emit-expanded", "s3://b/texts"],
            "--emit-expanded",
        ),
        (
            &["bake", "gs://b/in", "-o", "out", "--html", "page.html"],
            "--html",
        ),
        (&["s3:///in", "-o", "out"], "bucket"),
        (&["ftp://b/in", "-o", "out"], "ftp"),
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status(), 2, "{args:?}: {}", ran.stderr());
        assert!(ran.stderr().contains(named), "{args:?}: {}", ran.stderr());
    }
}
