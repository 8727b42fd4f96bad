//! `rigy-batch verify`: manifests and tests that do not exist.

use crate::support::{Dir, own_manifest};

#[test]
fn verify_refuses_a_test_that_no_manifest_has() {
    let manifest = own_manifest();
    let manifest = manifest.to_str().unwrap();
    let ran = Dir::new().run(&["verify", manifest, "--only", "A01_single_bone_bind,nope"]);
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    assert!(ran.stderr().contains("`nope`"), "{}", ran.stderr());
}

#[test]
fn a_manifest_without_tests_proves_nothing_and_fails() {
    let dir = Dir::new();
    dir.write("none.json", r#"{"tests": []}"#);
    let own = own_manifest();
    let own = own.to_str().unwrap();
    for args in [
        &["verify", "none.json"][..],
        &["verify", "none.json", "--format", "json"],
        &["verify", own, "none.json", "--only", "A01_single_bone_bind"],
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status(), 2, "{args:?}: {}", ran.stdout());
        assert!(
            ran.stderr().contains("`none.json` has no tests"),
            "{}",
            ran.stderr()
        );
    }
    let ran = dir.run(&["verify", own, "--only", "absent"]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.stderr().contains("no manifest has a test `absent`"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn quiet_leaves_only_what_fails() {
    let dir = Dir::new();
    dir.write("others/none.txt", "");
    let manifest = own_manifest();
    let only = ["--only", "A01_single_bone_bind"];
    let verify = ["verify", manifest.to_str().unwrap(), only[0], only[1]];
    let ran = dir.run(&verify);
    assert!(ran.stdout().contains("1 of 1 passed"), "{}", ran.stdout());
    let ran = dir.run(&[&verify[..], &["-q"]].concat());
    let printed = (ran.status(), ran.stdout(), ran.stderr());
    assert_eq!(printed, (0, String::new(), String::new()));
    let ran = dir.run(&[&verify[..], &["-q", "--against", "others"]].concat());
    let text = ran.stdout();
    assert_eq!((ran.status(), text.lines().count()), (1, 1), "{text}");
    assert!(text.starts_with("  FAIL  A01_single_bone_bind"), "{text}");
}
