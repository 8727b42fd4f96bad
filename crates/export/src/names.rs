//! Names of things in files: without characters that the format gives a meaning, and no two alike.

use std::collections::{HashMap, HashSet};

use rigy_language::base::terminal::is_control;

/// Longest name, in characters; longer ones are cut.
const LONGEST: usize = 100;

/// Names that have been given, among which none is given twice.
#[derive(Default)]
pub(super) struct Names {
    given: HashSet<String>,
    /// For each name that was wanted more than once, the number that is tried next.
    next: HashMap<String, u64>,
}

impl Names {
    /// Returns a name that has not been given: the wanted one, or the first with a number behind it.
    pub fn unique(&mut self, wanted: String) -> String {
        if self.given.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(1);
        loop {
            let name = format!("{wanted}_{next}");
            *next += 1;
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Returns a name as one word of a line of text: spaces, `#`, `\` and characters that a terminal must not show become `_`.
pub(super) fn word(name: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !is_control(c) && c != '#' && c != '\\';
    let plain = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    or_unnamed(plain.take(LONGEST).collect())
}

/// Returns a name as an identifier: a letter or `_`, then letters, digits and `_`, all ASCII; other characters become `_`.
pub(super) fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = name.chars().map(plain).take(LONGEST).collect();
    match text.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{text}"),
        false => or_unnamed(text),
    }
}

fn or_unnamed(name: String) -> String {
    match name.is_empty() {
        true => "unnamed".into(),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names = Names::default();
        let wanted = ["a", "a_1", "a", "a", "a_1", "b"];
        let given = wanted.map(|name| names.unique(name.into()));
        assert_eq!(given, ["a", "a_1", "a_2", "a_3", "a_1_1", "b"]);
    }

    #[test]
    fn hostile_names_are_words_and_identifiers() {
        for (name, as_word, as_identifier) in [
            ("arm.L", "arm.L", "arm_L"),
            ("a b\r\nv 1 2 3", "a_b__v_1_2_3", "a_b__v_1_2_3"),
            ("tail \\", "tail__", "tail__"),
            ("#1 \u{2028}\0", "_1___", "_1___"),
            ("gnp\u{202e}.x\u{200b}y", "gnp_.x_y", "gnp__x_y"),
            ("7up", "7up", "_7up"),
            ("", "unnamed", "unnamed"),
            ("Körper", "Körper", "K_rper"),
        ] {
            assert_eq!(word(name), as_word);
            assert_eq!(identifier(name), as_identifier);
        }
        assert_eq!(word(&"x".repeat(5000)).len(), LONGEST);
    }
}
