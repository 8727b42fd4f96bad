//! Runs of the program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::dir::Dir;

/// Returns the path of the program: the one that `RIGY_BATCH` names, for instance that of an archive, or else this build's.
pub fn program() -> &'static Path {
    static NAMED: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let named = std::env::var_os("RIGY_BATCH")?;
        Some(std::fs::canonicalize(named).expect("RIGY_BATCH names a program"))
    });
    let built = Path::new(env!("CARGO_BIN_EXE_rigy-batch"));
    NAMED.as_deref().unwrap_or(built)
}

impl Dir {
    /// A directory with a file.
    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let dir = Self::new();
        dir.write(name, content);
        dir
    }

    /// A directory on a disk, for tests of file systems, rights and control groups.
    pub fn on_disk() -> Self {
        Self::within(&std::env::temp_dir())
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    /// Every file with its content, for comparing trees.
    pub fn tree(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.files().into_iter();
        files.map(|name| (name.clone(), self.read(&name))).collect()
    }

    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    pub fn remove(&self, name: &str) {
        std::fs::remove_file(self.path().join(name)).unwrap();
    }

    pub fn glbs(&self) -> Vec<String> {
        let files = self.files().into_iter();
        files.filter(|name| name.ends_with(".glb")).collect()
    }

    pub fn run(&self, args: &(impl Arguments + ?Sized)) -> Ran {
        self.run_with(&[], args)
    }

    pub fn run_with(&self, variables: &[(&str, &str)], args: &(impl Arguments + ?Sized)) -> Ran {
        let mut command = Command::new(program());
        command
            .current_dir(self.path())
            .env_remove("RIGY_BATCH_ISA")
            .envs(variables.iter().copied())
            .args(args.words());
        Ran::of(&mut command)
    }

    /// Runs the program with these bytes on standard input, of which it need not read all.
    pub fn run_on(&self, input: &[u8], args: &(impl Arguments + ?Sized)) -> Ran {
        let mut command = Command::new(program());
        let mut child = command
            .current_dir(self.path())
            .args(args.words())
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
        let command = format!("{command:?}");
        Ran { output, command }
    }
}

/// Arguments of a run: a list, or a line as in a shell, in which single quotes hold blanks together.
pub trait Arguments {
    fn words(&self) -> Vec<String>;
}

impl Arguments for str {
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (index, part) in self.split('\'').enumerate() {
            if index % 2 == 0 {
                words.extend(part.split_whitespace().map(str::to_owned));
            } else {
                words.push(part.to_owned());
            }
        }
        words
    }
}

impl Arguments for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl Arguments for [&str] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| (*word).to_owned()).collect()
    }
}

impl<const N: usize> Arguments for [&str; N] {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl Arguments for Vec<&str> {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl<T: Arguments + ?Sized> Arguments for &T {
    fn words(&self) -> Vec<String> {
        (**self).words()
    }
}

/// Sends a signal to a program that runs, by a name such as `TERM`.
#[cfg(unix)]
pub fn send_signal(child: &std::process::Child, name: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    let named = [
        ("BUS", Signal::BUS),
        ("HUP", Signal::HUP),
        ("INT", Signal::INT),
        ("TERM", Signal::TERM),
    ];
    let (_, signal) = named.iter().find(|(known, _)| *known == name).unwrap();
    kill_process(Pid::from_child(child), *signal).unwrap();
}

/// Checks that a text contains parts; prints it if it does not.
#[track_caller]
pub fn assert_contains(text: impl AsRef<str>, parts: &[&str]) {
    let text = text.as_ref();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

/// The digest of bytes, as reports have it.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The JSON of a GLB, and its binary chunk.
pub fn glb_parts(glb: &[u8]) -> (serde_json::Value, &[u8]) {
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let bin = glb.get(28 + len..).unwrap_or_default();
    (serde_json::from_slice(&glb[20..20 + len]).unwrap(), bin)
}

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

/// Runs a program. wine sometimes answers the start of one with `ERROR_INTERNAL_ERROR` (1359), and starts it when it is asked again.
fn output_of(command: &mut Command) -> Output {
    for _ in 0..4 {
        match command.output() {
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(1359) => {}
            ran => return ran.unwrap(),
        }
    }
    command.output().unwrap()
}

pub struct Ran {
    pub output: Output,
    command: String,
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        Self {
            output: output_of(command),
            command: format!("{command:?}"),
        }
    }

    pub fn status(&self) -> i32 {
        let code = self.output.status.code();
        code.expect("the program exits by itself")
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).unwrap()
    }

    /// Checks that all went well.
    #[track_caller]
    pub fn good(self) -> Self {
        self.exits(0)
    }

    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        let (command, said) = (&self.command, self.stderr());
        assert_eq!(self.status(), status, "{command}: {said}");
        self
    }

    /// Checks the exit status, and that standard error contains a text.
    #[track_caller]
    pub fn exits_saying(self, status: i32, part: &str) -> Self {
        let ran = self.exits(status);
        ran.says(part);
        ran
    }

    #[track_caller]
    pub fn says(&self, part: &str) {
        let (command, text) = (&self.command, self.stderr());
        assert!(text.contains(part), "{command}: no {part:?} in: {text}");
    }

    #[track_caller]
    pub fn prints(&self, part: &str) {
        let (command, text) = (&self.command, self.stdout());
        assert!(text.contains(part), "{command}: no {part:?} in: {text}");
    }

    pub fn json(&self) -> Vec<serde_json::Value> {
        let out = self.stdout();
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Runs the program with `args`, `--format json` and `-n`, as [`observed`] does.
pub fn measured(dir: &Dir, args: &str) -> (String, Duration, u64) {
    observed(dir, &format!("{args} --format json -n"))
}

/// Runs the program. Returns what it prints to standard output and then to standard error, the time, and the peak memory in bytes (0 where
/// the system does not report it).
pub fn observed(dir: &Dir, args: &str) -> (String, Duration, u64) {
    let start = Instant::now();
    let child = Command::new(program())
        .args(args.words())
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
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
    let printed = [output.stdout, output.stderr].concat();
    (String::from_utf8(printed).unwrap(), took, peak)
}
