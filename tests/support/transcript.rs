//! Transcripts: pages whose commands are run, and must say what the page shows. README and the book are such pages, and those in
//! `tests/transcripts`; CONTRIBUTING.md says how they are written. With the variable `RIGY_BLESS`, pages get what is said instead.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use rigy_batch::base::paths::Slashed;

use super::files::make_files;
use super::{Arguments as _, Dir, Ran, program};

/// A page of the repository, and what its reader has.
#[derive(Default)]
pub struct Transcript<'p> {
    pub page: &'p str,
    /// A line of a shell that makes files; `$REPOSITORY` is where the project lies.
    pub set_up: &'p str,
    /// Lines that make files, as in a `transcript` block.
    pub files: &'p str,
    /// Each section has a directory of its own, with the files that come before the first.
    pub is_divided: bool,
}

pub struct Shown {
    pub dir: Dir,
    /// Documents and scenes that the page shows.
    pub documents: usize,
    pub commands: usize,
    /// Without a shell, a section ends at the first command that needs one.
    is_over: bool,
}

impl Transcript<'_> {
    pub fn check(&self) -> Shown {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.page);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parts: Vec<String> = text.split("```").map(str::to_owned).collect();
        assert!(parts.len() % 2 == 1, "{}: a block does not end", self.page);
        let mut shown = self.begin();
        let mut first_section = None;
        for number in (1..parts.len()).step_by(2) {
            let before = parts[number - 1].clone();
            if self.is_divided && before.contains("\n## ") {
                shown = self.begin();
                for earlier in (1..*first_section.get_or_insert(number)).step_by(2) {
                    self.run_block(&parts[earlier - 1], &parts[earlier], &mut shown);
                }
            }
            parts[number] = self.run_block(&before, &parts[number], &mut shown);
        }
        let said = parts.join("```");
        if std::env::var_os("RIGY_BLESS").is_some() {
            std::fs::write(path, said).unwrap();
        } else {
            let page = self.page;
            assert!(
                said == text,
                "{page} shows something else than commands say; scripts/bless.sh mends it"
            );
        }
        shown
    }

    fn begin(&self) -> Shown {
        let dir = Dir::new();
        make_files(&dir, self.files);
        if !self.set_up.is_empty() {
            shell(&dir, &format!("set -e; {}", self.set_up)).good();
        }
        Shown {
            dir,
            documents: 0,
            commands: 0,
            is_over: false,
        }
    }

    /// Makes the files of a block or runs its commands; returns the block with what they have said, if it differs from what is shown.
    fn run_block(&self, before: &str, block: &str, shown: &mut Shown) -> String {
        let (kind, body) = block.split_once('\n').unwrap();
        let (kind, name) = kind.split_once(' ').unwrap_or((kind, ""));
        match kind {
            "console" | "transcript" => {
                if kind == "transcript" {
                    let files = body.lines().take_while(|line| !line.starts_with("$ "));
                    make_files(&shown.dir, &files.collect::<Vec<_>>().join("\n"));
                }
                let mut said = block.split("\n$ ").map(str::to_owned).collect::<Vec<_>>();
                for command in &mut said[1..] {
                    *command = self.run(kind, command, shown);
                }
                return said.join("\n$ ");
            }
            _ if !name.is_empty() => shown.dir.write(name, body),
            "yaml" if is_document(body) => {
                let name = file_name(before);
                let name = name.unwrap_or(format!("example-{}.rigy.yaml", shown.documents));
                let ends = [".rigy.yaml", ".rigs.yaml"];
                shown.documents += usize::from(ends.iter().any(|end| name.ends_with(end)));
                shown.dir.write(&name, body);
                if !body.starts_with("contract_version:") {
                    shown.dir.run(&["fmt", "--check", &name]).good();
                }
            }
            _ => {}
        }
        block.to_owned()
    }

    /// Runs a command, below which a page shows what it says; returns both as they should be.
    fn run(&self, kind: &str, command: &str, shown: &mut Shown) -> String {
        let (first, expected) = command.split_once('\n').unwrap_or((command, ""));
        let (line, status) = first.split_once(STATUS).unwrap_or((first, ""));
        let is_ours = ["rigy-batch ", "(cd ", "tar "];
        let is_ours = is_ours.iter().any(|start| line.starts_with(start));
        // Other programs belong to the reader, and `--watch` stays until it is ended.
        let is_read_only = !self.is_divided && (!is_ours || line.contains("--watch"));
        let is_plain = line.starts_with("rigy-batch ") && !line.contains(NEEDS_SHELL);
        shown.is_over |= cfg!(windows) && !is_plain;
        if is_read_only || shown.is_over {
            return command.to_owned();
        }
        shown.commands += 1;
        let ran = match is_plain {
            true => Ran::of(clean(
                Command::new(by_name()).args(&line.words()[1..]),
                &shown.dir,
            )),
            false => shell(&shown.dir, line),
        };
        let said = told(kind, &ran, &shown.dir);
        // A reader of the book need not know what all commands say, and that some fail in part.
        let is_for_readers = kind == "console" && status.is_empty() && ran.status() < 2;
        let has_status = ran.status().to_string() == if status.is_empty() { "0" } else { status };
        let is_said = is_like(&said, expected.trim_end());
        if is_for_readers && (is_said || expected.trim().is_empty()) || has_status && is_said {
            return command.to_owned();
        }
        let status = match ran.status() {
            0 => String::new(),
            status => format!("{STATUS}{status}"),
        };
        eprintln!("$ {command}\nsays, with status {}:\n{said}\n", ran.status());
        // Lines with `…` stay where they can.
        let open: Vec<&str> = expected.lines().filter(|line| line.contains('…')).collect();
        let kept = |line| {
            *open
                .iter()
                .find(|open| is_like(line, open))
                .unwrap_or(&line)
        };
        let lines: String = said
            .lines()
            .map(|line| format!("\n{}", kept(line)))
            .collect();
        let end = &command[command.trim_end().len()..];
        format!("{line}{status}{lines}{end}")
    }
}

