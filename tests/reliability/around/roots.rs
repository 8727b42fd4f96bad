//! Output roots that cannot be written to, and private directories that are removed during a run.

use super::shell::{sh, sh_with_mounts};
use super::small_documents;
use crate::support::Ran;

/// Checks that a run did not start because it cannot write to `out`.
fn assert_refused(ran: &Ran) {
    assert_eq!(ran.status(), 2, "{}{}", ran.stdout(), ran.stderr());
    assert!(
        ran.stderr().contains("cannot write to `out`"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_read_only_root_is_found_before_anything_is_baked() {
    let dir = small_documents(1);
    // The private directory can be written to, the root cannot.
    let script = "mkdir -p out/.rigy-batch
        mount --bind out out; mount -t tmpfs none out/.rigy-batch; mount -o remount,ro,bind out
        exec $rigy in -o out";
    let Some(ran) = sh_with_mounts(&dir, script) else {
        return;
    };
    assert_refused(&ran);
}

#[test]
fn a_root_without_the_right_to_write_is_found_before_anything_is_baked() {
    let dir = small_documents(1);
    let script =
        "mkdir -p out/.rigy-batch; chmod 777 out/.rigy-batch; chmod 755 . out; cp \"$rigy\" program
        exec setpriv --reuid 61001 --regid 61001 --clear-groups ./program in -o out";
    let ran = sh(&dir, script);
    if ran.status() == 127 || ran.stderr().contains("setpriv: ") {
        return eprintln!("skipped: this test needs the right to act as other users (setpriv)");
    }
    assert_refused(&ran);
}

#[test]
fn a_private_directory_that_is_removed_is_made_again() {
    let dir = small_documents(300);
    let script = "(until [ -d out/.rigy-batch ]; do sleep 0.001; done; sleep 0.05
        while :; do rm -rf out/.rigy-batch 2>rm.log || true; sleep 0.003; done) & remover=$!
        $rigy in -o out --force >said 2>messages || true
        kill $remover; wait $remover || true
        $rigy in -o out";
    let ran = sh(&dir, script);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let said = String::from_utf8(dir.read("said")).unwrap();
    let messages = String::from_utf8_lossy(&dir.read("messages")).into_owned();
    assert!(said.starts_with("300 documents: "), "{said}{messages}");
    // An input may lose its files to the remover; but those that follow find a directory again.
    let failed = said
        .split(", ")
        .find_map(|part| part.strip_suffix(" failed\n"));
    let failed: usize = failed.map_or(0, |count| count.parse().unwrap());
    assert!(failed < 300, "{said}");
    let out = std::fs::read_dir(dir.path().join("out")).unwrap().count();
    assert_eq!(out, 601, "300 exports, 300 poses and the cache's directory");
}
