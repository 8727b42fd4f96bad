//! `--watch`: inputs that depend on a saved file are done again, and no others.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::bake::builder::arm;
use crate::support::{Arguments, Dir, PART, USER, document, program, send_signal};

/// A program that watches, and the JSON lines that it prints.
struct Watching {
    child: Child,
    lines: Receiver<Value>,
}

impl Watching {
    fn start(dir: &Dir, args: &str) -> Self {
        let mut command = Command::new(program());
        command.current_dir(dir.path()).args(args.words());
        command.args(["--watch", "--format", "json"]);
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let value = serde_json::from_str(&line.unwrap()).unwrap();
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        Self { child, lines }
    }

    /// Outputs of the next round, each with its status, and its summary.
    fn round(&self) -> (Vec<(String, String)>, Value) {
        let mut outputs = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.expect("another line");
            if let Some(summary) = line.get("summary") {
                assert!(summary["seconds"].as_f64().unwrap() > 0.0, "{line}");
                return (outputs, summary.clone());
            }
            let input = line["input"].as_str().unwrap().to_owned();
            let name = line["output"].as_str().unwrap_or(&input).to_owned();
            outputs.push((name, line["status"].as_str().unwrap().to_owned()));
        }
    }

    /// True if nothing is printed for a while.
    fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(700)).is_err()
    }

    fn end(mut self) {
        send_signal(&self.child, "INT");
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
        assert!(self.lines.recv().is_err(), "nothing more is said");
    }
}

fn written(names: &[&str]) -> Vec<(String, String)> {
    let written = |name: &&str| (name.to_string(), "written".to_owned());
    names.iter().map(written).collect()
}

#[test]
fn a_save_does_again_the_file_and_its_importers_and_nothing_else() {
    // Outputs and the report lie in the watched directory, too.
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("in/u.rigy.yaml", USER);
    dir.write("in/sub/v.rigy.yaml", USER.replace("p.part", "../p.part"));
    dir.write("in/p.part.yaml", PART);
    let args = "in --report in/report.json --html in/page.html";
    let watching = Watching::start(&dir, args);
    let (outputs, summary) = watching.round();
    let all = ["in/a.glb", "in/a.p.glb", "in/sub/v.glb", "in/u.glb"];
    assert_eq!(outputs, written(&all));
    assert_eq!(summary["inputs"], 3);

    dir.write("in/p.part.yaml", PART.replace("x: 2", "x: 3"));
    let (outputs, summary) = watching.round();
    assert_eq!(outputs, written(&["in/sub/v.glb", "in/u.glb"]));
    assert_eq!(
        (&summary["inputs"], &summary["written"]),
        (&2.into(), &2.into())
    );
    let report = dir.json("in/report.json");
    assert_eq!(report["summary"]["inputs"], 3, "the report is of all");
    assert!(watching.is_silent(), "outputs and reports are no changes");
    // A page is written after the summary has been printed.
    let page = String::from_utf8(dir.read("in/page.html")).unwrap();
    let summary = r#"{"summary":{"inputs":3,"#;
    assert!(page.contains(summary), "the page is of all, too");

    // A broken document is reported once, although others change and it is saved again. With another fault it is reported
    // again.
    dir.write("in/a.rigy.yaml", document("p").replace("box", "bax"));
    let failed = [("in/a.rigy.yaml".to_owned(), "failed".to_owned())];
    assert_eq!(watching.round().0, failed);
    dir.write("in/new/b.rigy.yaml", document("q"));
    let new = ["in/new/b.glb", "in/new/b.q.glb"];
    assert_eq!(watching.round().0, written(&new));
    dir.write("in/a.rigy.yaml", document("p").replace("box", "bax"));
    assert!(watching.is_silent(), "it has failed as before");
    dir.write("in/a.rigy.yaml", document("p").replace("box", "bux"));
    assert_eq!(watching.round().0, failed);
    dir.write("in/a.rigy.yaml", document("p").replace("x: 1", "x: 4"));
    assert_eq!(watching.round().0, written(&all[..2]));
    // A document that becomes what it was is reported as good again, although nothing had to be done.
    dir.write("in/a.rigy.yaml", document("p").replace("box", "bax"));
    assert_eq!(watching.round().0, failed);
    dir.write("in/a.rigy.yaml", document("p").replace("x: 1", "x: 4"));
    let (outputs, summary) = watching.round();
    assert_eq!(outputs.len(), 2);
    assert!(outputs.iter().all(|(_, status)| status == "unchanged"));
    assert_eq!(
        (&summary["inputs"], &summary["unchanged"]),
        (&1.into(), &2.into())
    );

    // An output is removed.
    dir.remove("in/u.glb");
    assert_eq!(watching.round().0, written(&["in/u.glb"]));
    // A second round that cannot start waits for the third.
    dir.write("in/A.rigy.yaml", PART);
    assert!(watching.is_silent());
    dir.write("in/unrelated.txt", "");
    assert!(watching.is_silent(), "it is said once, on stderr");
    dir.remove("in/A.rigy.yaml");
    dir.write("in/u.rigy.yaml", USER.replace("rigid", "uniform"));
    assert_eq!(watching.round().0.len(), 1);
    watching.end();
    let private = dir.path().join("in/.rigy-batch");
    assert!(crate::support::is_cache(&private), "only the cache stays");
}

#[test]
fn a_single_file_is_watched_with_what_it_imports() {
    let dir = Dir::with("u.rigy.yaml", USER);
    dir.write("p.part.yaml", PART);
    let watching = Watching::start(&dir, "u.rigy.yaml");
    assert_eq!(watching.round().0, written(&["u.glb"]));
    dir.write("p.part.yaml", PART.replace("x: 2", "x: 5"));
    assert_eq!(watching.round().0, written(&["u.glb"]));
    watching.end();
}

#[test]
fn watching_writes_and_has_something_to_watch() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    for args in ["in --watch --dry-run", "in --watch --check", "gone --watch"] {
        assert_eq!(dir.run(args).status(), 2, "{args:?}");
    }
}

#[test]
fn a_changed_configuration_file_is_in_force_at_once() {
    let dir = Dir::new();
    let name = "rigy-batch.toml";
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write(name, "output = \"out\"\n[documents]\nposes = \"none\"\n");
    let watching = Watching::start(&dir, "in");
    assert_eq!(watching.round().0, written(&["out/a.glb"]));
    dir.write(name, "outptu = 3\n");
    assert!(watching.is_silent(), "the options stay as they were");
    dir.write("in/b.rigy.yaml", document("p"));
    assert_eq!(watching.round().0, written(&["out/b.glb"]));
    dir.write(name, "output = \"other\"\nexclude = [\"b.*\"]\n");
    let outputs = ["other/a.glb", "other/a.p.glb"];
    assert_eq!(watching.round().0, written(&outputs));
    watching.end();
}

#[test]
fn a_motion_elsewhere_is_watched() {
    let dir = Dir::with("in/a.glb", arm().glb());
    dir.write("moves/walk.glb", arm().glb());
    let watching = Watching::start(&dir, "bake in -o out --motion moves/walk.glb --time 1");
    let written = |status: &str| vec![("out/a.glb".to_owned(), status.to_owned())];
    assert_eq!(watching.round().0, written("written"));
    let mut slower = arm();
    let times = slower.floats("SCALAR", &[0.0, 1.5, 4.0]);
    slower.json["animations"][0]["samplers"][0]["input"] = times.into();
    dir.write("moves/walk.glb", slower.glb());
    assert_eq!(watching.round().0, written("written"));
    watching.end();
}
