//! The disk as it is: read-only, full, another file system, strange names, links in odd places, others at work.
#![cfg(unix)]

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use support::{Dir, document};

fn program() -> &'static Path {
    Path::new(assert_cmd::cargo::cargo_bin!("rigy-batch"))
}

fn run(dir: &Dir, args: &[&OsStr]) -> Output {
    let mut command = Command::new(program());
    command.current_dir(dir.path()).args(args);
    command.output().unwrap()
}

/// Runs the program by way of a shell, which first does something else.
fn run_after(dir: &Dir, shell: &[&str], first: &str, args: &str) -> Output {
    let program = program().display();
    let script = format!("{first}\nexec '{program}' {args}");
    let mut command = Command::new(shell[0]);
    command
        .current_dir(dir.path())
        .args(&shell[1..])
        .arg(script);
    command.output().unwrap()
}

fn stderr(ran: &Output) -> String {
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

/// Names of everything below, directories included.
fn names(dir: &Dir) -> Vec<String> {
    let entries = walkdir::WalkDir::new(dir.path())
        .min_depth(1)
        .sort_by_file_name();
    let name = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(dir.path()).unwrap();
        path.display().to_string()
    };
    let entries = entries.into_iter().flatten();
    let kept = entries.filter(|entry| !support::is_cache(entry.path()));
    kept.map(name).collect()
}

