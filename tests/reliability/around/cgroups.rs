//! Limits on memory by control groups, where the machine lets some be made.

use rigy_batch::base::paths::Slashed;
use std::fs;
use std::path::{Path, PathBuf};

use super::{large_document, outputs, run_after};
use crate::support::{Dir, stderr};

/// A group with a limit on memory, and one below it without any; both are removed in the end.
struct Group(PathBuf);

impl Group {
    /// Makes the group below that of this process; returns `None`, with a note, if that is impossible.
    fn new(limit: u64) -> Option<Self> {
        let made = Self::make(limit);
        if made.is_none() {
            eprintln!("skipped: no group with a limit on memory can be made here");
        }
        made
    }

    fn make(limit: u64) -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let group = Path::new("/sys/fs/cgroup").join(path);
        let group = Self(group.join(format!("rigy-batch-{}", std::process::id())));
        fs::create_dir_all(group.inner()).ok()?;
        // Creates nothing: where the group cannot limit memory, there is no such file.
        let file = group.0.join("memory.max");
        let set = file.exists() && fs::write(file, limit.to_string()).is_ok();
        set.then_some(group)
    }

    fn inner(&self) -> PathBuf {
        self.0.join("inner")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(self.inner());
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_run_stays_below_the_limit_of_an_outer_group() {
    // Each document takes about 62 MiB: all at once are too much.
    let Some(group) = Group::new(110 << 20) else {
        return;
    };
    let dir = Dir::on_disk();
    for name in ["a", "b", "c", "d"] {
        dir.write(&format!("in/{name}.rigy.yaml"), large_document(400));
    }
    let enter = format!(
        "echo $$ > '{}/cgroup.procs' || exit 77",
        group.inner().slashed()
    );
    let ran = run_after(&dir, &enter, "in -o out -j 4");
    if ran.status.code() == Some(77) {
        return eprintln!("skipped: no process can enter the group");
    }
    let (status, said) = (ran.status, stderr(&ran));
    assert_eq!(status.code(), Some(0), "{status}: {said}");
    assert_eq!(outputs(&dir).len(), 8);
}
