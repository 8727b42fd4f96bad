//! Text that has to reach the file exactly as it is, past the YAML writer.
//!
//! `hide` keeps it and returns a word in its place that the writer leaves alone; `reveal` puts it back into the
//! finished text.

use serde_yaml::Value;

const OPEN: &str = "rawx";
const CLOSE: char = 'x';

#[derive(Default)]
pub struct Verbatim {
    texts: Vec<String>,
}

impl Verbatim {
    pub fn hide(&mut self, text: String) -> Value {
        self.texts.push(text);
        Value::String(format!("{OPEN}{}{CLOSE}", self.texts.len() - 1))
    }

    /// The text behind a hidden word; `None` for any other string.
    pub fn hidden(&self, word: &str) -> Option<&str> {
        let number = word.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
        self.texts
            .get(number.parse::<usize>().ok()?)
            .map(String::as_str)
    }

    pub fn reveal(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() * 2);
        let mut rest = text;
        while let Some(at) = rest.find(OPEN) {
            let length = rest[at + OPEN.len()..]
                .find(CLOSE)
                .expect("every hidden word is closed");
            let end = at + OPEN.len() + length + 1;
            out.push_str(&rest[..at]);
            out.push_str(
                self.hidden(&rest[at..end])
                    .expect("only hidden words look like this"),
            );
            rest = &rest[end..];
        }
        out + rest
    }
}
