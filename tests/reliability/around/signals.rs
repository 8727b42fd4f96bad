//! Signals: a request to end while nothing reads what the program prints, and SIGBUS that another process sends.

use rigy_batch::base::paths::Slashed;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{outputs, small_documents};
use crate::support::chance::cases;
use crate::support::skinned::skinned;
use crate::support::{Arguments, Dir, document, program, send_signal};

/// Waits, for half a minute, until `done`.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The exit status of the program, which must end within `most`.
fn ended(child: &mut Child, most: Duration) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > most {
            child.kill().unwrap();
            panic!("it has not ended after {:?}", start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts the program with nothing that reads its output.
fn start_unread(dir: &Dir, args: &str) -> Child {
    let mut command = Command::new(program());
    command.current_dir(dir.path()).args(args.words());
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().unwrap()
}

/// Waits until no more files appear.
fn wait_for_standstill(dir: &Dir) {
    let mut last = 0;
    wait_until("it stands still", || {
        std::thread::sleep(Duration::from_millis(500));
        let count = dir.files().len();
        let still = count > 2100 && last == count;
        last = count;
        still
    });
}

/// One signal ends a run that nothing reads: soon, with its report and without leftovers.
fn assert_one_signal_ends(dir: &Dir, mut child: Child, signal: &str) {
    wait_for_standstill(dir);
    send_signal(&child, signal);
    // About a second; more on a machine that is busy.
    let status = ended(&mut child, Duration::from_secs(5));
    assert_eq!(status.code(), Some(130), "{signal}: {status}");
    let report = dir.json("r.json");
    assert_eq!(report["interrupted"], true);
    let lines = report["outputs"].as_array().unwrap();
    let written = lines.iter().filter(|line| line["status"] == "written");
    assert_eq!(written.count(), outputs(dir).len(), "{signal}");
}

#[test]
fn one_signal_ends_a_run_whose_standard_output_is_not_read() {
    for signal in &["INT", "TERM"][..cases(1, 2)] {
        let dir = small_documents(2000);
        let args = "in -o out --format json --report r.json";
        assert_one_signal_ends(&dir, start_unread(&dir, args), signal);
    }
}

#[test]
fn one_signal_ends_a_run_whose_standard_error_is_not_read() {
    let dir = Dir::new();
    // Every other document fails, with an error of some length.
    for index in 0..2000 {
        let text = document("p");
        let broken = text.replace("{x: 1}", &format!("{{x: {}}}", "x".repeat(300)));
        let text = if index % 2 == 0 { text } else { broken };
        dir.write(&format!("in/{index:04}.rigy.yaml"), text);
    }
    let args = "in -o out --report r.json";
    assert_one_signal_ends(&dir, start_unread(&dir, args), "TERM");
}

/// Starts the program so that it waits for changes after it has written `output`, by way of bash, which first runs
/// `first`. Arguments are separated by spaces.
fn start_watching(dir: &Dir, first: &str, args: &str, output: &str) -> Child {
    let script = format!("{first}\nexec '{}' {args} --watch", program().slashed());
    let mut command = Command::new("bash");
    command.current_dir(dir.path()).args(["-c", &script]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.unwrap();
    let output = dir.path().join(output);
    wait_until("the first round is over", || output.exists());
    std::thread::sleep(Duration::from_millis(200));
    child
}

#[test]
fn a_sigbus_that_another_process_sends_ends_the_program() {
    let dir = small_documents(1);
    let mut child = start_watching(&dir, "", "in -o out", "out/00.p.glb");
    send_signal(&child, "BUS");
    let status = ended(&mut child, Duration::from_secs(5));
    assert_eq!(status.signal(), Some(libc::SIGBUS), "{status}");
}

#[test]
fn a_sigbus_that_is_ignored_stays_ignored() {
    let dir = Dir::new();
    // The file is so large that it is mapped.
    dir.write("in/a.glb", skinned(50_000, 0.0).glb());
    let mut child = start_watching(&dir, "trap '' BUS", "bake in -o out", "out/a.glb");
    for _ in 0..3 {
        send_signal(&child, "BUS");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(child.try_wait().unwrap(), None);
    send_signal(&child, "TERM");
    let status = ended(&mut child, Duration::from_secs(5));
    assert_eq!(status.code(), Some(130), "{status}");
}
