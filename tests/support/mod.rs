//! What several test binaries share: where the suites are, and running the program.
#![allow(dead_code)] // every test binary uses its own part of this

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use assert_cmd::Command;

mod glb;
#[allow(unused_imports)] // likewise
pub use glb::glb;

/// The project's own fixtures.
pub fn own_manifest() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/manifest.json")
}

/// A file of the published suites: below `RIGY_SUITE`, or below `../shared`. `None`, with a note, if it is
/// not there.
pub fn published(path: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let root = std::env::var_os("RIGY_SUITE").map_or(beside, PathBuf::from);
    let file = root.join(path);
    if file.exists() {
        return Some(file);
    }
    eprintln!("skipped: there is no {}", file.display());
    None
}

/// A temporary directory of files to run the program in.
pub struct Dir(tempfile::TempDir);

impl Dir {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, making directories on the way.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    /// Names of all files below, sorted, with `/` between parts; but for caches, which are meant to stay.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = walkdir::WalkDir::new(self.path())
            .into_iter()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let path = entry.path().strip_prefix(self.path()).unwrap();
                path.display().to_string()
            })
            .filter(|name| !name.ends_with(".rigy-batch/cache"))
            .collect();
        names.sort();
        names
    }

    /// Every file with its content, for comparing trees.
    pub fn tree(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.files().into_iter();
        files.map(|name| (name.clone(), self.read(&name))).collect()
    }

    /// Runs the program in this directory.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(&[], args)
    }

    /// The same, with variables in the environment.
    pub fn run_with(&self, variables: &[(&str, &str)], args: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("rigy-batch").unwrap();
        command
            .current_dir(self.path())
            .env_remove("RIGY_BATCH_ISA")
            .envs(variables.iter().copied())
            .args(args);
        Ran(command.output().unwrap())
    }
}

/// A finished run.
pub struct Ran(pub Output);

impl Ran {
    pub fn status(&self) -> i32 {
        self.0.status.code().expect("the program exits by itself")
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Standard output as JSON lines.
    pub fn json(&self) -> Vec<serde_json::Value> {
        let out = self.stdout();
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Runs the program with `args`, `--format json` and `-n`. Gives what it prints, how long it takes, and how many bytes of
/// memory it holds at most, as far as the system tells.
pub fn measured(dir: &Dir, args: &[&str]) -> (String, Duration, u64) {
    let start = Instant::now();
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_rigy-batch"))
        .args(args)
        .args(["--format", "json", "-n"])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let output = std::thread::spawn(|| child.wait_with_output().unwrap());
    let mut peak = 0;
    while !output.is_finished() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) << 10);
        std::thread::sleep(Duration::from_millis(1));
    }
    let took = start.elapsed();
    let output = output.join().unwrap();
    (String::from_utf8(output.stdout).unwrap(), took, peak)
}

/// Whether a path is a cache, or a private directory with nothing else in it: these are meant to stay.
pub fn is_cache(path: &Path) -> bool {
    if path.ends_with(".rigy-batch/cache") {
        return true;
    }
    let entries = || std::fs::read_dir(path).into_iter().flatten().flatten();
    path.ends_with(".rigy-batch") && entries().map(|entry| entry.file_name()).eq(["cache"])
}

/// A document with a bound box and one pose.
pub fn document(pose: &str) -> String {
    format!(
        "version: \"0.5\"\n\
         meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: 1}}}}]}}]\n\
         armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}]}}]\n\
         bindings: [{{mesh_id: m, armature_id: a, weights: [], skinning_solver: dqs}}]\n\
         poses: [{{id: \"{pose}\", bones: {{r: {{rotation: [0.6, 0.8, 0, 0]}}}}}}]\n"
    )
}

/// A part, by custom `p.part.yaml`.
pub const PART: &str = r#"version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 2, y: 1, z: 1}}]}]
anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
"#;

/// A document that places it.
pub const USER: &str = r#"version: "0.5"
imports: {p: {source: p.part.yaml}}
anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
instances: [{id: i, import: p, attach3: {from: [a, b, c], to: [a, b, c], mode: rigid}}]
"#;
