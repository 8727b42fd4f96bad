//! Printed text: the report, help and manual pages. `tests/transcripts/printing.md` has a standard output that takes no more.

use rigy_batch::Isa;

use super::BAD;
use crate::support::{Dir, assert_contains, document};

#[test]
fn the_report_holds_every_line_and_the_summary() {
    let dir = Dir::with("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    let ran = dir.run("d --format json --report r.json");
    let report = dir.json("r.json");
    let lines = ran.json();
    assert_eq!(report["outputs"].as_array().unwrap()[..], lines[..3]);
    assert_eq!(report["summary"], lines[3]["summary"]);
}

#[test]
fn help_and_version_and_completions_are_there() {
    let dir = Dir::new();
    let help = dir.run("--help").stdout();
    let options = ["--output", "--poses", "--jobs", "--format", "--isa"];
    assert_contains(&help, &options);
    assert_contains(&help, &["--report", "verify", "Exit status"]);
    let release = concat!("rigy-batch ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(dir.run("-V").stdout(), release);
    let version = dir.run("--version").stdout();
    let rest = version.strip_prefix(release).expect("the release is first");
    let used = format!("{} is used", Isa::best().name());
    assert!(rest.starts_with("commit: "), "{rest}");
    assert_contains(rest, &["instruction sets: scalar, baseline"]);
    assert!(rest.trim_end().ends_with(&used), "{rest}");
    assert!(
        dir.run("--completions bash")
            .stdout()
            .contains("rigy-batch")
    );
    for (page, words) in [
        ("--man", [".TH rigy-batch 1", "\\-\\-shard", "EXIT STATUS"]),
        ("--man=bake", [".TH", "\\-\\-frames", "EXIT STATUS"]),
        ("--man bake", [".TH", "\\-\\-frames", "EXIT STATUS"]),
    ] {
        let ran = dir.run(page).good();
        for word in words {
            ran.prints(word);
        }
    }
    for page in ["--man=nothing", "--man nothing", "--man bake x"] {
        let ran = dir.run(page);
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{page:?}");
    }
}

#[test]
fn short_help_fits_a_screen() {
    let dir = Dir::new();
    for command in ["", "bake", "preview", "inspect", "view"] {
        let help = dir.run(format!("{command} -h").trim()).good().stdout();
        assert!(help.lines().count() <= 40, "{help}");
        let is_narrow = |line: &str| line.chars().count() <= 100;
        assert!(help.lines().all(is_narrow), "{help}");
    }
    assert_contains(dir.run("bake -h").stdout(), &["--as", "--to", "--html"]);
    let short = dir.run("-h").stdout();
    let nothing = dir.run(&[] as &[&str]);
    assert_eq!((nothing.status(), nothing.stderr()), (2, short));
}

#[test]
fn the_help_of_a_command_explains_it() {
    let dir = Dir::new();
    for (command, words) in [
        ("bake", "For each input `stem.glb`"),
        ("verify", "Documents are compiled, and what comes out"),
        ("diff", "A has what is expected, B what was found"),
        ("palette", "one moment, as rigy-batch itself uses them"),
        ("bench", "There are three workloads"),
        ("preview", "Every machine draws the same pixels"),
        ("view", "The page needs no server and no network"),
    ] {
        let text = dir.run(&format!("{command} --help")).stdout();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{command}: {text}");
        assert!(
            !dir.run(&format!("{command} -h")).stdout().contains(words),
            "{command}"
        );
    }
}
