//! Limits that `ulimit` sets, and the one on threads in the environment.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use super::{large_document, outputs, run_after, small_documents};
use crate::support::skinned::skinned;
use crate::support::{Arguments, Dir, assert_contains, program, stderr};

#[test]
fn an_output_beyond_the_size_limit_fails_and_the_others_are_done() {
    let dir = small_documents(3);
    dir.write("in/large.rigy.yaml", large_document(10));
    let ran = run_after(&dir, "ulimit -f 64", "in -o out --report r.json");
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    let said = stderr(&ran);
    assert!(said.contains("cannot write `out/large"), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(outputs(&dir).len(), 6);
    let report = dir.json("r.json");
    assert_eq!(
        report["summary"]["failed"], 2,
        "both outputs of one document"
    );
}

#[test]
fn a_baked_file_beyond_the_size_limit_fails_and_the_others_are_done() {
    let dir = Dir::on_disk();
    dir.write("in/large.glb", skinned(400_000, 0.0).glb());
    dir.write("in/small.glb", skinned(10, 0.0).glb());
    let ran = run_after(&dir, "ulimit -f 4000", "bake in -o out");
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    let said = stderr(&ran);
    assert!(said.contains("cannot write `out/large.glb`"), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(outputs(&dir), ["out/small.glb"]);
}

#[test]
fn a_report_and_a_cache_beyond_the_size_limit_are_named() {
    let dir = small_documents(60);
    let ran = run_after(&dir, "ulimit -f 8", "in -o out --report r.json");
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    let said = stderr(&ran);
    let report = "the report could not be written: cannot write `r.json`: File too large";
    assert!(said.contains(report), "{said}");
    let cache = "cannot write `out/.rigy-batch/cache`: File too large";
    assert!(said.contains(cache), "{said}");
    assert_eq!(outputs(&dir).len(), 120);
    assert!(!dir.path().join("r.json").exists());
}

#[test]
fn standard_output_beyond_the_size_limit_is_named_and_the_run_goes_on() {
    let dir = small_documents(60);
    let args = "in -o out --format json > lines";
    let ran = run_after(&dir, "ulimit -f 8", args);
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    let said = stderr(&ran);
    assert!(said.contains("standard output: File too large"), "{said}");
    assert_eq!(outputs(&dir).len(), 120);
}

#[test]
fn with_few_file_handles_every_document_is_done_or_named_and_nothing_is_left() {
    for handles in [4, 5, 6, 7, 8, 16, 24, 32] {
        let dir = small_documents(40);
        let first = format!("ulimit -n {handles}");
        let ran = run_after(&dir, &first, "in -o out -j 8 --report r.json");
        let said = stderr(&ran);
        assert!(!said.contains("panicked"), "{handles}: {said}");
        let outputs = outputs(&dir);
        match ran.status.code() {
            Some(0) => assert_eq!(outputs.len(), 80, "{handles}"),
            Some(75) if said.contains("error: ") => {
                let failed = |n: &usize| said.contains(&format!("error: in/{n:02}.rigy.yaml: "));
                let failed = (0..40).filter(failed).count();
                assert_eq!(outputs.len(), 80 - 2 * failed, "{handles}: {said}");
            }
            Some(75) => assert!(outputs.is_empty() && said.contains('`'), "{said}"),
            status => panic!("{handles}: {status:?} {said}"),
        }
        let left = walkdir::WalkDir::new(dir.path()).into_iter().flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("tmp-"));
        assert_eq!(left.count(), 0, "{handles}");
        if handles >= 16 {
            assert_eq!(ran.status.code(), Some(0), "{handles}: {said}");
        }
    }
}

#[test]
fn without_memory_for_all_threads_it_goes_on_with_fewer() {
    let dir = small_documents(4);
    // 64 stacks alone are 128 MiB.
    let ran = run_after(&dir, "ulimit -v 100000", "in -o out -j 64");
    let said = stderr(&ran);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    let says = said.contains("instead of 64") && said.contains("-j");
    assert!(says, "{said}");
    assert_eq!(outputs(&dir).len(), 8);
}

#[test]
fn an_input_beyond_the_memory_of_the_process_fails_and_the_others_are_done() {
    let dir = small_documents(4);
    dir.write("in/large.rigy.yaml", large_document(2000));
    // The large one takes more than 300 MiB.
    let ran = run_after(&dir, "ulimit -v 250000", "in -o out -j 2");
    let said = stderr(&ran);
    assert_eq!(ran.status.code(), Some(75), "{}: {said}", ran.status);
    let says = said.contains("error: in/large.rigy.yaml: ") && said.contains("ulimit -v");
    assert!(says, "{said}");
    assert_eq!(outputs(&dir).len(), 8);
}

#[test]
fn heaps_of_threads_do_not_use_up_the_memory_of_the_process() {
    let dir = Dir::on_disk();
    let file = skinned(400_000, 0.0).glb();
    for name in ["a", "b", "c", "d", "e", "f"] {
        dir.write(&format!("in/{name}.glb"), &file);
    }
    // Each of the 8 threads would reserve 64 MiB, though the files take 12 MiB each.
    let ran = run_after(&dir, "ulimit -v 300000", "bake in -o out -j 8");
    assert_eq!(
        ran.status.code(),
        Some(0),
        "{}: {}",
        ran.status,
        stderr(&ran)
    );
    assert_eq!(outputs(&dir).len(), 6);
}

#[test]
fn models_of_a_page_do_not_use_up_the_memory_of_the_process() {
    let dir = Dir::on_disk();
    dir.write("in/a.glb", skinned(340_000, 0.0).glb());
    dir.write("in/b.glb", skinned(100, 0.0).glb());
    // The model takes about nine times the 11 MB of its file, for a moment.
    for limit in [90_000, 100_000, 110_000] {
        let limit = format!("ulimit -v {limit}");
        let ran = run_after(&dir, &limit, "bake in -o out -j 1 --force --html page.html");
        let said = stderr(&ran);
        assert_eq!(
            ran.status.code(),
            Some(0),
            "{limit}: {}: {said}",
            ran.status
        );
    }
    assert_eq!(outputs(&dir).len(), 2);
    assert!(dir.path().join("page.html").exists());
}

/// Runs the program as a user that has no other process, with a limit on their number; `None`, with a note, where that
/// cannot be done.
fn run_alone(dir: &Dir, user: u32, processes: u32, args: &str) -> Option<Output> {
    let open = |path| fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    open(dir.path());
    let user = user + std::process::id() % 1000;
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={user}"), format!("--regid={user}")]);
    command.args(["--clear-groups", "prlimit"]);
    command.arg(format!("--nproc={processes}"));
    let may = Command::new("setpriv")
        .args([format!("--reuid={user}"), "--clear-groups".to_owned()])
        .args(["test", "-x"])
        .arg(program())
        .stderr(Stdio::null())
        .status();
    if !may.is_ok_and(|status| status.success()) {
        eprintln!("skipped: `setpriv` cannot run the program as another user here");
        return None;
    }
    let program = command
        .arg(program())
        .args(args.words())
        .current_dir(dir.path());
    Some(program.env_remove("RAYON_NUM_THREADS").output().unwrap())
}

#[test]
fn without_processes_for_all_threads_it_goes_on_with_fewer() {
    let dir = small_documents(4);
    let args = "in -o out -j 8";
    let Some(ran) = run_alone(&dir, 71_000, 4, args) else {
        return;
    };
    let said = stderr(&ran);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert_contains(&said, &["instead of 8", "-j"]);
    assert_eq!(outputs(&dir).len(), 8);
}

#[test]
fn without_a_single_thread_nothing_is_started() {
    let dir = small_documents(1);
    let args = "in -o out -j 8";
    let Some(ran) = run_alone(&dir, 72_000, 1, args) else {
        return;
    };
    let said = stderr(&ran);
    assert_eq!(ran.status.code(), Some(75), "{said}");
    assert_contains(&said, &["8 asked for", "-j"]);
    assert!(!dir.path().join("out").exists());
    let watch = run_alone(&dir, 73_000, 1, &format!("{args} --watch")).unwrap();
    let said = stderr(&watch);
    assert_eq!(watch.status.code(), Some(75), "{said}");
    assert!(said.contains("cannot start a thread"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn the_variable_for_threads_has_the_bounds_of_the_option() {
    let dir = small_documents(1);
    for value in ["1025", "x", "-1"] {
        let variable = [("RAYON_NUM_THREADS", value)];
        for args in ["in -o out", "bench", "verify none"] {
            let ran = dir.run_with(&variable, args).exits(2);
            let said = ran.stderr();
            let says = said.contains("RAYON_NUM_THREADS") && said.contains(value);
            assert!(says, "{args:?}: {said}");
        }
        assert!(!dir.path().join("out").exists());
        dir.run_with(&variable, "in -o other -j 2").good();
    }
    for value in ["", "0", "3"] {
        dir.run_with(&[("RAYON_NUM_THREADS", value)], "in -o out")
            .good();
    }
    let help = dir.run("--help").stdout();
    assert!(help.contains("RAYON_NUM_THREADS"), "{help}");
}

#[test]
fn a_small_stack_is_enough_for_every_command() {
    let dir = small_documents(2);
    dir.write("m.glb", skinned(10, 0.0).glb());
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    dir.write("deep.rigy.yaml", format!("version: {deep}\n"));
    for limit in [64, 256] {
        for (args, status) in [
            ("in -o out --force", 0),
            ("bake m.glb -o out --force", 0),
            ("deep.rigy.yaml -n", 1),
            ("--help", 0),
            ("inspect m.glb", 0),
            ("palette m.glb", 0),
            ("diff m.glb m.glb", 0),
            ("in -n --watch", 2),
        ] {
            let ran = run_after(&dir, &format!("ulimit -s {limit}"), args);
            assert_eq!(ran.status.code(), Some(status), "{args}: {}", stderr(&ran));
        }
    }
}
