//! Finds the commit that a release build is made of, for `rigy-batch --version`, and compresses the viewer's script.
//!
//! The commit comes from the variable `RIGY_BATCH_COMMIT`, from the file that `cargo package` puts into a package, or from git. Other
//! builds have none, because each commit would compile the library again.

use std::path::Path;
use std::process::Command;

/// The file with the commit in packages.
const PACKAGE_INFO: &str = ".cargo_vcs_info.json";

fn main() {
    println!("cargo:rerun-if-env-changed=RIGY_BATCH_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "cli")]
    compress_viewer();
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let found = std::env::var("RIGY_BATCH_COMMIT").ok();
    let found = found.or_else(of_package);
    let found = found.or_else(|| is_release.then(of_checkout).flatten());
    if let Some(commit) = found.filter(|commit| is_commit(commit)) {
        println!("cargo:rustc-env=RIGY_BATCH_COMMIT={commit}");
    }
}

/// Compresses the bundle of the viewer, which the program needs for pages only and which is a quarter of the size then.
#[cfg(feature = "cli")]
fn compress_viewer() {
    const BUNDLE: &str = "viewer/dist/view.js";
    println!("cargo:rerun-if-changed={BUNDLE}");
    let script = std::fs::read(BUNDLE).expect("the bundle is part of the package");
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&script, 9);
    let directory = std::env::var("OUT_DIR").expect("cargo sets it");
    let path = Path::new(&directory).join("view.js.zlib");
    std::fs::write(path, packed).expect("cargo lets it be written");
}

/// Returns true for hexadecimal digits, perhaps with `-dirty`.
fn is_commit(text: &str) -> bool {
    let digits = text.strip_suffix("-dirty").unwrap_or(text);
    (7..=64).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the commit of a package.
fn of_package() -> Option<String> {
    if !Path::new(PACKAGE_INFO).exists() {
        return None;
    }
    println!("cargo:rerun-if-changed={PACKAGE_INFO}");
    let info = std::fs::read_to_string(PACKAGE_INFO).ok()?;
    let (_, rest) = info.split_once("\"sha1\"")?;
    let sha1 = rest.split('"').nth(1)?;
    let dirty = if info.contains("\"dirty\": true") {
        "-dirty"
    } else {
        ""
    };
    Some(format!("{}{dirty}", sha1.get(..12)?))
}

/// Returns the commit of a checkout; `None` if this directory is not the top of one.
fn of_checkout() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    // Each commit and each checkout appends a line to it.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={log}");
    git(&[
        "describe",
        "--always",
        "--dirty",
        "--abbrev=12",
        "--exclude=*",
    ])
}

/// Returns the line that git prints.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| line.trim().to_owned())
}
