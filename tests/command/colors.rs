//! Colours and widths: on a pseudo-terminal, which Python makes, and on pipes.

use std::process::Command;

use super::BAD;
use crate::support::{Arguments, Dir, assert_contains, program};

/// Runs a command on a pseudo-terminal with as many columns as the first argument says, and prints what it has shown.
const TERMINAL: &str = r#"
import fcntl, os, struct, sys, termios
master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
child = os.fork()
if child == 0:
    os.close(master)
    for number in range(3):
        os.dup2(slave, number)
    os.execv(sys.argv[2], sys.argv[2:])
os.close(slave)
shown = b""
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
os.waitpid(child, 0)
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
"#;

const VARIABLES: [&str; 4] = ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM"];

/// The screen of a terminal with `columns` columns after a run; `None`, with a note, if there is no Python.
fn shown(dir: &Dir, columns: usize, variables: &[(&str, &str)], args: &str) -> Option<String> {
    let mut command = Command::new("python3");
    VARIABLES.iter().for_each(|name| {
        command.env_remove(name);
    });
    let command = command.args(["-c", TERMINAL, &columns.to_string()]);
    let command = command
        .arg(program())
        .args(args.words())
        .current_dir(dir.path());
    match command.envs(variables.iter().copied()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{output:?}");
            Some(String::from_utf8(output.stdout).unwrap())
        }
        Err(_) => {
            eprintln!("skipped: there is no python3");
            None
        }
    }
}

fn piped(dir: &Dir, variables: &[(&str, &str)], args: &str) -> String {
    let mut command = Command::new(program());
    VARIABLES.iter().for_each(|name| {
        command.env_remove(name);
    });
    let command = command.args(args.words()).current_dir(dir.path());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap()
}

fn is_coloured(text: &str) -> bool {
    text.contains("\u{1b}[")
}

fn bad() -> Dir {
    Dir::with("bad.rigy.yaml", BAD)
}

const RUN: &str = "bad.rigy.yaml -o out";

#[test]
fn pipes_are_coloured_only_by_order() {
    let dir = bad();
    let always = &*format!("{RUN} --color always");
    let never = &*format!("{RUN} --color=never");
    for (variables, args, expected) in [
        (&[][..], RUN, false),
        (&[], always, true),
        (&[("NO_COLOR", "1")], always, true),
        (&[("CLICOLOR_FORCE", "1")], RUN, true),
        (&[("CLICOLOR_FORCE", "1")], never, false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], RUN, false),
    ] {
        let said = piped(&dir, variables, args);
        assert_eq!(
            is_coloured(&said),
            expected,
            "{variables:?} {args:?}: {said}"
        );
    }
}

#[test]
fn every_command_on_pipes_prints_plain_text() {
    let dir = bad();
    dir.write("manifest.json", "{}");
    for args in [
        "inspect bad.rigy.yaml",
        "bake bad.rigy.yaml -o out",
        "verify manifest.json",
        "diff bad.rigy.yaml manifest.json",
        "palette bad.rigy.yaml",
        "fmt --check bad.rigy.yaml",
        "--help",
        "--none-such",
        "explain none",
    ] {
        let said = piped(&dir, &[("TERM", "xterm-256color")], args);
        assert!(
            !said.contains('\u{1b}') && !said.is_empty(),
            "{args:?}: {said}"
        );
    }
}

#[test]
fn a_terminal_is_coloured_unless_it_should_not_be() {
    let dir = bad();
    let term = ("TERM", "xterm");
    for (variables, args, expected) in [
        (&[term][..], "", true),
        (&[term, ("NO_COLOR", "1")], "", false),
        (&[term, ("NO_COLOR", "1")], "--color always", true),
        (&[term, ("CLICOLOR", "0")], "", false),
        (&[("TERM", "dumb")], "", false),
        (&[term], "--color never", false),
    ] {
        let args = format!("{RUN} -q {args}");
        let Some(said) = shown(&dir, 80, variables, &args) else {
            return;
        };
        assert!(said.contains("error"), "{said}");
        assert_eq!(
            is_coloured(&said),
            expected,
            "{variables:?} {args:?}: {said:?}"
        );
    }
}

#[test]
fn help_and_errors_of_the_command_line_follow_the_same_choice() {
    let dir = Dir::new();
    for (args, expected) in [
        ("--none-such", false),
        ("--none-such --color always", true),
        ("inspect --color always --none-such", true),
        ("--color always -- --color never", false),
    ] {
        assert_eq!(is_coloured(&piped(&dir, &[], args)), expected, "{args:?}");
    }
    let wrong = piped(&dir, &[], "x --color blue");
    assert_contains(&wrong, &["possible values: auto, always, never"]);
    let dumb = [("TERM", "dumb")];
    if let Some(said) = shown(&dir, 80, &dumb, "--none-such") {
        assert!(!is_coloured(&said), "{said:?}");
    }
}

