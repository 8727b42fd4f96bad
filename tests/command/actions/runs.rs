//! Runs of the action's scripts: exit status, summary, report page, and what is kept for the next run.

use super::runner::{Job, obeyed};
use crate::command::BAD;
use crate::support::document;
use crate::support::skinned::skinned;

/// A name that would be a workflow command if it stood at the beginning of a line, and that has marks of Markdown.
const HOSTILE: &str =
    "models/a\n::error::b ##[add-mask]c\n```\n<script>$(id)`id`\u{1b}[31m.rigy.yaml";

/// Without annotations, findings are text for people.
const PLAIN: (&str, &str) = ("ANNOTATE", "false");

/// A job with a good document, a bad one and one with a hostile name, whose text is quoted in findings.
fn mixed() -> Job {
    let job = Job::new();
    job.write("models/good.rigy.yaml", document("bow"));
    job.write("models/bad.rigy.yaml", BAD);
    let quoted = BAD.replace("id: m", "id: \"##[error]\\n::error::x\"");
    job.write(HOSTILE, quoted);
    job
}

#[test]
fn a_good_run_succeeds_with_a_page() {
    let job = Job::new();
    job.write("models/good.rigy.yaml", document("bow"));
    let ran = job.run("run", &[PLAIN]);
    assert_eq!((ran.status(), &*ran.stderr()), (0, ""), "{}", ran.stdout());
    assert_eq!(
        job.0.glbs(),
        ["workspace/out/good.bow.glb", "workspace/out/good.glb"]
    );
    assert_eq!(job.output("status").as_deref(), Some("0"));
    assert_eq!(
        job.summary().split("\n\n").next(),
        Some("### rigy-batch: nothing failed")
    );
    assert!(
        job.summary()
            .contains("\n    1 document: 1 written (2 outputs)")
    );
    let pages = job.output("page-directory").unwrap();
    let page = std::fs::read_to_string(format!("{pages}/rigy-batch.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    let ran = job.run("run", &[PLAIN, ("REPORT_PAGE", "false"), ("CHECK", "true")]);
    assert_eq!((ran.status(), job.output("page-directory")), (0, None));
}

#[test]
fn a_bad_input_fails_the_step_after_the_others_and_the_page_are_written() {
    let job = mixed();
    let ran = job.run("run", &[PLAIN]).exits(1);
    assert_eq!(job.output("status").as_deref(), Some("1"));
    assert_eq!(job.0.glbs().len(), 2);
    assert!(job.output("page-directory").is_some());
    assert!(
        job.summary()
            .contains("3 documents: 1 written (2 outputs), 2 failed")
    );
    ran.prints("error[V01]");
}

#[test]
fn text_of_files_is_neither_a_command_nor_markdown() {
    let job = mixed();
    let ran = job.run("run", &[PLAIN]);
    ran.prints("##[error]");
    assert_eq!(obeyed(&ran.stdout()), Vec::<String>::new());
    let summary = job.summary();
    assert!(summary.contains("##[error]"), "findings are in the summary");
    let is_plain = |line: &&str| !line.is_empty() && !line.starts_with("    ");
    assert_eq!(
        summary.lines().filter(is_plain).collect::<Vec<_>>(),
        [
            "### rigy-batch: an input failed",
            "The report page is an artifact of the run."
        ]
    );
}

#[test]
fn an_expanded_document_on_standard_output_is_no_command() {
    let job = Job::new();
    let text = "version: \"0.6\"\nmeshes: []\n\"::error ::x\": 1\n";
    job.write("models/a.rigy.yaml", text);
    let args = "--emit-expanded=-\n--emit-on-error";
    let ran = job.run("run", &[PLAIN, ("ARGS", args)]);
    ran.prints("\n::error ::x");
    assert_eq!(obeyed(&ran.stdout()), Vec::<String>::new());
}

#[test]
fn a_run_that_cannot_start_says_why_at_the_workflow() {
    let job = Job::new();
    let ran = job.run("run", &[PLAIN, ("PATHS", "none\n")]);
    assert_eq!(ran.status(), 2);
    assert_eq!(job.output("status").as_deref(), Some("2"));
    let [command] = &obeyed(&ran.stdout())[..] else {
        panic!("{}", ran.stdout());
    };
    assert!(command.contains("cannot find `none`"), "{command}");
    assert!(job.summary().contains("    rigy-batch: cannot find `none`"));
}

#[test]
fn wrong_inputs_are_refused_with_advice() {
    let job = Job::new();
    let cases = [
        ("COMMAND", "compile; id", "write `documents` or `bake`"),
        ("PATHS", " \n\t\n", "name a file or a directory"),
        ("ARGS", "-j 2", "write `-j=…` in place of `-j 2`"),
        ("CHECK", "yes", "write `true` or `false`"),
        (
            "PROGRAM",
            "./none%\n::x",
            "there is no program `./none%25%0A::x`",
        ),
    ];
    for (name, value, advice) in cases {
        let ran = job.run("run", &[(name, value)]);
        assert_eq!((ran.status(), &*ran.stderr()), (2, ""), "{name}");
        let [command] = &obeyed(&ran.stdout())[..] else {
            panic!("{}", ran.stdout());
        };
        assert!(command.contains(advice), "{command}");
    }
}

#[test]
fn paths_and_options_are_lines() {
    let job = Job::new();
    job.write("mo dels/-a *.glb", skinned(3, 0.0).glb());
    job.write("--help/b.glb", skinned(3, 0.0).glb());
    let inputs = [
        ("COMMAND", "bake"),
        ("PATHS", "  mo dels/-a *.glb\r\n\n--help\n"),
        ("OUTPUT", "o $(id)"),
        ("ARGS", "--solver=dqs\n--pivot\nnode\n"),
    ];
    job.run("run", &[PLAIN, inputs[0], inputs[1], inputs[2], inputs[3]])
        .good();
    let outputs = job.0.glbs();
    let outputs = outputs
        .iter()
        .filter(|name| name.starts_with("workspace/o $(id)/"));
    assert_eq!(outputs.count(), 2);
}

#[test]
fn the_plan_names_the_cache_of_each_run() {
    let job = mixed();
    let planned = |inputs: &[(&str, &str)], name: &str| {
        let ran = job.run("plan", inputs);
        assert_eq!((ran.status(), &*ran.stderr()), (0, ""));
        job.output(name).unwrap()
    };
    assert_eq!(planned(&[], "cache-paths"), "out/.rigy-batch");
    let beside = [("OUTPUT", ""), ("PATHS", "models\nmodels/bad.rigy.yaml\n.")];
    assert_eq!(
        planned(&beside, "cache-paths"),
        "models/.rigy-batch\nmodels/.rigy-batch\n./.rigy-batch"
    );
    let file = [("OUTPUT", "a/b.glb")];
    assert_eq!(planned(&file, "cache-paths"), "a/.rigy-batch");
    assert_ne!(planned(&[], "run-key"), planned(&file, "run-key"));
    assert_eq!(
        planned(&[], "program-key"),
        planned(&file, "program-key"),
        "the program is the same"
    );
    let built = planned(&[("PROGRAM", "")], "program");
    assert!(built.ends_with("temporary/rigy-batch/bin/rigy-batch"));
}
