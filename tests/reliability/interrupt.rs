//! Real signals: the first ends a run in good order, the second at once.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::skinned::skinned;
use crate::support::{Arguments, Dir, document, program, send_signal};

fn crowd(count: usize) -> Dir {
    let dir = Dir::new();
    for index in 0..count {
        dir.write(&format!("in/{index:05}.rigy.yaml"), document("p"));
    }
    dir
}

fn start(dir: &Dir, args: &str) -> Child {
    let mut command = Command::new(program());
    let command = command.current_dir(dir.path()).args(args.words());
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().unwrap()
}

/// Sends a signal, which ends the program within a second. Returns the printed text.
fn interrupted(child: Child, name: &str) -> String {
    send_signal(&child, name);
    let sent = Instant::now();
    let output = child.wait_with_output().unwrap();
    let took = sent.elapsed();
    assert_eq!(output.status.code(), Some(130), "{name}");
    assert!(took < Duration::from_secs(1), "{name}: {took:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn errors_that_were_found_before_a_signal_are_shown() {
    let dir = crowd(1500);
    dir.write("in/+.rigy.yaml", "version: [");
    let child = start(&dir, "in -o out -j 2 --format json --depfile all.d");
    let begun = dir.path().join("out/00020.p.glb");
    wait_until("it begins", || begun.exists());
    send_signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("in/+.rigy.yaml"), "{said}");
    assert!(!dir.path().join("all.d").exists());
}

#[test]
fn the_first_signal_finishes_what_is_in_flight_and_reports_it() {
    for name in ["INT", "TERM"] {
        let dir = crowd(1500);
        // Its output is not read before the signal, so the pipe fills and the run cannot end.
        let args = "in -o out -j 2 --report r.json";
        let child = start(&dir, &format!("{args} --format json"));
        let begun = dir.path().join("out/00020.p.glb");
        wait_until("it begins", || begun.exists());
        let said = interrupted(child, name);
        let last = said.lines().last().unwrap();
        assert!(last.contains("\"interrupted\":true"), "{last}");

        let report = dir.json("r.json");
        assert_eq!(report["interrupted"], true);
        let lines = report["outputs"].as_array().unwrap();
        assert_eq!(report["summary"]["written"], lines.len());
        assert_eq!(said.lines().count(), lines.len() + 1);
        assert!((40..3000).contains(&lines.len()), "{}", lines.len());
        let mut expected: Vec<&str> = lines
            .iter()
            .map(|l| l["output"].as_str().unwrap())
            .collect();
        expected.sort_unstable();
        let files = dir.files();
        let written = files.iter().filter(|file| file.starts_with("out/"));
        assert!(
            written.eq(expected),
            "nothing more, nothing less, nothing temporary"
        );

        let again = dir.run("in -o out --report r.json").good();
        let inputs: BTreeSet<&str> = lines.iter().map(|l| l["input"].as_str().unwrap()).collect();
        again.prints(&format!(" {} unchanged", inputs.len()));
    }
}

#[test]
fn the_second_signal_does_not_wait() {
    let dir = crowd(2000);
    // Its output is not read, so the pipe fills and the run cannot end.
    let mut child = start(&dir, "in -o out --format json");
    let last = std::cell::Cell::new(0);
    wait_until("it stands still", || {
        std::thread::sleep(Duration::from_millis(500));
        let count = dir.files().len();
        count > 2100 && last.replace(count) == count
    });
    assert!(
        dir.files().len() < 4000,
        "what nobody reads is not produced"
    );
    send_signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        child.try_wait().unwrap().is_none(),
        "it waits for its reader"
    );
    send_signal(&child, "INT");
    let sent = Instant::now();
    let status = child.wait().unwrap();
    assert!(sent.elapsed() < Duration::from_millis(500));
    assert_eq!(status.code(), Some(130));
    let files = dir.files();
    let glbs = files.iter().filter(|file| file.ends_with(".glb"));
    for glb in glbs.filter(|file| !file.contains(".rigy-batch")) {
        let bytes = dir.read(glb);
        let len = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        assert_eq!(len as usize, bytes.len(), "{glb} is whole");
    }
}

/// True if a program has installed a handler for a signal.
#[cfg(target_os = "linux")]
fn catches_signals(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
    caught >> (libc::SIGINT - 1) & 1 == 1
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_while_names_are_compared_is_heard() {
    let dir = Dir::new();
    // Outputs of poses of `x` could have the names of any others, so all documents are read before the first is done.
    let anchor = |index| format!("  - {{id: a{index}, translation: [{index}, 0, 0]}}\n");
    let anchors: String = (0..12_000).map(anchor).collect();
    let mesh = "meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]";
    let text = format!("version: \"0.5\"\n{mesh}\nanchors:\n{anchors}");
    dir.write("in/x.rigy.yaml", text);
    let first = dir.path().join("in/x.rigy.yaml");
    for index in 0..400 {
        let place = format!("in/x.{index}.rigy.yaml");
        std::fs::hard_link(&first, dir.path().join(place)).unwrap();
    }
    for name in ["INT", "TERM"] {
        let child = start(&dir, "in -o out");
        wait_until("it listens", || catches_signals(&child));
        std::thread::sleep(Duration::from_millis(300));
        let said = interrupted(child, name);
        assert!(said.starts_with("interrupted after 0 of 401"), "{said}");
        assert!(!dir.path().join("out").exists(), "nothing has begun");
    }
}

/// A file with an animation of 200 seconds.
fn long_animation() -> Vec<u8> {
    let mut file = skinned(5000, 0.0).moving("Run", 200.0);
    // Points become triangles, which textures need.
    file.json["meshes"][0]["primitives"][0]["mode"] = serde_json::json!(5);
    file.glb()
}

#[test]
fn a_signal_ends_a_file_between_two_of_its_frames() {
    let dir = Dir::new();
    dir.write("run.glb", long_animation());
    for form in [
        "--as frames",
        "--as morph",
        "--as step",
        "--to obj",
        "--to usda",
        "--as vat",
    ] {
        // Textures have a largest size.
        let rate = if form.contains("vat") { 15 } else { 60 };
        let args = format!("bake run.glb -o out -j2 {form} --frames @{rate}");
        let child = start(&dir, &args);
        wait_until("it begins", || dir.path().join("out").exists());
        std::thread::sleep(Duration::from_millis(300));
        let said = interrupted(child, "INT");
        assert!(
            said.starts_with("interrupted after 0 of 1"),
            "{form:?}: {said}"
        );
        assert_eq!(
            dir.files(),
            ["run.glb"],
            "{form:?}: nothing partial is left"
        );
    }
}
