//! One line for each finding.

use super::{hostile, is_harmless};

#[test]
fn each_finding_is_a_line_and_the_summary_is_the_last() {
    let dir = hostile();
    let ran = dir.run("in -o out --format concise");
    let out = ran.stdout();
    assert_eq!((ran.status(), ran.stderr().as_str()), (1, ""), "{out}");
    is_harmless(&out);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(lines[0].contains("\\nj{0}"), "{out}");
    assert!(lines[0].contains(".rigy.yaml:5:9: error V01: "), "{out}");
    assert!(
        lines[1].starts_with("in/good.rigy.yaml:3:") && lines[1].contains(": warning W03: "),
        "{out}"
    );
    assert!(
        lines[2].starts_with("in/none.rigy.yaml:1:") && lines[2].contains(": error U10: "),
        "{out}"
    );
    assert_eq!(
        lines[3], "3 documents: 1 written (2 outputs), 2 failed; 1 warning",
        "{out}"
    );
    let quiet = dir.run("in -o out --format concise -q");
    assert_eq!(quiet.stdout().lines().collect::<Vec<_>>(), lines[..3]);
}