/// The mark behind a command that fails.
const STATUS: &str = "  # status ";

const NEEDS_SHELL: &[char] = &['|', '<', '>', '&', ';', '$', '*', '"', '\\', '(', '#'];

/// The standard error of a command, whose lines are marked in a `transcript`, and then its standard output.
fn told(kind: &str, ran: &Ran, dir: &Dir) -> String {
    let [error, out] = [&ran.output.stderr, &ran.output.stdout].map(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        let text = text.replace(&dir.path().slashed().to_string(), "$PWD");
        let letters = text.chars().map(|letter| match letter {
            '\n' => letter.to_string(),
            letter if letter.is_control() => letter.escape_default().to_string(),
            letter => letter.to_string(),
        });
        // The name by which clap calls the program is that of its file.
        let text = letters
            .collect::<String>()
            .replace("rigy-batch.exe", "rigy-batch");
        text.trim_end().to_owned()
    });
    if kind == "console" {
        let raw = String::from_utf8_lossy(&ran.output.stderr).len();
        let gap = "\n".repeat(usize::from(raw > 0) + usize::from(error.len() + 1 < raw));
        return format!("{error}{gap}{out}").trim().to_owned();
    }
    let error = error.trim_end_matches("\n\nFor more information, try '--help'.");
    let marked = |line| format!("! {line}").trim_end().to_owned();
    let lines = error
        .lines()
        .map(marked)
        .chain(out.lines().map(str::to_owned));
    lines.collect::<Vec<_>>().join("\n")
}

/// True if the text is the one expected, in which `…` stands for any text.
fn is_like(text: &str, expected: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || expected.ends_with('…')
}

fn is_document(text: &str) -> bool {
    let keys = ["version:", "contract_version:", "rigs_version:"];
    keys.iter().any(|key| text.starts_with(key))
}

/// The word between backticks that names a file, in the lines before a block.
fn file_name(before: &str) -> Option<String> {
    let paragraph = before.trim_end().rsplit("\n\n").next()?;
    let words = paragraph.split('`').skip(1).step_by(2);
    let is_file = |word: &&str| word.ends_with(".yaml") || word.ends_with(".json");
    words.filter(is_file).last().map(str::to_owned)
}

/// A directory of programs: this one, no browser that opens, and `files`, which lists files but those that runs leave for later ones.
static PROGRAMS: LazyLock<Dir> = LazyLock::new(|| {
    let dir = Dir::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let path = |name: &str| dir.path().join(name);
        symlink(program(), path("rigy-batch")).unwrap();
        symlink("/bin/true", path("xdg-open")).unwrap();
        let list =
            "find ${*:-*} -type f -not -path '*/.rigy-batch/*' | LC_ALL=C sort | paste -sd' '";
        dir.write("files", format!("#!/bin/sh\n{list}\n"));
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path("files"), executable).unwrap();
    }
    dir
});

/// The program by the name that it has for users, which usages repeat.
fn by_name() -> PathBuf {
    match cfg!(unix) {
        true => PROGRAMS.path().join("rigy-batch"),
        false => program().to_owned(),
    }
}

/// A command in a directory, which the settings of who runs the tests do not reach.
fn clean<'c>(command: &'c mut Command, dir: &Dir) -> &'c mut Command {
    for name in [
        "RIGY_BATCH_ISA",
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "RAYON_NUM_THREADS",
    ] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C.UTF-8").current_dir(dir.path())
}

/// Runs a line of a shell.
fn shell(dir: &Dir, line: &str) -> Ran {
    let paths = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]);
    command.env("PATH", format!("{}:{paths}", PROGRAMS.path().slashed()));
    command.env("REPOSITORY", env!("CARGO_MANIFEST_DIR"));
    Ran::of(clean(&mut command, dir))
}
