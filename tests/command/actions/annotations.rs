//! Annotations of the action: findings at their lines, whatever files are called.

use super::runner::{Job, obeyed};
use crate::command::BAD;
use crate::support::document;

#[test]
fn findings_are_the_only_commands() {
    let job = Job::new();
    job.write("models/good.rigy.yaml", document("bow"));
    job.write("models/bad.rigy.yaml", BAD);
    job.write("models/c%\n::error::d ##[e],f.rigy.yaml", BAD);
    let ran = job.run("run", &[]);
    assert_eq!((ran.status(), &*ran.stderr()), (1, ""), "{}", ran.stdout());
    let found = obeyed(&ran.stdout());
    let [bad, hostile] = &found[..] else {
        panic!("{}", ran.stdout());
    };
    assert!(
        bad.starts_with("::error file=models/bad.rigy.yaml,line=5,"),
        "{bad}"
    );
    let name = "::error file=models/c%25%0A%3A%3Aerror%3A%3Ad ##[e]%2Cf.rigy.yaml,line=5,";
    assert!(hostile.starts_with(name), "{hostile}");
    let counts = "3 documents: 1 written (2 outputs), 2 failed";
    ran.prints(counts);
    assert_eq!(
        job.summary(),
        format!(
            "### rigy-batch: an input failed\n\n    {counts}\n    \n\
             \nThe report page is an artifact of the run.\n"
        )
    );
    assert!(job.output("page-directory").is_some());
}

#[test]
fn a_check_fails_where_an_output_would_change() {
    let job = Job::new();
    job.write("models/good.rigy.yaml", document("bow"));
    job.run("run", &[("CHECK", "true")]).exits(1);
    assert!(job.0.glbs().is_empty());
    let heading = "### rigy-batch: an input failed, or an output would change\n";
    assert!(job.summary().starts_with(heading), "{}", job.summary());
    assert_eq!(job.run("run", &[]).status(), 0);
    assert_eq!(job.run("run", &[("CHECK", "true")]).status(), 0);
}
