//! File systems that are small, layered or full of mounts.

use super::shell::sh_with_mounts;
use super::with_small_documents;
use crate::support::{Dir, document};

/// After a script: prints how many files lie in `out`, and all that lies in private directories but caches and their tags.
const COUNT: &str = "
    find out -name '*.glb' -size -1 | sed 's/^/empty: /'
    find out -path '*/.rigy-batch/*' ! -name cache ! -name .gitignore ! -name CACHEDIR.TAG | sed 's/^/left: /'";

#[test]
fn a_small_file_system_fails_inputs_and_no_more() {
    for limit in ["size=100k", "nr_inodes=30"] {
        let dir = with_small_documents(Dir::on_disk(), 60);
        let script = format!(
            "mkdir out; mount -t tmpfs -o {limit} none out
            $rigy in -o out && exit 9
            {COUNT}
            mount -o remount,size=10M,nr_inodes=1000 out
            $rigy in -o out --quiet; {COUNT}
            test $(find out -name '*.glb' | wc -l) = 120"
        );
        let Some(ran) = sh_with_mounts(&dir, &script) else {
            return;
        };
        assert_eq!(ran.status(), 0, "{limit}: {}{}", ran.stdout(), ran.stderr());
        assert!(
            !ran.stdout().contains("left: "),
            "{limit}: {}",
            ran.stdout()
        );
        assert!(
            !ran.stdout().contains("empty: "),
            "{limit}: {}",
            ran.stdout()
        );
        assert!(ran.stderr().contains("out/"), "{limit}: {}", ran.stderr());
    }
}

#[test]
fn outputs_on_an_overlay_of_older_ones() {
    let dir = with_small_documents(Dir::on_disk(), 5);
    let script = format!(
        "mkdir lower upper work out; $rigy in -o lower --quiet
        mount -t tmpfs none upper; mkdir upper/u upper/w
        mount -t overlay -o lowerdir=lower,upperdir=upper/u,workdir=upper/w none out
        $rigy in -o out
        sed -i 's/x: 1/x: 2/' in/*
        $rigy in -o out; $rigy in -o out
        {COUNT}; cp -r out copy"
    );
    let Some(ran) = sh_with_mounts(&dir, &script) else {
        return;
    };
    if ran.stderr().contains("mount: ") {
        return eprintln!("skipped: this system has no overlay file system");
    }
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let said = ran.stdout();
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said[1], "5 documents: 5 written (10 outputs)", "{said:?}");
    assert_eq!(said[2], "5 documents: 5 unchanged", "{said:?}");
    assert_eq!(said.len(), 3, "{said:?}");
}

#[test]
fn outputs_cross_into_a_mount_inside_the_output_root() {
    let dir = with_small_documents(Dir::on_disk(), 1);
    dir.write("in/sub/b.rigy.yaml", document("p"));
    let script = format!(
        "mkdir -p out/sub; mount -t tmpfs none out/sub; $rigy in -o out; {COUNT}; $rigy in -o out
        ls -A out/sub"
    );
    let Some(ran) = sh_with_mounts(&dir, &script) else {
        return;
    };
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let said = "2 documents: 2 written (4 outputs)\n2 documents: 2 unchanged\nb.glb\nb.p.glb\n";
    assert_eq!(ran.stdout(), said);
}

/// Writes other bytes of the same number into an input, and its new stamp into the note about it, as if the image of a file system
/// were mounted in the place of another.
fn swap_image(dir: &Dir, input: &str) {
    use std::os::unix::fs::MetadataExt;
    let stamp = || {
        let there = std::fs::metadata(dir.path().join(input)).unwrap();
        let number = |name: &str, number: i64| format!("\"{name}\":{number}");
        [
            number("ms", there.mtime()) + "," + &number("mn", there.mtime_nsec()),
            number("cs", there.ctime()) + "," + &number("cn", there.ctime_nsec()),
        ]
    };
    let before = stamp();
    let text = String::from_utf8(dir.read(input)).unwrap();
    dir.write(input, text.replace("x: 1}", "x: 2}"));
    let cache = "out/.rigy-batch/cache";
    let notes = String::from_utf8(dir.read(cache)).unwrap();
    let mut lines: Vec<String> = notes.lines().map(str::to_owned).collect();
    let line = lines.iter_mut().find(|line| line.contains(input)).unwrap();
    let (key, mut note) = (line[..16].to_owned(), line[34..].to_owned());
    for (before, after) in before.into_iter().zip(stamp()) {
        assert!(note.contains(&before), "{before}: {note}");
        note = note.replace(&before, &after);
    }
    let check = rigy_batch::base::loader::digest(note.as_bytes())[0];
    let check = check ^ u64::from_str_radix(&key, 16).unwrap();
    *line = format!("{key} {check:016x} {note}");
    dir.write(cache, lines.join("\n") + "\n");
}

#[test]
fn an_input_on_a_read_only_mount_is_known_by_its_bytes() {
    let dir = with_small_documents(Dir::on_disk(), 1);
    dir.run("in -o out").good();
    swap_image(&dir, "in/00.rigy.yaml");
    let unchanged = dir.run("in -o out").stdout();
    assert_eq!(
        unchanged, "1 document: 1 unchanged\n",
        "its stamp is as before"
    );
    let script = "mount --bind in in; mount -o remount,ro,bind in; exec $rigy in -o out";
    let Some(ran) = sh_with_mounts(&dir, script) else {
        return;
    };
    assert_eq!(
        ran.stdout(),
        "1 document: 1 written (2 outputs)\n",
        "{}",
        ran.stderr()
    );
}
