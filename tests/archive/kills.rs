//! A run that writes an archive is killed at random moments: the archive is that of a whole run, or absent.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{below, inputs};
use crate::support::chance::{asked, chance, killed, time, timed};
use crate::support::{Dir, document, program};

fn start(dir: &Dir, durability: &str) -> Child {
    Command::new(program())
        .current_dir(dir.path())
        .args(["in", "-o", "out/out.tar", "-j", "2", "--quiet"])
        .args(["--durability", durability])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_run_leaves_a_whole_archive_or_none() {
    let kills = asked("RIGY_SOAK_KILLS", 10);
    let dir = inputs(40);
    let change = |version: usize| {
        let text = document("p").replace("x: 1", &format!("x: {}", 1 + version));
        dir.write("in/b/changing.rigy.yaml", text);
    };
    let mut length = Duration::MAX;
    let versions = [0, 1].map(|version| {
        change(version);
        let (status, took) = timed(|| start(&dir, "none").wait().unwrap());
        assert_eq!(status.code(), Some(1), "one input is broken");
        length = length.min(took);
        dir.read("out/out.tar")
    });
    assert!(versions[0] != versions[1]);
    let mut random = chance();
    let (mut in_time, mut runs, mut version) = (0, 0, 1);
    while in_time < kills {
        runs += 1;
        assert!(runs < 50 * kills, "{in_time} kills came in time");
        version = 1 - version;
        change(version);
        let is_new = random.below(3) == 0;
        if is_new {
            dir.remove("out/out.tar");
        }
        let run = start(&dir, ["none", "batch"][random.below(2)]);
        std::thread::sleep(time(&mut random, length.mul_f64(1.2)));
        in_time += usize::from(killed(run));
        match std::fs::read(dir.path().join("out/out.tar")) {
            Ok(found) => {
                assert!(found == versions[version] || !is_new && versions.contains(&found))
            }
            Err(error) => assert!(is_new, "{error}"),
        }
        if is_new {
            // The next run leaves the archive and nothing else.
            assert_eq!(start(&dir, "none").wait().unwrap().code(), Some(1));
            assert!(below(&dir, "out") == [("out.tar".to_owned(), versions[version].clone())]);
            assert!(!dir.path().join("out/.rigy-batch").exists());
        }
    }
}