/// Rights mean nothing to some users.
fn rights_matter(dir: &Dir) -> bool {
    let path = dir.path().join("secret");
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let matter = fs::read(&path).is_err();
    fs::remove_file(path).unwrap();
    matter
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_any_work() {
    let dir = Dir::new();
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
#[cfg(target_os = "linux")]
fn a_full_disk_fails_what_does_not_fit_and_leaves_nothing_partial() {
    let dir = Dir::new();
    for name in ["a", "b", "c"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("p"));
    }
    let primitive = |n: usize| format!("{{type: capsule, id: c{n}, dimensions: {{radius: 0.1}}}}");
    let primitives: Vec<String> = (0..10).map(primitive).collect();
    let large = document("p").replace(
        "{type: box, id: b, dimensions: {x: 1}}",
        &primitives.join(", "),
    );
    dir.write("in/d.rigy.yaml", large);
    fs::create_dir(dir.path().join("out")).unwrap();
    // A limit of 64 KiB a file, of which the large one has more.
    let first = "trap '' XFSZ; ulimit -f 64";
    let ran = run_after(&dir, &["bash", "-c"], first, "in -o out --report report");
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert!(
        stderr(&ran).contains("cannot write `out/d"),
        "{}",
        stderr(&ran)
    );
    let made = |dir: &Dir| {
        names(dir)
            .into_iter()
            .filter(|name| name.starts_with("out/"))
            .collect::<Vec<_>>()
    };
    let small = [
        "out/a.glb",
        "out/a.p.glb",
        "out/b.glb",
        "out/b.p.glb",
        "out/c.glb",
        "out/c.p.glb",
    ];
    assert_eq!(made(&dir), small);
    assert!(dir.files().contains(&"report".to_owned()));

    // A file system of 128 KiB, where there may be one: what it holds afterwards is copied out.
    let first = format!(
        "mount -t tmpfs -o size=128k,mode=755 none out || exit 77\n\
         '{}' in -o out; status=$?; cp -a out kept; exit $status",
        program().display()
    );
    let ran = run_after(&dir, &["unshare", "-rm", "bash", "-c"], &first, "");
    if ran.status.code() == Some(77) || stderr(&ran).contains("unshare") {
        return eprintln!("skipped: no file system of one's own here");
    }
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert!(
        stderr(&ran).contains("No space left on device"),
        "{}",
        stderr(&ran)
    );
    for name in small {
        assert!(
            dir.read(&name.replace("out", "kept")) == dir.read(name),
            "{name}"
        );
    }
    let kept = fs::read_dir(dir.path().join("kept")).unwrap().flatten();
    let kept = kept.filter(|entry| entry.file_name() != ".rigy-batch");
    assert_eq!(kept.count(), small.len(), "nothing else");
}

#[test]
fn inputs_that_cannot_be_read_are_named_and_the_others_are_done() {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("in/secret.rigy.yaml", document("p"));
    dir.write("in/closed/b.rigy.yaml", document("p"));
    let pipe = dir.path().join("pipe.rigy.yaml");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let rights = rights_matter(&dir);
    let close = |name: &str, mode: u32| {
        let path = dir.path().join("in").join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    if rights {
        close("secret.rigy.yaml", 0o000);
        close("closed", 0o000);
    }
    let ran = run(
        &dir,
        &[
            "in".as_ref(),
            "pipe.rigy.yaml".as_ref(),
            "-o".as_ref(),
            "out".as_ref(),
        ],
    );
    close("closed", 0o755);
    assert_eq!(ran.status.code(), Some(1));
    let said = stderr(&ran);
    assert!(
        said.contains("cannot read `pipe.rigy.yaml`: it is not a regular file"),
        "{said}"
    );
    assert!(
        !rights || said.contains("cannot read `in/secret.rigy.yaml`"),
        "{said}"
    );
    assert!(
        !rights || said.contains("cannot list `in/closed`"),
        "{said}"
    );
    assert!(dir.files().contains(&"out/a.p.glb".to_owned()));
}

#[test]
#[cfg(target_os = "linux")] // elsewhere there are no such names
fn names_that_are_no_text_are_names() {
    let dir = Dir::new();
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    fs::create_dir_all(dir.path().join("in").join(name(b"d\xfe"))).unwrap();
    let place = dir.path().join("in").join(name(b"d\xfe/a\xff.rigy.yaml"));
    fs::write(place, document("p")).unwrap();
    let ran = run(
        &dir,
        &[
            "in".as_ref(),
            "-o".as_ref(),
            name(b"o\xfd"),
            "--format".as_ref(),
            "json".as_ref(),
        ],
    );
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    for output in [&b"o\xfd/d\xfe/a\xff.glb"[..], b"o\xfd/d\xfe/a\xff.p.glb"] {
        assert!(dir.path().join(OsStr::from_bytes(output)).is_file());
    }
    let entries = fs::read_dir(dir.path().join(name(b"o\xfd"))).unwrap();
    let entries = entries
        .flatten()
        .filter(|entry| !support::is_cache(&entry.path()));
    assert_eq!(entries.count(), 1);
}

#[test]
fn links_are_not_followed_and_loops_end() {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("elsewhere/b.rigy.yaml", document("p"));
    let link = |target: &str, name: &str| symlink(target, dir.path().join(name)).unwrap();
    link(".", "in/loop");
    link("../in", "in/up");
    link("self.rigy.yaml", "in/self.rigy.yaml");
    link("../elsewhere", "in/other");
    link("../elsewhere/b.rigy.yaml", "in/b.rigy.yaml");
    link("elsewhere/b.rigy.yaml", "given.rigy.yaml");
    let ran = run(
        &dir,
        &[
            "in".as_ref(),
            "given.rigy.yaml".as_ref(),
            "-o".as_ref(),
            "out".as_ref(),
        ],
    );
    assert_eq!(
        String::from_utf8_lossy(&ran.stdout),
        "2 documents: 4 written\n",
        "{}",
        stderr(&ran)
    );
    // An output that is a link gives way to a file; what the link leads to stays.
    fs::remove_file(dir.path().join("out/a.glb")).unwrap();
    dir.write("precious", "as it was");
    link("../precious", "out/a.glb");
    let ran = run(&dir, &["in".as_ref(), "-o".as_ref(), "out".as_ref()]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert!(
        fs::symlink_metadata(dir.path().join("out/a.glb"))
            .unwrap()
            .is_file()
    );
    assert_eq!(dir.read("precious"), b"as it was");
}

#[test]
fn the_private_directory_is_a_directory_of_ours() {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("elsewhere/tmp-1/precious", "as it was");
    fs::create_dir(dir.path().join("out")).unwrap();
    symlink("../elsewhere", dir.path().join("out/.rigy-batch")).unwrap();
    let ran = run(&dir, &["in".as_ref(), "-o".as_ref(), "out".as_ref()]);
    assert_eq!(ran.status.code(), Some(2));
    let said = stderr(&ran);
    assert!(
        said.contains("out/.rigy-batch") && said.contains("link"),
        "{said}"
    );
    assert_eq!(dir.read("elsewhere/tmp-1/precious"), b"as it was");
    fs::remove_file(dir.path().join("out/.rigy-batch")).unwrap();
    // What a dead run has left goes away with the next, wherever it had something to write.
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
    let dir = Dir::new();
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
fn durability_changes_no_byte() {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    for durability in ["none", "batch", "file"] {
        let out = format!("{durability}/new/out");
        let args = [
            "in",
            "-o",
            &out,
            "--durability",
            durability,
            "--report",
            durability,
        ];
        let report = format!("{durability}.json");
        let args = [&args[..6], &[&report]].concat();
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let ran = run(&dir, &args);
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        for name in ["a.glb", "a.p.glb"] {
            let same =
                dir.read(&format!("{out}/{name}")) == dir.read(&format!("none/new/out/{name}"));
            assert!(same, "{durability} {name}");
        }
    }
    let args = ["in", "--durability", "some"].map(OsStr::new);
    assert_eq!(run(&dir, &args).status.code(), Some(2));
    assert!(!names(&dir).iter().any(|name| name.contains(".rigy-batch")));
}

#[test]
#[cfg(target_os = "linux")]
fn outputs_on_another_file_system_come_by_way_of_a_copy_there() {
    let dir = Dir::new();
    let device = |path: &Path| fs::metadata(path).map(|there| there.dev()).ok();
    let memory = Path::new("/dev/shm");
    if device(memory).is_none_or(|there| Some(there) == device(dir.path())) {
        return eprintln!("skipped: no other file system at {}", memory.display());
    }
    let other = tempfile::tempdir_in(memory).unwrap();
    dir.write("in/sub/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("p"));
    fs::create_dir(dir.path().join("out")).unwrap();
    symlink(other.path(), dir.path().join("out/sub")).unwrap();
    // A dead run's half copy.
    fs::create_dir_all(other.path().join(".rigy-batch/tmp-5-5")).unwrap();
    fs::write(other.path().join(".rigy-batch/tmp-5-5/1"), "half").unwrap();
    for durability in ["none", "batch", "file"] {
        let args = ["in", "-o", "out", "--force", "--durability", durability].map(OsStr::new);
        let ran = run(&dir, &args);
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        let mut there: Vec<_> = fs::read_dir(other.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        there.sort();
        assert_eq!(there, ["a.glb", "a.p.glb"]);
        assert!(fs::read(other.path().join("a.glb")).unwrap() == dir.read("out/b.glb"));
    }
    assert!(!names(&dir).iter().any(|name| name.contains(".rigy-batch")));
}
