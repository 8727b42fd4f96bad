//! Faults of the system around the program: mounts, links, devices, rights, limits of the process and of control groups,
//! signals, and output that is not read. Each test runs the real program.
//!
//! A test that a machine cannot run says so on standard error and passes. `scripts/prove around` runs the rest: FUSE, and a
//! thousand runs under sets of these faults chosen at random.

mod cgroups;
mod limits;
mod mounts;
mod reports;
mod rights;
mod roots;
mod shell;
mod signals;
mod sources;

use rigy_batch::base::paths::Slashed;
use std::process::{Command, Output};

use crate::support::{Dir, document, program};

/// Runs the program by way of bash, which first runs `first`. Arguments are separated by spaces.
fn run_after(dir: &Dir, first: &str, args: &str) -> Output {
    let script = format!("{first}\nexec '{}' {args}", program().slashed());
    let mut command = Command::new("bash");
    command.current_dir(dir.path()).args(["-c", &script]);
    command.env_remove("RAYON_NUM_THREADS").output().unwrap()
}

/// A directory with small documents `in/00.rigy.yaml` and so on.
fn small_documents(count: usize) -> Dir {
    with_small_documents(Dir::new(), count)
}

fn with_small_documents(dir: Dir, count: usize) -> Dir {
    for index in 0..count {
        dir.write(&format!("in/{index:02}.rigy.yaml"), document("p"));
    }
    dir
}

/// A document with so many capsules of 858 vertices each.
fn large_document(capsules: usize) -> String {
    let capsule = |n| format!("{{type: capsule, id: c{n}, dimensions: {{radius: 0.1}}}}");
    let capsules: Vec<String> = (0..capsules).map(capsule).collect();
    document("p").replace(
        "{type: box, id: b, dimensions: {x: 1}}",
        &capsules.join(", "),
    )
}

/// Outputs below `out`; fails if anything that is not whole is left below the directory.
fn outputs(dir: &Dir) -> Vec<String> {
    let files = dir.files();
    let temporary: Vec<_> = files.iter().filter(|f| f.contains("/tmp-")).collect();
    assert!(temporary.is_empty(), "{temporary:?}");
    let outputs: Vec<String> = files.into_iter().filter(|f| f.ends_with(".glb")).collect();
    for name in outputs.iter().filter(|name| name.starts_with("out/")) {
        let bytes = dir.read(name);
        let len = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        assert_eq!(len as usize, bytes.len(), "{name} is whole");
    }
    let below = |name: &String| name.starts_with("out/");
    outputs.into_iter().filter(below).collect()
}