#[test]
fn a_dumb_terminal_has_no_progress_bar() {
    let dir = Dir::new();
    for index in 0..60 {
        dir.write(
            &format!("in/{index}.rigy.yaml"),
            crate::support::document("p"),
        );
    }
    let args = "in -o out --force -j1";
    let (Some(dumb), Some(other)) = (
        shown(&dir, 80, &[("TERM", "dumb")], args),
        shown(&dir, 80, &[("TERM", "xterm")], args),
    ) else {
        return;
    };
    assert!(
        dumb.starts_with("60 documents: 60 written (120 outputs), in ")
            && dumb.lines().count() == 1,
        "{dumb:?}"
    );
    assert!(other.contains('\u{1b}'), "it has one elsewhere: {other:?}");
}

/// A document with a fault in the middle of a line of thousands of characters.
fn long() -> String {
    let anchor = |id: String| format!("{{id: {id}, translation: [0, 0, 0]}}");
    let mut anchors: Vec<String> = (0..400).map(|index| anchor(format!("a{index}"))).collect();
    anchors.insert(200, anchor("a100".into()));
    let mesh = "meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]";
    format!(
        "version: \"0.5\"\n{mesh}\nanchors: [{}]\n",
        anchors.join(", ")
    )
}

fn wide() -> String {
    let value = "x".repeat(500);
    format!(
        "version: \"0.5\"\nmeshes: [{{id: m, primitives: [{{type: {value}, id: b, dimensions: {{x: 1}}}}]}}]\n"
    )
}

#[test]
fn findings_and_summaries_fit_the_terminal() {
    let dir = Dir::with("a.rigy.yaml", BAD);
    dir.write("b.rigy.yaml", long());
    dir.write("c.rigy.yaml", wide());
    let args = "a.rigy.yaml b.rigy.yaml c.rigy.yaml -o out --color never";
    for columns in [40, 80, 200] {
        let Some(said) = shown(&dir, columns, &[("TERM", "dumb")], args) else {
            return;
        };
        assert!(said.contains("b.rigy.yaml:3:"), "{said}");
        for line in said.lines() {
            // A word that is longer than the line cannot be broken: paths, and values that messages quote.
            let longest = line.split(' ').map(|word| word.chars().count()).max();
            let is_breakable = longest.unwrap_or(0) < columns - 16;
            let fits = line.chars().count() <= columns;
            assert!(fits || !is_breakable, "{columns}: {line}");
        }
        let quoted = said.lines().find(|line| line.starts_with("3 | ")).unwrap();
        assert!(quoted.contains("id: a100"), "{quoted}");
        assert!(quoted.starts_with("3 | ...") || columns == 200, "{quoted}");
        let summary: Vec<&str> = said
            .lines()
            .rev()
            .take_while(|line| !line.is_empty())
            .collect();
        let summary: String = summary.into_iter().rev().collect::<Vec<_>>().join(" ");
        assert!(
            summary.starts_with("3 documents: 3 failed, in "),
            "{summary}"
        );
        assert_contains(&summary, &["Next: `rigy-batch explain V01 V24 U10`"]);
    }
}

#[test]
fn the_summary_is_coloured_and_says_what_to_do_next_on_a_terminal_only() {
    let dir = bad();
    dir.write("good.rigy.yaml", crate::support::document("p"));
    let args = ". -o out --force";
    let Some(said) = shown(&dir, 200, &[("TERM", "xterm")], args) else {
        return;
    };
    let red =
        "2 documents: \u{1b}[32m1 written (2 outputs)\u{1b}[0m, \u{1b}[31m1 failed\u{1b}[0m, in ";
    assert_contains(&said, &[red, "\nNext: `rigy-batch explain V01`"]);
    let plain = piped(&dir, &[], args);
    assert!(
        plain.ends_with("\n2 documents: 1 written (2 outputs), 1 failed\n"),
        "{plain}"
    );
    let page = shown(
        &dir,
        200,
        &[("TERM", "dumb")],
        &format!("{args} --html page.html"),
    );
    assert!(page.is_some_and(|said| !said.contains("--html report.html")));
    let quiet = shown(&dir, 200, &[("TERM", "dumb")], &format!("{args} -q"));
    assert!(quiet.is_some_and(|said| !said.contains("Next:")));
}
