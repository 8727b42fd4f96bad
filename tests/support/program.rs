//! Runs of the program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::dir::Dir;

/// Returns the path of the program under test.
pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_rigy-batch"))
}

impl Dir {
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    /// Every file with its content, for comparing trees.
    pub fn tree(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.files().into_iter();
        files.map(|name| (name.clone(), self.read(&name))).collect()
    }

    /// Names of all GLBs below, sorted.
    pub fn glbs(&self) -> Vec<String> {
        let files = self.files().into_iter();
        files.filter(|name| name.ends_with(".glb")).collect()
    }

    /// Runs the program in this directory.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(&[], args)
    }

    /// The same, with variables in the environment.
    pub fn run_with(&self, variables: &[(&str, &str)], args: &[&str]) -> Ran {
        let mut command = Command::new(program());
        command
            .current_dir(self.path())
            .env_remove("RIGY_BATCH_ISA")
            .envs(variables.iter().copied())
            .args(args);
        Ran(command.output().unwrap())
    }

    /// Runs the program in this directory with these bytes on standard input, of which it need not read all.
    pub fn run_on(&self, input: &[u8], args: &[&str]) -> Ran {
        let mut child = Command::new(program())
            .current_dir(self.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran(output)
    }
}

/// Standard error of a finished process as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The message of a finding after its path in a glTF file, if it has one.
pub fn with_path(finding: &serde_json::Value) -> String {
    let message = finding["message"].as_str().unwrap();
    match finding["path"].as_str() {
        Some(path) => format!("`{path}`: {message}"),
        None => message.to_owned(),
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

/// Runs the program with `args`, `--format json` and `-n`. Returns the printed text, the time, and the peak
/// memory in bytes (0 where the system does not report it).
pub fn measured(dir: &Dir, args: &[&str]) -> (String, Duration, u64) {
    let start = Instant::now();
    let child = Command::new(program())
        .args(args)
        .args(["--format", "json", "-n"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let process = format!("/proc/{}", child.id());
    let executable = |process: &str| std::fs::read_link(format!("{process}/exe")).ok();
    let own = executable("/proc/self");
    let output = std::thread::spawn(|| child.wait_with_output().unwrap());
    let mut peak = 0;
    while !output.is_finished() {
        // Until a new process executes the program, it shares the memory of this one, which is not to be measured.
        if executable(&process) != own {
            let text = std::fs::read_to_string(format!("{process}/status")).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
            peak = peak.max(kib.unwrap_or(0) << 10);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let took = start.elapsed();
    let output = output.join().unwrap();
    (String::from_utf8(output.stdout).unwrap(), took, peak)
}
