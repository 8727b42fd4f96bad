//! Faults of the system around the program: mounts, links, devices, rights and limits. Each test runs the real program.
//!
//! What a machine does not allow (mounts, other users) is skipped with a note on standard error. `scripts/around.sh` runs the
//! rest: FUSE, overlays, and a thousand runs under sets of these faults chosen at random.

#![cfg(unix)]

mod mounts;
mod reports;
mod rights;
mod roots;
mod shell;
mod sources;
#[path = "../support/mod.rs"]
mod support;
