//! Tests that change something of their whole process: faults and panics that are planted in the library, and the current
//! directory. Each runs in a process of its own.

#[cfg(unix)]
mod directory;
#[cfg(debug_assertions)]
mod faults;
mod memory;
mod panics;
mod planted;
#[cfg(debug_assertions)]
mod taken;
#[cfg(debug_assertions)]
mod times;

use std::any::type_name;
use std::process::Command;

/// True in a process of this test alone. Elsewhere it runs that process, which must succeed, and returns false.
fn in_own_process<T: Fn()>(_test: T) -> bool {
    const MARK: &str = "RIGY_TEST_ALONE";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let path = type_name::<T>();
    let (_, name) = path.split_once("::").expect("the name of the crate");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", name, "--nocapture"])
        .env(MARK, "1");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    eprintln!("{errors}");
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{name}"
    );
    false
}
