//! `rigy-batch verify`: manifests and tests that do not exist.

use crate::support::{Dir, own_manifest};
use rigy_batch::base::paths::Slashed;

#[test]
fn verify_refuses_a_test_that_no_manifest_has() {
    let manifest = own_manifest();
    let manifest = manifest.to_str().unwrap();
    let ran = Dir::new().run(&format!(
        "verify {manifest} --only A01_single_bone_bind,nope"
    ));
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    ran.says("`nope`");
}

#[test]
fn a_manifest_without_tests_proves_nothing_and_fails() {
    let dir = Dir::with("none.json", r#"{"tests": []}"#);
    let own = own_manifest();
    let own = own.to_str().unwrap();
    for args in [
        "verify none.json",
        "verify none.json --format json",
        &format!("verify {own} none.json --only A01_single_bone_bind"),
    ] {
        dir.run(args).exits_saying(2, "`none.json` has no tests");
    }
    dir.run(&format!("verify {own} --only absent"))
        .exits_saying(2, "no manifest has a test `absent`");
}

#[test]
fn quiet_leaves_only_what_fails() {
    let dir = Dir::with("others/none.txt", "");
    let manifest = own_manifest();
    let verify = format!("verify {} --only A01_single_bone_bind", manifest.slashed());
    let ran = dir.run(&verify);
    ran.prints("1 of 1 passed");
    let ran = dir.run(&format!("{verify} -q"));
    let printed = (ran.status(), ran.stdout(), ran.stderr());
    assert_eq!(printed, (0, String::new(), String::new()));
    let ran = dir.run(&format!("{verify} -q --against others"));
    let text = ran.stdout();
    assert_eq!((ran.status(), text.lines().count()), (1, 1), "{text}");
    assert!(text.starts_with("  FAIL  A01_single_bone_bind"), "{text}");
}
