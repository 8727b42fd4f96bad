//! The messages of a run, each once: rows name them by number, and the page groups outputs by them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::row::PageMessage;
use rigy_base::diag::Code;
use rigy_base::maps::HashMap;

/// Most messages, because they are in memory until the run ends and in the page itself.
const MOST: usize = 1000;

/// Collects the messages of a run.
#[derive(Debug, Default)]
pub struct Messages {
    /// The messages in the order of their numbers.
    pub all: Vec<Message>,
    numbers: HashMap<(bool, &'static str, String), usize>,
    codes: BTreeSet<Code>,
}

/// A message of a run. The page has it as an array of its fields.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Message(
    /// `error` or `warning`.
    pub &'static str,
    /// The code, or the category of findings without one.
    pub &'static str,
    /// The beginning of the text.
    pub String,
    /// The number of findings.
    pub usize,
);

impl Messages {
    /// Adds the messages of an output. Returns their numbers as a JSON array, without those for which there is no room; null if there
    /// are no messages.
    pub fn add(&mut self, messages: &[PageMessage]) -> String {
        if messages.is_empty() {
            return "null".to_owned();
        }
        let numbers: Vec<String> = messages
            .iter()
            .filter_map(|message| self.number(message))
            .map(|number| number.to_string())
            .collect();
        format!("[{}]", numbers.join(","))
    }

    fn number(&mut self, message: &PageMessage) -> Option<usize> {
        self.codes.extend(message.explained);
        let PageMessage { is_error, code, .. } = *message;
        let key = (is_error, code, message.text.clone());
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            None if self.all.len() == MOST => return None,
            None => {
                let level = if is_error { "error" } else { "warning" };
                self.all.push(Message(level, code, message.text.clone(), 0));
                self.numbers.insert(key, self.all.len() - 1);
                self.all.len() - 1
            }
        };
        self.all[number].3 += message.times;
        Some(number)
    }

    /// Returns the codes of all findings, in order.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        self.codes.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_messages_have_one_number() {
        let mut messages = Messages::default();
        let message = |text: &str, times| PageMessage {
            is_error: false,
            code: "W07",
            explained: Some(Code::W07),
            text: text.to_owned(),
            times,
        };
        assert_eq!(messages.add(&[]), "null");
        assert_eq!(messages.add(&[message("a", 2), message("b", 1)]), "[0,1]");
        assert_eq!(messages.add(&[message("b", 3)]), "[1]");
        let b = Message("warning", "W07", "b".into(), 4);
        assert_eq!(messages.all[1], b);
        for number in 2..MOST {
            messages.add(&[message(&number.to_string(), 1)]);
        }
        assert_eq!(messages.add(&[message("more", 1), message("a", 1)]), "[0]");
        assert_eq!(messages.all.len(), MOST);
        assert_eq!(messages.codes().collect::<Vec<_>>(), [Code::W07]);
    }
}
