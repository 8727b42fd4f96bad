//! `rigy-batch bench`: cases and fields of its output.

use rigy_batch::kernel::simd::Isa;
use serde_json::{Value, json};

use crate::support::Dir;

#[test]
fn a_bench_measures_every_case_and_names_it_in_the_documented_fields() {
    let dir = Dir::new();
    bench_cases(&dir, "1000", &Isa::available(), &[1]);
    // Large enough to be cut for threads.
    bench_cases(&dir, "20001", &[Isa::Baseline], &[1, 2]);
}

/// Measures on two threads and compares the cases that are reported.
fn bench_cases(dir: &Dir, vertices: &str, sets: &[Isa], threads: &[usize]) {
    let mut arguments = vec!["bench", "--vertices", vertices, "--seconds", "1", "-j", "2"];
    arguments.extend(["--format", "json"]);
    if let [isa] = sets {
        arguments.extend(["--isa", isa.name()]);
    }
    let ran = dir.run(&arguments);
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    #[rustfmt::skip] // several in a line
    let fields = [
        "solver", "workload", "isa", "threads", "vertices", "seconds", "mverts_per_second",
        "cycles_per_vertex", "least_cycles_per_vertex", "clock_ghz", "over_memcpy",
    ];
    for line in ran.stdout().lines() {
        let places = fields.map(|field| line.find(&format!("\"{field}\":")));
        assert!(places.is_sorted() && places[0].is_some(), "{line}");
    }
    let mut expected = Vec::new();
    for threads in threads {
        expected.push(json!(["memcpy", "copy", null, threads]));
        for solver in ["lbs", "dqs"] {
            for workload in ["random", "ring", "mix"] {
                for isa in sets {
                    expected.push(json!([solver, workload, isa.name(), threads]));
                }
            }
        }
    }
    let lines = ran.json();
    let case = |line: &Value| {
        json!([
            line["solver"],
            line["workload"],
            line["isa"],
            line["threads"]
        ])
    };
    assert_eq!(lines.iter().map(case).collect::<Vec<_>>(), expected);
    for line in &lines {
        assert_eq!(line.as_object().unwrap().len(), fields.len(), "{line}");
        assert_eq!(line["vertices"].to_string(), vertices);
        for number in ["seconds", "mverts_per_second", "over_memcpy"] {
            assert!(line[number].as_f64().unwrap() > 0.0, "{line}");
        }
        if line["solver"] == "memcpy" {
            assert_eq!(line["over_memcpy"], 1.0);
        }
    }
}

#[test]
fn a_bench_keeps_to_the_instruction_set_that_is_asked_for() {
    let dir = Dir::new();
    let few = "bench --vertices 9 --seconds 1 -j 1";
    let ran = dir.run(&format!("{few} --isa scalar --format json")).good();
    let lines = ran.json();
    assert_eq!(
        lines.len(),
        1 + 2 * 3,
        "a copy, two solvers, three workloads"
    );
    assert!(lines[0]["isa"].is_null());
    assert!(lines[1..].iter().all(|line| line["isa"] == "scalar"));
    let ran = dir.run(&format!("{few} --isa mmx"));
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    ran.says("mmx");
    let ran = dir.run("bench --vertices 0");
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    ran.says("--vertices");
}
