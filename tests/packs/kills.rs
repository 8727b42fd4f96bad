//! A run that writes packs is killed at random moments: what it leaves never reads as whole unless it is.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{below, inputs};
use crate::support::chance::{asked, chance, time, timed};
use crate::support::{Dir, document, program};

type Tree = BTreeMap<String, Vec<u8>>;

fn start(place: &Path, durability: &str) -> Child {
    Command::new(program())
        .current_dir(place)
        .args([
            "in",
            "-o",
            "out",
            "-j",
            "2",
            "--quiet",
            "--pack",
            "tar",
            "--pack-size",
            "20K",
        ])
        .args(["--durability", durability])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What is unpacked from the set, if it reads as whole.
fn unpacked(dir: &Dir) -> Option<Tree> {
    let _ = std::fs::remove_dir_all(dir.path().join("files"));
    let whole = dir.run(&["verify", "out"]).status() == 0;
    let ran = dir.run(&["unpack", "out", "-o", "files"]);
    assert_eq!(ran.status() == 0, whole, "{}", ran.stderr());
    whole.then(|| below(dir, "files").into_iter().collect())
}

#[test]
fn a_killed_run_leaves_nothing_that_reads_as_whole() {
    let kills = asked("RIGY_SOAK_KILLS", 20);
    let dir = inputs(40);
    let change = |version: usize| {
        let text = document("p").replace("x: 1", &format!("x: {}", 1 + version));
        dir.write("in/b/changing.rigy.yaml", text);
        // Fewer inputs and so fewer packs.
        match version {
            0 => drop(std::fs::remove_dir_all(dir.path().join("in/more"))),
            _ => (0..20).for_each(|n| dir.write(&format!("in/more/{n}.rigy.yaml"), document("p"))),
        }
    };
    let mut length = Duration::MAX;
    let versions = [0, 1].map(|version| {
        change(version);
        let (status, took) = timed(|| start(dir.path(), "none").wait().unwrap());
        assert_eq!(status.code(), Some(1), "one input is broken");
        length = length.min(took);
        unpacked(&dir).expect("whole")
    });
    assert!(versions[0] != versions[1]);
    let mut random = chance();
    let (mut in_time, mut runs, mut whole) = (0, 0, 0);
    let mut version = 1;
    while in_time < kills {
        runs += 1;
        assert!(runs < 50 * kills, "{in_time} kills came in time");
        version = 1 - version;
        change(version);
        let durability = ["none", "batch"][random.below(2)];
        let mut run = start(dir.path(), durability);
        std::thread::sleep(time(&mut random, length.mul_f64(1.2)));
        run.kill().unwrap();
        in_time += usize::from(run.wait().unwrap().code().is_none());
        if let Some(found) = unpacked(&dir) {
            whole += 1;
            assert!(versions.contains(&found), "a mixture reads as whole");
        }
        if random.below(3) == 0 {
            // The next run that ends leaves its own set and nothing else.
            assert_eq!(start(dir.path(), "none").wait().unwrap().code(), Some(1));
            assert_eq!(unpacked(&dir).as_ref(), Some(&versions[version]));
            let private = dir.path().join("out/.rigy-batch");
            assert!(!private.exists(), "{:?}", dir.files());
        }
    }
    println!("{whole} of {runs} runs left a whole set");
}
