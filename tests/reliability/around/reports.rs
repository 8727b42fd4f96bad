//! Reports whose place is a link, a device, a pipe or a file that only looks like a report.

use std::os::unix::fs::symlink;

use super::shell::sh;
use crate::support::{Dir, document};

fn documents() -> Dir {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    dir
}

#[test]
fn a_report_that_is_a_link_goes_to_what_it_leads_to() {
    let dir = documents();
    let link = dir.path().join("latest.json");
    std::fs::create_dir(dir.path().join("reports")).unwrap();
    symlink("reports/real.json", &link).unwrap();
    for _ in 0..2 {
        dir.run("in -o out --report latest.json").good();
        assert!(link.is_symlink());
        assert!(
            dir.read("reports/real.json")
                .starts_with(b"{\"version\":1,\"outputs\":[")
        );
    }
    dir.write("notes.txt", "precious");
    std::fs::remove_file(&link).unwrap();
    symlink("notes.txt", &link).unwrap();
    dir.run("in -o out --report latest.json").exits(2);
    assert_eq!(dir.read("notes.txt"), b"precious");
}

#[test]
fn devices_and_pipes_are_written_to_and_stay_what_they_are() {
    let dir = documents();
    let script = "
        mkfifo pipe; cat pipe >piped.json & $rigy in -o out --report pipe; wait
        $rigy in -o out --report /dev/stdout --quiet >stdout.json
        $rigy in -o out --report - --quiet >dash.json
        $rigy in -o out --report /dev/fd/3 3>third.json
        $rigy in -o out --report /dev/null
        test -p pipe; test -L /dev/stdout; test -c /dev/null";
    sh(&dir, script).good();
    for name in ["piped.json", "stdout.json", "dash.json", "third.json"] {
        let report = dir.json(name);
        assert_eq!(report["summary"]["inputs"], 1, "{name}");
    }
}

#[test]
fn a_report_on_standard_output_leaves_no_room_for_others() {
    let dir = documents();
    let ran = dir.run("in -o out --report -");
    let report: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(report["summary"]["written"], 2);
    ran.says("1 document: 1 written (2 outputs)");
    let ran = dir.run("in -o out --report - --format json");
    assert_eq!(ran.status(), 2);
    assert_eq!(ran.stdout(), "");
}

#[test]
fn a_file_that_only_begins_like_a_report_is_kept() {
    let dir = documents();
    dir.run("in -o out --report report.json");
    let report = String::from_utf8(dir.read("report.json")).unwrap();
    let lines = report.lines().count();
    let without = |n: usize| -> String {
        let kept = report.lines().enumerate().filter(|(i, _)| *i != n);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    let cases = [
        "{\"outputs\":[ my notes".to_owned(),
        "{\"outputs\":[]}".to_owned(),
        without(lines - 1),
        format!("{report}more"),
        report.replace("\"status\"", "\"state\""),
    ];
    for text in cases {
        dir.write("report.json", &text);
        dir.run("in -o out --report report.json").exits(2);
        assert_eq!(dir.read("report.json"), text.as_bytes());
    }
    for text in ["", &report, &report.replace('\n', " ")] {
        dir.write("report.json", text);
        dir.run("in -o out --report report.json").good();
    }
}

#[test]
fn merged_reports_follow_links_and_devices_too() {
    let dir = documents();
    dir.run("in -o out --report one.json");
    symlink("all.json", dir.path().join("link.json")).unwrap();
    dir.run("merge-reports one.json -o link.json").good();
    assert!(dir.path().join("link.json").is_symlink());
    assert_eq!(dir.read("all.json"), dir.read("one.json"));
    for place in ["-", "/dev/stdout"] {
        let ran = dir.run(&format!("merge-reports one.json -o {place}"));
        assert_eq!(ran.output.stdout, dir.read("one.json"), "{place}");
    }
    std::fs::hard_link(dir.path().join("one.json"), dir.path().join("same.json")).unwrap();
    dir.run("merge-reports one.json -o same.json").exits(2);
}

#[test]
fn an_open_file_that_is_no_report_is_kept() {
    let dir = documents();
    let before = dir.read("in/a.rigy.yaml");
    for report in [
        "/proc/self/cwd/in/a.rigy.yaml",
        "/proc/self/fd/3",
        "/dev/fd/3",
        "/dev/stdin",
        "missing/",
    ] {
        let script = format!("$rigy in -o out --report {report} 3<in/a.rigy.yaml <in/a.rigy.yaml");
        let ran = sh(&dir, &script);
        assert_eq!(ran.status(), 2, "{report}: {}", ran.stderr());
        assert_eq!(dir.read("in/a.rigy.yaml"), before, "{report}");
        assert!(!dir.path().join("out").exists(), "{report}");
    }
    // An ordinary file by an odd path is replaced like any other.
    for _ in 0..2 {
        let ran = sh(&dir, "$rigy in -o out --report /proc/self/cwd/report.json");
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        let report = dir.json("report.json");
        assert_eq!(report["summary"]["inputs"], 1);
    }
}

#[test]
fn one_signal_ends_a_run_whose_report_is_not_read() {
    let dir = Dir::new();
    for n in 0..400 {
        dir.write(&format!("in/{n}.rigy.yaml"), document("p"));
    }
    let script = "mkfifo pipe; $rigy in -o out --report pipe & run=$!
        if [ $with_reader = yes ]; then sleep 60 <pipe & reader=$!; fi
        sleep 1; kill -TERM $run; status=0; wait $run || status=$?
        [ $with_reader = no ] || kill $reader
        exit $status";
    for with_reader in ["yes", "no"] {
        let _ = std::fs::remove_file(dir.path().join("pipe"));
        let started = std::time::Instant::now();
        let ran = sh(&dir, &format!("with_reader={with_reader}; {script}"));
        assert!([2, 130].contains(&ran.status()), "{}", ran.stderr());
        assert!(started.elapsed().as_secs() < 10, "reader: {with_reader}");
    }
}
