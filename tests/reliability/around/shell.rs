//! Running shell scripts around the program.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Dir, Ran};

pub fn sh(dir: &Dir, script: &str) -> Ran {
    finish(Command::new("sh").args(["-euc", script]), dir.path())
}

/// The same in a mount namespace of its own, so that no mount outlives the script. `None`, with a note, where that is
/// not allowed.
pub fn sh_with_mounts(dir: &Dir, script: &str) -> Option<Ran> {
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-euc", script]);
        command
    };
    if !succeeds(unshare("mount -t tmpfs none /mnt")) {
        eprintln!("skipped: this test needs the right to mount file systems");
        return None;
    }
    Some(finish(&mut unshare(script), dir.path()))
}

/// True if a command can be run and succeeds. Its output is dropped.
pub fn succeeds(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn finish(command: &mut Command, directory: &Path) -> Ran {
    command
        .current_dir(directory)
        .env("rigy", crate::support::program());
    command.env_remove("RIGY_BATCH_ISA");
    Ran::of(command)
}
