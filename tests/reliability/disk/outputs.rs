//! Output directories: without rights, with a link in place of the private directory, shared by several runs.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::{names, rights_matter, run};
use crate::support::{Dir, assert_contains, document, program, stderr};

#[test]
fn an_output_that_cannot_be_written_is_found_before_any_work() {
    let dir = Dir::on_disk();
    dir.write("in/broken.rigy.yaml", "version: [");
    let mut places = vec![
        Path::new("/proc").to_owned(),
        Path::new("/proc/nothing").to_owned(),
    ];
    if rights_matter(&dir) {
        let closed = dir.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
        places.extend([closed.join("below"), closed]);
    }
    for place in places {
        if !place.starts_with(dir.path()) && !cfg!(target_os = "linux") {
            continue;
        }
        let ran = run(&dir, &["in".as_ref(), "-o".as_ref(), place.as_os_str()]);
        assert_eq!(ran.status.code(), Some(2), "{place:?}: {}", stderr(&ran));
        let said = stderr(&ran);
        assert!(said.contains(&*place.to_string_lossy()), "{said}");
        assert!(
            !said.contains("broken"),
            "no input has been looked at: {said}"
        );
    }
    let _ = fs::remove_dir(dir.path().join("closed"));
    assert_eq!(names(&dir), ["in", "in/broken.rigy.yaml"]);
}

#[test]
fn pipes_stay_and_links_that_lead_nowhere_are_named() {
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("p"));
    fs::create_dir(dir.path().join("out")).unwrap();
    let pipe = dir.path().join("out/a.glb");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let ran = run(&dir, &["in", "-o", "out"].map(OsStr::new));
    assert_eq!(ran.status.code(), Some(1));
    assert_contains(stderr(&ran), &["out/a.glb", "not a regular file"]);
    assert!(fs::metadata(pipe).unwrap().file_type().is_fifo());
    assert!(dir.path().join("out/b.glb").exists());
    symlink("nowhere", dir.path().join("dangling")).unwrap();
    let ran = run(&dir, &["in", "-o", "dangling"].map(OsStr::new));
    assert_eq!(ran.status.code(), Some(2));
    assert_contains(
        stderr(&ran),
        &["dangling", "a link that leads to no directory"],
    );
}

#[test]
fn the_private_directory_is_a_directory_of_ours() {
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("elsewhere/tmp-1/precious", "as it was");
    fs::create_dir(dir.path().join("out")).unwrap();
    symlink("../elsewhere", dir.path().join("out/.rigy-batch")).unwrap();
    let ran = run(&dir, &["in".as_ref(), "-o".as_ref(), "out".as_ref()]);
    assert_eq!(ran.status.code(), Some(2));
    let said = stderr(&ran);
    assert_contains(&said, &["out/.rigy-batch", "link"]);
    assert_eq!(dir.read("elsewhere/tmp-1/precious"), b"as it was");
    dir.remove("out/.rigy-batch");
    // The next run removes the files that a dead run has left, in every directory to which that run had something to write.
    dir.write("out/.rigy-batch/tmp-77-0/3", "half");
    dir.write(".rigy-batch/tmp-77-1/1", "half a report");
    dir.write(".rigy-batch-Ab12Cd.tmp", "half a report");
    let args = ["in", "-o", "out", "--report", "report"].map(OsStr::new);
    assert_eq!(run(&dir, &args).status.code(), Some(0));
    let expected = [
        "elsewhere/tmp-1/precious",
        "in/a.rigy.yaml",
        "out/a.glb",
        "out/a.p.glb",
        "report",
    ];
    assert_eq!(dir.files(), expected);
    assert!(!names(&dir).iter().any(|name| name.contains(".rigy-batch")));
}

#[test]
fn runs_on_one_output_do_not_disturb_each_other() {
    let dir = Dir::on_disk();
    for index in 0..10 {
        dir.write(&format!("in/{index}.rigy.yaml"), document("p"));
    }
    let start = |_| {
        let mut command = Command::new(program());
        let args = [
            "in", "-o", "out", "--force", "--report", "report", "--quiet",
        ];
        command
            .current_dir(dir.path())
            .args(args)
            .stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    let runs: Vec<_> = (0..8).map(start).collect();
    for run in runs {
        let ran = run.wait_with_output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    }
    assert!(!names(&dir).iter().any(|name| name.contains(".rigy-batch")));
    assert_eq!(dir.files().len(), 10 + 20 + 1);
}

#[test]
fn waiting_for_the_disk_changes_no_byte() {
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.run("in -o plain/new/out --report plain.json").good();
    dir.run("in -o sync/new/out --report sync.json --sync")
        .good();
    for name in ["a.glb", "a.p.glb"] {
        let [plain, sync] = ["plain", "sync"].map(|out| dir.read(&format!("{out}/new/out/{name}")));
        assert!(plain == sync, "{name}");
    }
    assert!(!names(&dir).iter().any(|name| name.contains(".rigy-batch")));
}
