//! `plan`: what it says about a run, and what it refuses.

use serde_json::Value;

use crate::support::json_schemas::Published;
use crate::support::{Dir, document};

fn tree() -> Dir {
    let dir = Dir::new();
    for n in 0..12 {
        dir.write(&format!("in/{n}.rigy.yaml"), document("p"));
    }
    dir.write("in/bad.rigy.yaml", "version: [");
    dir
}

fn plan(dir: &Dir, args: &[&str]) -> Value {
    let ran = dir.run(&[&["plan", "in", "--format", "json"], args].concat());
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let lines = ran.json();
    let [plan] = &lines[..] else {
        panic!("one object");
    };
    Published::Plan.accepts("plan", [plan]);
    plan.clone()
}

#[test]
fn a_plan_counts_what_a_run_makes() {
    let dir = tree();
    let planned = plan(&dir, &["--shards", "4", "--cores", "2"]);
    let ran = dir.run(&["in", "-o", "out", "--format", "json"]);
    let lines = ran.json();
    let bytes: u64 = lines.iter().filter_map(|line| line["bytes"].as_u64()).sum();
    assert_eq!(planned["kind"], "documents");
    assert_eq!(planned["inputs"]["count"], 13);
    assert_eq!(planned["sample"]["count"], 13, "all of so few");
    assert_eq!(planned["sample"]["failed"], 1);
    assert_eq!(planned["outputs"]["count"]["estimate"], 24.0);
    assert_eq!(planned["outputs"]["bytes"]["estimate"], bytes as f64);
    assert_eq!(
        planned["outputs"]["bytes"]["low"],
        planned["outputs"]["bytes"]["high"]
    );
    assert_eq!(planned["shards"]["count"], 4);
    assert_eq!(planned["objects"]["files"], 24);
    assert!(planned.get("costs").is_none());
    // What is not measured is the same each time.
    let again = plan(&dir, &["--shards", "4", "--cores", "2"]);
    for field in ["inputs", "outputs", "objects", "kind", "version"] {
        assert_eq!(planned[field], again[field], "{field}");
    }
}

#[test]
fn a_sample_stands_for_all_inputs() {
    let dir = tree();
    let planned = plan(&dir, &["--sample", "4", "--", "--poses", "none"]);
    assert!(planned["sample"]["count"].as_u64().unwrap() < 13);
    let outputs = &planned["outputs"]["count"];
    let [low, high] = ["low", "high"].map(|end| outputs[end].as_f64().unwrap());
    assert!((low..=high).contains(&12.0), "{outputs}");
}

#[test]
fn prices_become_money_for_each_engine() {
    let dir = tree();
    let prices = [
        "--shards",
        "3",
        "--task-start",
        "3600",
        "--prices",
        "spot:core-hour=2,put-1000=1000",
        "--prices",
        "get-1000=1",
    ];
    let planned = plan(&dir, &prices);
    let [spot, other] = &planned["costs"].as_array().unwrap()[..] else {
        panic!("two engines");
    };
    assert_eq!(spot["engine"], "spot");
    let near = |value: &Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!(
            (value - expected).abs() < 0.01 * expected,
            "{value} {expected}"
        );
    };
    near(&spot["compute"], 6.0); // three starts of an hour
    near(&spot["with_files"], 30.0);
    near(&other["with_files"], 0.013);
    let ran = dir.run(&["plan", "in", "--prices", "hour=1"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("core-hour=X"), "{}", ran.stderr());
}

#[test]
fn people_get_lines_and_glb_files_are_planned_by_bake() {
    let dir = tree();
    let ran = dir.run(&["plan", "in", "--minutes", "1", "--prices", "core-hour=0.04"]);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let said = ran.stdout();
    let words: Vec<&str> = said
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(
        words,
        [
            "inputs", "sample", "work", "outputs", "shards", "objects", "cost"
        ]
    );
    assert!(said.starts_with("inputs    13 documents, "), "{said}");
    assert!(said.contains("\nshards    1 of 1 processor: "), "{said}");
    dir.run(&["in", "-o", "models"]);
    let ran = dir.run(&["plan", "models", "--bake", "--", "-o", "out"]);
    assert!(
        ran.stdout().starts_with("inputs    24 files, "),
        "{} {}",
        ran.stdout(),
        ran.stderr()
    );
    assert!(!dir.path().join("out").exists(), "nothing is written");
    let ran = dir.run(&["plan", "models"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("24 glTF files"), "{}", ran.stderr());
}

#[test]
#[cfg(unix)]
fn a_list_has_the_inputs_of_all_paths() {
    let dir = tree();
    dir.write("more/12.rigy.yaml", document("p"));
    let url = format!("file://{}/in", dir.path().display());
    for (args, inputs) in [(&[][..], 13), (&["--", "more"], 14)] {
        let all = [&["plan", &url, "--inputs-to", "inputs.list", "-q"], args].concat();
        let ran = dir.run(&all);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        let listed = String::from_utf8(dir.read("inputs.list")).unwrap();
        // The first line and the last one are about the list.
        assert_eq!(listed.lines().count(), inputs + 2, "{args:?}: {listed}");
    }
}

#[test]
fn what_makes_no_plan_is_refused() {
    let dir = tree();
    let ran = dir.run(&[
        "plan",
        "in",
        "--minutes",
        "0.01",
        "--inputs-to",
        "inputs.list",
    ]);
    assert_eq!(ran.status(), 2);
    assert!(!dir.path().join("inputs.list").exists());
    for (args, said) in [
        (&["in", "--", "--shard", "0/2"][..], "leave `--shard` out"),
        (&["in", "--", "--watch"], "leave `--watch` out"),
        (&["in", "--", "--nonsense"], "--nonsense"),
        (&["in", "--minutes", "0"], "greater than 0"),
        (
            &["in", "--minutes", "0.01", "--task-start", "5"],
            "ends before it has started",
        ),
        (
            &["in", "--shards", "2", "--minutes", "2"],
            "cannot be used with",
        ),
        (&["nowhere"], "nowhere"),
        (&["-"], "-"),
    ] {
        let ran = dir.run(&[&["plan"], args].concat());
        assert_eq!((ran.status(), ran.stdout()), (2, String::new()), "{args:?}");
        assert!(ran.stderr().contains(said), "{args:?}: {}", ran.stderr());
    }
}
