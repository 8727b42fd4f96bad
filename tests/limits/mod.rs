//! Limits: a file just within one passes, and a file beyond it is refused soon and without taking much memory.

mod hostile;
mod longer;
mod mutated;
mod options;
mod products;
mod refused;
mod repeated_work;
mod resources;

use std::time::Duration;

use serde_json::Value;

use crate::support::{Dir, observed};

/// Runs the program, which has to end soon: the bounds are far above the times of an idle machine. Returns what it prints, and
/// its largest resident memory in bytes.
fn run_soon(dir: &Dir, name: &str, args: &str, seconds: u64) -> (String, u64) {
    observed_soon(dir, name, &format!("{args} --format json -n"), seconds)
}

/// Does the same with these arguments alone.
fn observed_soon(dir: &Dir, name: &str, args: &str, seconds: u64) -> (String, u64) {
    std::thread::sleep(Duration::from_millis(50)); // or the program waits for the file to settle
    let (printed, took, peak) = observed(dir, args);
    println!("{name}: {took:?}, {} MiB", peak >> 20);
    let most = Duration::from_secs(if cfg!(debug_assertions) {
        15 * seconds
    } else {
        seconds
    });
    assert!(took < most, "{name}: {took:?}");
    (printed, peak)
}

/// Checks that the program says this about an input within a second and 256 MiB.
fn refused(dir: &Dir, name: &str, args: &str, said: &str) {
    let (printed, peak) = run_soon(dir, name, args, 1);
    assert!(printed.contains(said), "{name}: {printed:.600}");
    assert!(peak < 256 << 20, "{name}: {peak} bytes");
}

/// The errors of the first line that is printed.
fn errors(printed: &str) -> Vec<Value> {
    let line = printed.lines().next().unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    line["errors"].as_array().unwrap().clone()
}
