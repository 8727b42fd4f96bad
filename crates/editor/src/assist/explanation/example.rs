//! An explanation and its example.

use rigy_base::diag::Code;

/// The explanation of a code: its meaning, an example that raises it, and the way to mend it.
#[derive(Debug)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// The rule, in one or more sentences.
    pub meaning: &'static str,
    /// The way to mend the document, in one or two sentences.
    pub mend: &'static str,
    /// An example of it.
    pub example: Example,
}

/// An example of a code.
#[derive(Debug)]
pub enum Example {
    /// A fixture of `conformance/invalid`.
    Fixture(Fixture),
    /// There is no example, for this reason, which is the end of a sentence.
    Without(&'static str),
}

/// A document that raises a code, the files that belong to it, and an edit after which it does not.
#[derive(Debug)]
pub struct Fixture {
    /// The name of the document without its ending.
    pub stem: &'static str,
    /// The document or scene, then the files that belong to it: endings of their names, and their texts.
    pub files: &'static [(&'static str, &'static str)],
    /// A text that one of the files has once.
    pub from: &'static str,
    /// The text that is to replace it.
    pub to: &'static str,
}

impl Fixture {
    /// Returns the names and texts of its files: the document, then what belongs to it. The first two lines of the document,
    /// which are about the fixture, are left out.
    pub fn files(&self) -> Vec<(String, &'static str)> {
        self.files
            .iter()
            .enumerate()
            .map(|(number, (ending, text))| {
                let text = match number {
                    0 => after_line(after_line(text)),
                    _ => text,
                };
                (format!("{}.{ending}", self.stem), text)
            })
            .collect()
    }

    /// Returns what is wrong in the example: the second line of the document.
    pub fn reason(&self) -> &'static str {
        let text = self.files.first().map_or("", |(_, text)| text);
        after_line(text)
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("# ")
    }
}

/// Returns what follows the first line of a text.
fn after_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}
