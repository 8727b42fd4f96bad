//! Inputs that cannot be read, have strange names, or are links.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use super::{rights_matter, run};
use crate::support::{Dir, assert_contains, document, is_cache, stderr};

#[test]
fn inputs_that_cannot_be_read_are_named_and_the_others_are_done() {
    let dir = Dir::on_disk();
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
    assert_contains(
        &said,
        &["pipe.rigy.yaml: cannot read the file: it is not a regular file"],
    );
    assert!(
        !rights || said.contains("in/secret.rigy.yaml: cannot read the file"),
        "{said}"
    );
    assert!(
        !rights || said.contains("in/closed: cannot list the directory"),
        "{said}"
    );
    assert!(dir.files().contains(&"out/a.p.glb".to_owned()));
}

#[test]
#[cfg(target_os = "linux")] // elsewhere there are no such names
fn names_that_are_no_text_are_names() {
    let dir = Dir::on_disk();
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
    let entries = entries.flatten().filter(|entry| !is_cache(&entry.path()));
    assert_eq!(entries.count(), 1);
}

#[test]
fn links_are_not_followed_and_loops_end() {
    let dir = Dir::on_disk();
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
        "2 documents: 2 written (4 outputs)\n",
        "{}",
        stderr(&ran)
    );
    // An output that is a link is replaced by a file; the target of the link stays.
    dir.remove("out/a.glb");
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
