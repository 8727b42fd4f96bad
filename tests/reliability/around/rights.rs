//! Modes and owners of files, and several users of one output root.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use super::shell::{sh, succeeds};
use crate::support::{Dir, document};

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

#[test]
fn a_replaced_output_keeps_its_mode_and_a_new_one_obeys_the_mask() {
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    let report = dir.path().join("report.json");
    let run = "umask 027; $rigy in -o out --report report.json";
    assert_eq!(sh(&dir, run).status(), 0);
    let (rest, posed) = (dir.path().join("out/a.glb"), dir.path().join("out/a.p.glb"));
    assert_eq!(
        (mode(&rest), mode(&posed), mode(&report)),
        (0o640, 0o640, 0o640)
    );
    for (path, mode) in [(&rest, 0o604), (&posed, 0o440), (&report, 0o600)] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }
    dir.write("in/a.rigy.yaml", document("p").replace("x: 1", "x: 2"));
    let ran = sh(&dir, run);
    assert!(
        ran.stdout().contains("1 written (2 outputs)"),
        "{}",
        ran.stdout()
    );
    assert_eq!(
        (mode(&rest), mode(&posed), mode(&report)),
        (0o604, 0o440, 0o600)
    );
}

/// True if this process may act as other users; otherwise prints that the test is skipped.
fn has_other_users() -> bool {
    let mut setpriv = Command::new("setpriv");
    setpriv.args([
        "--reuid",
        "65534",
        "--regid",
        "65533",
        "--clear-groups",
        "true",
    ]);
    let has = succeeds(setpriv);
    if !has {
        eprintln!("skipped: this test needs the right to act as other users (setpriv)");
    }
    has
}

/// Before a script: runs a command as one of two users with a group in common, or as one of neither.
const USERS: &str = "
    as() { setpriv --reuid $1 --regid $2 --groups $3 \"${rigy}\" $4; }
    ann() { as 61001 61001 61000 \"$1\"; }
    bob() { as 61002 61002 61000 \"$1\"; }
    umask 022; chmod 755 .; ";

#[test]
fn two_users_of_a_group_share_an_output_root() {
    if !has_other_users() {
        return;
    }
    for (set_group_id, mask) in [("2775", "022"), ("775", "022"), ("775", "002")] {
        let dir = Dir::on_disk();
        dir.write("in/a.rigy.yaml", document("p"));
        dir.write("in/b.rigy.yaml", document("q"));
        let script = format!(
            "{USERS} umask {mask}; mkdir out; chgrp 61000 out; chmod {set_group_id} out
            ann 'in -o out'
            sed -i 's/x: 1/x: 3/' in/a.rigy.yaml
            bob 'in -o out'
            sed -i 's/x: 3/x: 4/' in/b.rigy.yaml in/a.rigy.yaml
            ann 'in -o out'"
        );
        let ran = sh(&dir, &script);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        let said: Vec<String> = ran.stdout().lines().map(str::to_owned).collect();
        assert_eq!(
            said,
            [
                "2 documents: 2 written (4 outputs)",
                "2 documents: 1 written (2 outputs), 1 unchanged",
                "2 documents: 1 written (2 outputs), 1 unchanged"
            ]
        );
        let private = std::fs::read_dir(dir.path().join("out/.rigy-batch")).unwrap();
        let mut names: Vec<_> = private.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".gitignore", "CACHEDIR.TAG", "cache"]);
    }
}

#[test]
fn leftovers_of_a_killed_run_of_another_user_are_removed() {
    if !has_other_users() {
        return;
    }
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    let script = format!(
        "{USERS} mkdir out; chgrp 61000 out; chmod 2775 out; ann 'in -o out'
        umask 002; dead=out/.rigy-batch/tmp-1-1; mkdir $dead; touch $dead/lock $dead/1
        chown -R 61001:61000 $dead; umask 022
        bob 'in -o out'; test ! -e $dead"
    );
    let ran = sh(&dir, &script);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
}

#[test]
fn the_superuser_leaves_files_to_their_owners() {
    if !has_other_users() {
        return;
    }
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    let ran = sh(
        &dir,
        "$rigy in -o out; chown 61001:61000 out/a.p.glb; $rigy in -o out --force",
    );
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let there = dir.path().join("out/a.p.glb").metadata().unwrap();
    assert_eq!((there.uid(), there.gid()), (61001, 61000));
}

#[test]
fn users_of_a_sticky_directory_do_not_lock_each_other_out() {
    if !has_other_users() {
        return;
    }
    let dir = Dir::on_disk();
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("p"));
    // A run of another user leaves such a directory when it is killed.
    let script = format!(
        "{USERS} mkdir out; chmod 1777 out; mkdir -p out/.rigy-batch/tmp-1-1; chown -R 61001 out/.rigy-batch
        ann 'in/a.rigy.yaml -o out --report out/ann.json'
        bob 'in/b.rigy.yaml -o out --report out/bob.json'
        ls -A out"
    );
    let ran = sh(&dir, &script);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let files = ".rigy-batch .rigy-batch-61001 .rigy-batch-61002 a.glb a.p.glb ann.json b.glb b.p.glb bob.json";
    let listed: Vec<String> = ran.stdout().lines().skip(2).map(str::to_owned).collect();
    assert_eq!(listed.join(" "), files);
}
