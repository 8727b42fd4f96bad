//! One line for each finding, as compilers print them: `file:line:column: level CODE: message`.

use super::{Annotated, Annotation, Group};
use crate::cli::render::printable;

/// Lines that `grep` and editors understand.
pub struct Concise;

impl Annotated for Concise {
    fn group(&self, group: &Group) -> String {
        let lines = group.annotations.iter().map(line);
        lines.flat_map(|line| [line, "\n".into()]).collect()
    }
}

/// Returns an annotation on one line. Findings without a line have only the file, and their path before the message.
pub fn line(annotation: &Annotation) -> String {
    let place = annotation.spot.as_ref().map(|spot| {
        let file = printable(&spot.file.display().to_string());
        match spot.region {
            Some(region) => format!("{file}:{}:{}: ", region.line, region.column),
            None => format!("{file}: "),
        }
    });
    let (level, rule) = (annotation.level(), annotation.rule.id());
    let message = printable(&annotation.message_with_path(&annotation.sentence));
    format!("{}{level} {rule}: {message}", place.unwrap_or_default())
}
