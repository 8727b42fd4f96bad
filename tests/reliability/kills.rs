//! The program is killed at random moments, alone or beside another run: no output is ever partial, and the next run
//! leaves nothing over.
//!
//! `scripts/prove soak` runs this with more documents and more kills.

use rigy_batch::base::paths::Slashed;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::documents::{self, Size};
use crate::support::chance::{asked, chance, killed, time, timed};
use crate::support::{Dir, document, is_cache, program};

type Tree = BTreeMap<String, Vec<u8>>;

/// The files below the outputs and beside them, without the inputs; and the names of private files.
fn outputs(dir: &Dir) -> (Tree, Vec<String>) {
    let (mut outputs, mut private) = (Tree::new(), Vec::new());
    for entry in walkdir::WalkDir::new(dir.path()).into_iter().flatten() {
        if is_cache(entry.path()) {
            continue;
        }
        let path = entry.path().strip_prefix(dir.path()).unwrap();
        let name = path.slashed().to_string();
        if name.contains(".rigy-batch") {
            private.push(name);
        } else if entry.file_type().is_file() && !name.starts_with("in/") {
            let content = std::fs::read(entry.path()).unwrap();
            outputs.insert(name, content);
        }
    }
    (outputs, private)
}

fn start(place: &Path, force: bool, report: &str) -> Child {
    let mut command = Command::new(program());
    command
        .current_dir(place)
        .args(["in", "-o", "out", "-j", "2", "--quiet", "--report", report])
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if force {
        command.arg("--force");
    }
    command.spawn().unwrap()
}

fn finish(run: Child) {
    let ended = run.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{errors}");
}

fn is_whole_report(text: &[u8]) -> bool {
    let report: Option<serde_json::Value> = serde_json::from_slice(text).ok();
    report.is_some_and(|report| report["summary"]["failed"] == 0)
}

#[test]
fn kills_leave_whole_files_and_nothing_else() {
    let count = asked("RIGY_SOAK_DOCUMENTS", 40) as u64;
    let kills = asked("RIGY_SOAK_KILLS", 10);
    let dir = Dir::new();
    for index in 0..count {
        let generated = documents::document(23, index, Size::Small);
        let folder = format!("in/{}", index % 7);
        let stem = documents::stem(index);
        dir.write(&format!("{folder}/{stem}.rigy.yaml"), generated.yaml);
        for (name, text) in generated.files {
            dir.write(&format!("{folder}/{name}"), text);
        }
    }
    // One document is changed now and then, to and fro.
    let change = |version: usize| {
        let text = document("p").replace("x: 1", &format!("x: {}", 1 + version));
        dir.write("in/3/changing.rigy.yaml", text);
    };
    let mut length = Duration::MAX;
    let versions = [1, 0].map(|version| {
        change(version);
        let ((), took) = timed(|| finish(start(dir.path(), true, "report.json")));
        length = length.min(took);
        let (mut full, private) = outputs(&dir);
        assert_eq!(private, [""; 0]);
        assert!(is_whole_report(&full.remove("report.json").unwrap()));
        full
    });
    assert!(versions[0] != versions[1]);
    let mut version = 1; // of the list: it ends with what is there now

    let mut random = chance();
    let (mut runs, mut in_time, mut left_over, mut beside) = (0, 0, 0, 0);
    // A kill after the end of a run does not count.
    while in_time < kills {
        runs += 1;
        assert!(runs < 50 * kills, "{in_time} kills came in time");
        match random.below(3) {
            0 => std::fs::remove_dir_all(dir.path().join("out")).unwrap(),
            1 => drop(std::fs::remove_dir_all(dir.path().join("out/3"))),
            _ => {}
        }
        if random.below(2) == 0 {
            version = 1 - version;
            change(1 - version);
        }
        let full = &versions[version];
        let force = random.below(2) == 0;
        let other = (random.below(4) == 0).then(|| start(dir.path(), true, "other.json"));
        let run = start(dir.path(), force, "report.json");
        std::thread::sleep(time(&mut random, length.mul_f64(1.2)));
        in_time += usize::from(killed(run));
        let check = |(found, private): (Tree, Vec<String>)| {
            for (name, content) in found {
                if name.ends_with("report.json") || name.ends_with("other.json") {
                    assert!(is_whole_report(&content), "partial: {name}");
                } else {
                    let is_of = |full: &Tree| full.get(&name) == Some(&content);
                    assert!(versions.iter().any(is_of), "partial or wrong: {name}");
                }
            }
            private
        };
        let private = check(outputs(&dir));
        if let Some(other) = other {
            // A kill of one run does not disturb another that goes on.
            beside += 1;
            finish(other);
        }
        left_over += usize::from(!private.is_empty());
        finish(start(dir.path(), false, "report.json"));
        let (mut now, private) = outputs(&dir);
        assert_eq!(private, [""; 0], "left over");
        assert!(is_whole_report(&now.remove("report.json").unwrap()));
        now.remove("other.json");
        assert!(now == *full, "the next run makes all that is missing");
    }
    println!(
        "{in_time} kills in {runs} runs over {count} documents ({} files, {length:?} undisturbed), {beside} of these \
         beside another run; something was left over after {left_over}, nothing after the next run of each; 0 partial \
         files",
        versions[0].len()
    );
}
