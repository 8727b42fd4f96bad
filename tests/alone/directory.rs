//! A path that can only be made and opened step by step, from one current directory to the next.

use std::os::unix::fs::symlink;
use std::path::Path;

use rigy_batch::base::loader::{Loader, Location};
use rigy_batch::io::DirectoryLoader;

use crate::alone::in_own_process;
use crate::support::Dir;

#[test]
fn a_path_too_long_to_resolve_is_not_opened_by_a_shorter_name() {
    if !in_own_process(a_path_too_long_to_resolve_is_not_opened_by_a_shorter_name) {
        return;
    }
    let dir = Dir::new();
    for place in ["root", "outside"] {
        dir.write(&format!("{place}/part.yaml"), "version: \"0.5\"\n");
    }
    let deep = "d".repeat(250);
    let mut place = dir.path().join("root");
    // The directories are made step by step, because the whole path is longer than the system allows.
    let here = std::env::current_dir().unwrap();
    std::env::set_current_dir(&place).unwrap();
    let mut relative = String::new();
    while place.as_os_str().len() < 4096 {
        std::fs::create_dir(&deep).unwrap();
        std::env::set_current_dir(&deep).unwrap();
        place.push(&deep);
        relative.push_str(&deep);
        relative.push('/');
    }
    symlink(dir.path().join("outside/part.yaml"), "l.yaml").unwrap();
    std::env::set_current_dir(dir.path().join("root")).unwrap();
    let loader = DirectoryLoader::new(Path::new("")).unwrap();
    let from = Location(format!("{relative}d.rigy.yaml").into());
    let read = loader
        .resolve(&from, "l.yaml")
        .map(|found| loader.read(&found, 1000));
    assert!(!matches!(read, Ok(Ok(_))));
    std::env::set_current_dir(here).unwrap();
}
