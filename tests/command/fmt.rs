//! `rigy-batch fmt`.

use crate::support::Dir;
use crate::support::{Arguments, Ran, assert_contains, program};

const UNTIDY: &str = "# lamp\nmeshes:   []\nversion: \"0.5\" # latest\n";
const TIDY: &str = "version: \"0.5\" # latest\n# lamp\nmeshes: []\n";

/// A directory with a document of each kind.
fn dir() -> Dir {
    let dir = Dir::with("a.rigy.yaml", UNTIDY);
    dir.write("below/b.rigy.yml", TIDY);
    dir.write("below/c.rigs.yaml", "rigs_version:   \"0.1\"\n");
    dir.write("other.yaml", UNTIDY);
    dir.write(".hidden/d.rigy.yaml", UNTIDY);
    dir
}

#[test]
fn files_are_rewritten_in_place_and_only_once() {
    let dir = dir();
    let ran = dir.run("fmt .");
    assert_eq!(
        (ran.status(), &*ran.stdout()),
        (
            0,
            "./a.rigy.yaml\n./below/c.rigs.yaml\n3 files: 2 changed, 1 unchanged\n"
        ),
    );
    assert_eq!(dir.read("a.rigy.yaml"), TIDY.as_bytes());
    assert_eq!(dir.read("other.yaml"), UNTIDY.as_bytes());
    assert_eq!(dir.read(".hidden/d.rigy.yaml"), UNTIDY.as_bytes());
    let before = dir.tree();
    assert_eq!(
        dir.run("fmt .").stdout(),
        "3 files: 0 changed, 3 unchanged\n"
    );
    assert_eq!(dir.run("fmt -q other.yaml").stdout(), "other.yaml\n");
    assert_eq!(dir.read("other.yaml"), TIDY.as_bytes());
    assert_eq!(dir.tree().len(), before.len(), "no other file appears");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_may_pass() {
    use std::process::{Command, Stdio};
    let dir = dir();
    for args in ["fmt -", "fmt below"] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = Command::new(program());
        command
            .current_dir(dir.path())
            .args(args.words())
            .stdin(std::fs::File::open(dir.path().join("a.rigy.yaml")).unwrap())
            .stdout(Stdio::from(full.unwrap()));
        Ran::of(&mut command).exits_saying(75, "No space left");
    }
}

#[test]
fn check_and_diff_write_nothing() {
    let dir = dir();
    let before = dir.tree();
    let ran = dir.run("fmt --check a.rigy.yaml below");
    assert_eq!(
        (ran.status(), &*ran.stdout()),
        (
            1,
            "a.rigy.yaml\nbelow/c.rigs.yaml\n3 files: 2 would change, 1 unchanged\n"
        ),
    );
    assert_eq!(dir.run("fmt --check below/b.rigy.yml").status(), 0);
    let ran = dir.run("fmt --diff a.rigy.yaml");
    let expected = "--- a.rigy.yaml\n+++ a.rigy.yaml\n@@ -1,3 +1,3 @@\n+version: \"0.5\" # latest\n # lamp\n\
                    -meshes:   []\n-version: \"0.5\" # latest\n+meshes: []\n";
    assert_eq!((ran.status(), &*ran.stdout()), (0, expected));
    assert_eq!(dir.run("fmt --diff --check a.rigy.yaml").status(), 1);
    assert_eq!(dir.tree(), before);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let dir = Dir::new();
    let filtered = |args: &str, text: &[u8]| {
        let ran = dir.run_on(text, args);
        (ran.status(), ran.stdout(), ran.stderr())
    };
    assert_eq!(
        filtered("fmt -", UNTIDY.as_bytes()),
        (0, TIDY.into(), "".into())
    );
    assert_eq!(
        filtered("fmt --check -", UNTIDY.as_bytes()),
        (1, "".into(), "".into())
    );
    assert_eq!(
        filtered("fmt --check -", TIDY.as_bytes()),
        (0, "".into(), "".into())
    );
    let (status, printed, errors) = filtered("fmt -", b"a: [");
    assert_eq!((status, &*printed), (1, ""));
    assert_contains(&errors, &["standard input", "U10"]);
    assert_eq!(filtered("fmt -", b"a: \xff").0, 1);
    assert_eq!(filtered("fmt - a.yaml", b"").0, 2);
}

#[test]
fn what_is_no_yaml_stays_and_the_others_are_formatted() {
    let dir = dir();
    dir.write("bad.rigy.yaml", "version: \"0.5\"\nmeshes: [\n");
    let ran = dir.run("fmt .");
    assert_eq!(ran.status(), 1);
    assert!(
        ran.stdout()
            .ends_with("4 files: 2 changed, 1 unchanged, 1 failed\n"),
        "{}",
        ran.stdout()
    );
    ran.says("bad.rigy.yaml:");
    assert_eq!(dir.read("bad.rigy.yaml"), b"version: \"0.5\"\nmeshes: [\n");
    assert_eq!(dir.read("a.rigy.yaml"), TIDY.as_bytes());
    assert_eq!(dir.run("fmt missing.yaml").status(), 2);
}

#[test]
fn what_a_file_brings_is_escaped_in_a_diff() {
    let dir = Dir::with("a.rigy.yaml", "a:   \"\u{202e}\"\n");
    let printed = dir.run("fmt --diff a.rigy.yaml").stdout();
    assert!(
        printed.contains("+a: \"\\u{202e}\"\n") && !printed.contains('\u{202e}'),
        "{printed}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_its_file_keeps_its_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = Dir::with("real/lamp.yaml", UNTIDY);
    let real = dir.path().join("real/lamp.yaml");
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    symlink("real/lamp.yaml", dir.path().join("link.yaml")).unwrap();
    assert_eq!(dir.run("fmt link.yaml").status(), 0);
    assert!(dir.path().join("link.yaml").is_symlink());
    assert_eq!(dir.read("real/lamp.yaml"), TIDY.as_bytes());
    let mode = std::fs::metadata(&real).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}
