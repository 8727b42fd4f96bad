//! A job as GitHub's runner starts it: the variables of the environment, and the commands that it obeys.

use std::process::Command;

use super::repository;
use crate::support::{Dir, Ran, program};

/// The workspace of a job with its other files: `workspace/`, `temporary/`, `output` and `summary`.
pub struct Job(pub Dir);

/// The inputs as the action gives them by default, but for paths and the output.
const INPUTS: [(&str, &str); 7] = [
    ("COMMAND", "documents"),
    ("PATHS", "models"),
    ("OUTPUT", "out"),
    ("ARGS", ""),
    ("ANNOTATE", "true"),
    ("CHECK", "false"),
    ("REPORT_PAGE", "true"),
];

impl Job {
    pub fn new() -> Self {
        let dir = Dir::with("workspace/README", "");
        dir.write("temporary/README", "");
        Self(dir)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.write(&format!("workspace/{name}"), content);
    }

    pub fn run(&self, script: &str, inputs: &[(&str, &str)]) -> Ran {
        for name in ["output", "summary"] {
            self.0.write(name, "");
        }
        let at = |name: &str| self.0.path().join(name);
        let mut command = Command::new("bash");
        command
            .arg(repository(&format!("scripts/action/{script}.sh")))
            .current_dir(at("temporary"))
            .env_remove("RIGY_BATCH_ISA")
            .env("INPUT_PROGRAM", program())
            .env("GITHUB_ACTION_PATH", repository(""))
            .env("GITHUB_WORKSPACE", at("workspace"))
            .env("GITHUB_OUTPUT", at("output"))
            .env("GITHUB_STEP_SUMMARY", at("summary"))
            .env("RUNNER_TEMP", at("temporary"))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64");
        for (name, value) in INPUTS.iter().chain(inputs) {
            command.env(format!("INPUT_{name}"), value);
        }
        Ran::of(&mut command)
    }

    pub fn summary(&self) -> String {
        String::from_utf8(self.0.read("summary")).unwrap()
    }

    /// The value of an output of the last step: the lines between `NAME<<END` and `END`.
    pub fn output(&self, name: &str) -> Option<String> {
        let text = String::from_utf8(self.0.read("output")).unwrap();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let (found, end) = line.split_once("<<").unwrap();
            let value: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
            if found == name {
                return Some(value.join("\n"));
            }
        }
        None
    }
}

/// The lines that the runner obeys as workflow commands, by its rules: a line that begins with `::` after blanks, or one
/// with `##[` anywhere. After `::stop-commands::WORD` it obeys nothing until a line is `::WORD::`.
pub fn obeyed(printed: &str) -> Vec<String> {
    let mut stopped: Option<String> = None;
    let mut obeyed = Vec::new();
    for line in printed.lines() {
        let trimmed = line.trim_start();
        if let Some(word) = &stopped {
            if trimmed == format!("::{word}::") {
                stopped = None;
            }
        } else if let Some(word) = trimmed.strip_prefix("::stop-commands::") {
            stopped = Some(word.into());
        } else if trimmed.starts_with("::") || line.contains("##[") {
            obeyed.push(line.to_owned());
        }
    }
    assert_eq!(stopped, None, "commands are stopped at the end");
    obeyed
}

#[test]
fn commands_are_obeyed_outside_of_quoted_lines_only() {
    let printed = "::error ::a\n::stop-commands::w\n::b::\n##[c]\n::w::\nx ##[d]\n  ::e::\nf\n";
    assert_eq!(obeyed(printed), ["::error ::a", "x ##[d]", "  ::e::"]);
}
