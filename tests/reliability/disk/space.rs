//! A full disk, and outputs on another file system.

use rigy_batch::base::paths::Slashed;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use super::{names, run};
use crate::support::{Dir, document, program, stderr};

/// Runs the program by way of a shell, which first runs `first`.
fn run_after(dir: &Dir, shell: &[&str], first: &str, args: &str) -> Output {
    let program = program().slashed();
    let script = format!("{first}\nexec '{program}' {args}");
    let mut command = Command::new(shell[0]);
    command
        .current_dir(dir.path())
        .args(&shell[1..])
        .arg(script);
    command.output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_fails_what_does_not_fit_and_leaves_nothing_partial() {
    let dir = Dir::on_disk();
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

    // A file system of 128 KiB, where one may be mounted: its files are copied out afterwards.
    let first = format!(
        "mount -t tmpfs -o size=128k,mode=755 none out || exit 77\n\
         '{}' in -o out --report short.json; status=$?; cp -a out kept; exit $status",
        program().slashed()
    );
    let ran = run_after(&dir, &["unshare", "-rm", "bash", "-c"], &first, "");
    if ran.status.code() == Some(77) || stderr(&ran).contains("unshare") {
        return eprintln!("skipped: no file system of one's own here");
    }
    assert_eq!(ran.status.code(), Some(75), "{}", stderr(&ran));
    assert!(
        stderr(&ran).contains("No space left on device"),
        "{}",
        stderr(&ran)
    );
    let report = String::from_utf8(dir.read("short.json")).unwrap();
    let is_full = |line: &&str| line.contains("No space left on device");
    let failed: Vec<&str> = report.lines().filter(is_full).collect();
    assert!(
        !failed.is_empty()
            && failed
                .iter()
                .all(|line| line.contains("\"transient\":true"))
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

    // A file system that takes no further file.
    let first = "mount -t tmpfs -o nr_inodes=1,mode=755 none out || exit 77";
    let ran = run_after(&dir, &["unshare", "-rm", "bash", "-c"], first, "in -o out");
    assert_eq!(ran.status.code(), Some(75), "{}", stderr(&ran));

    // A full one, where `fmt` would change a document: it stays as it was.
    dir.write("untidy", "meshes:   []\nversion: \"0.5\"\n");
    let first = format!(
        "mount -t tmpfs -o size=64k,mode=755 none out || exit 77\n\
         cp untidy out/e.rigy.yaml; cat /dev/zero >out/filling 2>/dev/null\n\
         '{}' fmt out; status=$?; cmp untidy out/e.rigy.yaml || exit 1; exit $status",
        program().slashed()
    );
    let ran = run_after(&dir, &["unshare", "-rm", "bash", "-c"], &first, "");
    assert_eq!(ran.status.code(), Some(75), "{}", stderr(&ran));
    let said = stderr(&ran);
    assert!(said.contains("No space left on device"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn outputs_on_another_file_system_come_by_way_of_a_copy_there() {
    let dir = Dir::on_disk();
    let device = |path: &Path| fs::metadata(path).map(|there| there.dev()).ok();
    let memory = Path::new("/dev/shm");
    if device(memory).is_none_or(|there| Some(there) == device(dir.path())) {
        return eprintln!("skipped: no other file system at {}", memory.slashed());
    }
    let other = tempfile::tempdir_in(memory).unwrap();
    dir.write("in/sub/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("p"));
    fs::create_dir(dir.path().join("out")).unwrap();
    symlink(other.path(), dir.path().join("out/sub")).unwrap();
    // Half a copy, as a killed run leaves it.
    fs::create_dir_all(other.path().join(".rigy-batch/tmp-5-5")).unwrap();
    fs::write(other.path().join(".rigy-batch/tmp-5-5/1"), "half").unwrap();
    for more in [&[][..], &["--sync"]] {
        let args = [&["in", "-o", "out", "--force"], more].concat();
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
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
