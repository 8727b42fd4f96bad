//! The disk as it is: read-only, full, another file system, strange names, links in odd places, other runs at work.

mod inputs;
mod outputs;
mod space;

use rigy_batch::base::paths::Slashed;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use crate::support::{Dir, is_cache, program};

pub fn run(dir: &Dir, args: &[&OsStr]) -> Output {
    let mut command = Command::new(program());
    command.current_dir(dir.path()).args(args);
    command.output().unwrap()
}

pub fn names(dir: &Dir) -> Vec<String> {
    let entries = walkdir::WalkDir::new(dir.path())
        .min_depth(1)
        .sort_by_file_name();
    let name = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(dir.path()).unwrap();
        path.slashed().to_string()
    };
    let entries = entries.into_iter().flatten();
    let kept = entries.filter(|entry| !is_cache(entry.path()));
    kept.map(name).collect()
}

/// True if the rights of files bind this user; they do not bind root.
pub fn rights_matter(dir: &Dir) -> bool {
    let path = dir.path().join("secret");
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let matter = fs::read(&path).is_err();
    fs::remove_file(path).unwrap();
    matter
}
