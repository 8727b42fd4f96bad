//! `--timings`: figures that add up; without the option, outputs say nothing about time.

use serde_json::Value;

use crate::support::{Dir, document};

fn seconds(value: &Value) -> f64 {
    let seconds = value.as_f64().unwrap();
    assert!((0.0..100.0).contains(&seconds), "{seconds}");
    seconds
}

fn check(args: &str, page: &str, stages: &[&str]) {
    let dir = Dir::new();
    for name in ["a", "b", "c"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("p"));
    }
    dir.write("in/broken.rigy.yaml", "version: [");
    dir.run("in -o models");
    let json = format!("--format json --force -o out --report r.json {page}");
    let plain = dir.run(&format!("{args} {json}"));
    assert!(!plain.stdout().contains("seconds") && !plain.stdout().contains("timings"));

    let timed = dir.run(&format!("{args} {json} --timings"));
    assert_eq!(timed.status(), plain.status());
    let mut lines = timed.json();
    let report = dir.json("r.json");
    assert_eq!(report["summary"], lines.last().unwrap()["summary"]);
    let summary = lines.pop().unwrap();
    let timings = &summary["summary"]["timings"];
    let named = timings["stages"].as_array().unwrap().iter();
    let mut total = 0.0;
    let names: Vec<&str> = named
        .map(|stage| {
            let [p50, p99, max] = ["p50", "p99", "max"].map(|name| seconds(&stage[name]));
            assert!(p50 <= p99 && p99 <= max && max <= seconds(&stage["total"]));
            total += seconds(&stage["total"]);
            stage["stage"].as_str().unwrap()
        })
        .collect();
    assert_eq!(names, stages);
    let all = seconds(&timings["inputs"]["total"]);
    assert!((total - all).abs() < 1e-6, "{total} {all}");
    let sum: f64 = lines.iter().map(|line| seconds(&line["seconds"])).sum();
    assert!((sum - all).abs() < 1e-6, "{sum} {all}");
    let slowest = timings["slowest"].as_array().unwrap();
    let slow: Vec<f64> = slowest
        .iter()
        .map(|slow| seconds(&slow["seconds"]))
        .collect();
    assert!(slow.is_sorted_by(|a, b| a >= b));
    assert_eq!(slow[0], seconds(&timings["inputs"]["max"]));

    // Apart from times, everything is as it was.
    for (line, before) in lines.iter_mut().zip(plain.json()) {
        line.as_object_mut().unwrap().remove("seconds");
        assert_eq!(*line, before);
    }
    let human = dir.run(&format!("{args} {page} --timings -n")).stdout();
    for word in ["p50", "p99", "max", "total", "slowest:"]
        .iter()
        .chain(stages)
    {
        assert!(human.contains(word), "{human}");
    }
}

#[test]
fn times_of_documents_add_up() {
    check("in", "", &["read", "build", "pose", "write", "place"]);
    let drawn = ["read", "build", "pose", "write", "place", "draw"];
    check("in", "--html page.html", &drawn);
}

#[test]
fn times_of_bakes_add_up() {
    check("bake models", "", &["read", "write", "place"]);
}
