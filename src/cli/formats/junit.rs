//! JUnit XML: a test suite for each input, with its counts, and a test case for each output.
//!
//! The root element has no counts, because they are known only at the end; readers add up those of the suites.

use super::format::{End, Format};
use super::{Annotation, Case, CaseResult, Group};
use crate::cli::render::printable;
use rigy_base::paths::Slashed;
use rigy_base::terminal::xml;

/// JUnit XML.
pub struct Junit;

impl Format for Junit {
    fn head(&self) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rigy-batch\">\n".into()
    }

    fn group(&self, group: &Group) -> String {
        let count = |result| {
            group
                .cases
                .iter()
                .filter(|case| case.result == result)
                .count()
        };
        let name = xml(&group.name);
        let seconds: Option<f64> = group.cases.iter().map(|case| case.seconds).sum();
        let (failed, skipped) = (count(CaseResult::Failed), count(CaseResult::Skipped));
        let mut text = format!(
            "<testsuite name=\"{name}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"{}>\n",
            group.cases.len(),
            time(seconds),
        );
        for one in &group.cases {
            text += &case(one, &name);
        }
        text += "</testsuite>\n";
        text
    }

    fn tail(&self, end: &End) -> String {
        let mut text = String::new();
        if !end.failures.is_empty() {
            let count = end.failures.len();
            text += &format!(
                "<testsuite name=\"rigy-batch\" tests=\"{count}\" failures=\"0\" errors=\"{count}\" skipped=\"0\">\n"
            );
            for (number, failure) in end.failures.iter().enumerate() {
                let (number, failure) = (number + 1, xml(failure));
                text += &format!(
                    "<testcase classname=\"rigy-batch\" name=\"run {number}\"><error message=\"{failure}\">{failure}</error></testcase>\n"
                );
            }
            text += "</testsuite>\n";
        }
        text += "</testsuites>\n";
        text
    }

    fn has_findings(&self) -> bool {
        false
    }
}

/// Returns a test case; `class` is the name of the input, which has been escaped.
fn case(case: &Case, class: &str) -> String {
    let name = xml(&case.name);
    let head = format!(
        "<testcase classname=\"{class}\" name=\"{name}\"{}",
        time(case.seconds)
    );
    let (warnings, errors): (Vec<&Annotation>, Vec<&Annotation>) = case
        .annotations
        .iter()
        .partition(|annotation| annotation.is_warning);
    let mut content = String::new();
    match case.result {
        CaseResult::Passed => {}
        CaseResult::Skipped => content.push_str("<skipped/>\n"),
        CaseResult::Failed => {
            let first = errors.first();
            let rule = first.map_or("", |error| error.rule.id());
            let message = first.map_or("", |error| &error.message);
            content += &format!(
                "<failure type=\"{rule}\" message=\"{}\">{}</failure>\n",
                xml(message),
                lines(&errors)
            );
        }
    }
    if !warnings.is_empty() {
        content += &format!("<system-out>{}</system-out>\n", lines(&warnings));
    }
    if content.is_empty() {
        format!("{head}/>\n")
    } else {
        format!("{head}>\n{content}</testcase>\n")
    }
}

/// Returns annotations as text of an element, one on each line.
fn lines(annotations: &[&Annotation]) -> String {
    let lines = annotations.iter().map(|annotation| line(annotation));
    xml(&lines.collect::<Vec<_>>().join("\n"))
}

/// Returns an annotation on one line, `FILE:LINE:COLUMN: LEVEL CODE: MESSAGE`. Findings without a line have only the file, and their path before the message.
fn line(annotation: &Annotation) -> String {
    let place = annotation.spot.as_ref().map(|spot| {
        let file = printable(&spot.file.shown());
        match spot.region {
            Some(region) => format!("{file}:{}:{}: ", region.start_line, region.start_column),
            None => format!("{file}: "),
        }
    });
    let (level, rule) = (annotation.level(), annotation.rule.id());
    let message = printable(&annotation.message_with_path(&annotation.sentence));
    format!("{}{level} {rule}: {message}", place.unwrap_or_default())
}

/// Returns the attribute of a time, if it is known.
fn time(seconds: Option<f64>) -> String {
    seconds.map_or(String::new(), |seconds| format!(" time=\"{seconds:.6}\""))
}
