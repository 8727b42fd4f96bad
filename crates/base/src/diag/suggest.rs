//! Suggestions for misspelt names ("did you mean"), at a bounded cost.

use std::cell::Cell;

/// Most candidates that are compared with a misspelt word.
const MOST_CANDIDATES: usize = 256;
/// Longest word that is compared, in characters.
const LONGEST_WORD: usize = 64;
/// Findings of one stage that may get a suggestion.
const MOST_SUGGESTIONS: u32 = 64;
/// Findings of one stage that are compared with all candidates, not only with those that begin alike.
const THOROUGH: u32 = 16;
/// Pairs of characters that one stage may compare in all.
const MOST_PAIRS: usize = 1 << 21;

/// Suggests names to the findings of one stage of one document.
///
/// The cost does not depend on the number of findings and names: only the first 64 findings get a
/// suggestion, from the first 256 candidates each; from the 17th finding on, only candidates that have one of the first
/// two letters of the word among their own first two are compared; and a stage compares at most 2²¹ pairs of characters.
/// Findings beyond any of these limits get no suggestion.
#[derive(Debug, Default)]
pub struct Suggestions {
    findings: Cell<u32>,
    pairs: Cell<usize>,
}

impl Suggestions {
    /// Returns the candidate nearest to `word`, if `word` is likely a misspelling of it and the limits allow a comparison. Of
    /// candidates that are equally near, those that begin with the word go before the others.
    pub fn nearest<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        let asked = self.findings.get();
        if asked >= MOST_SUGGESTIONS {
            return None;
        }
        self.findings.set(asked + 1);
        let length = word.chars().count();
        let limit = 1 + length / 4;
        candidates
            .into_iter()
            .take(MOST_CANDIDATES)
            .filter(|candidate| asked < THOROUGH || begins_alike(word, candidate))
            .filter_map(|candidate| Some((self.distance(word, candidate, limit)?, candidate)))
            .filter(|(distance, _)| *distance < length.max(1))
            .min_by_key(|(distance, candidate)| (*distance, !candidate.starts_with(word)))
            .map(|(_, candidate)| candidate)
    }

    /// Returns the number of edits (insert, delete, replace, swap neighbours) between two words, if it is at most `limit`.
    /// Words that differ only in case have 0.
    fn distance(&self, word: &str, candidate: &str, limit: usize) -> Option<usize> {
        if candidate.len().abs_diff(word.len()) > 4 * limit {
            return None;
        }
        let (a, b) = (word.chars().count(), candidate.chars().count());
        // Each edit changes the length by at most one.
        let is_near = a.abs_diff(b) <= limit && a.max(b) <= LONGEST_WORD;
        let pairs = self
            .pairs
            .get()
            .saturating_add(if is_near { a * b } else { a + b });
        if pairs > MOST_PAIRS {
            return None;
        }
        self.pairs.set(pairs);
        if candidate.to_lowercase() == word.to_lowercase() {
            return Some(0);
        }
        is_near
            .then(|| strsim::osa_distance(word, candidate))
            .filter(|distance| *distance <= limit)
    }
}

/// Returns the candidate nearest to `word`, as [`Suggestions::nearest`] does for the first finding of a stage.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    Suggestions::default().nearest(word, candidates)
}

/// Returns true if one of the first two letters of a word is among the first two of another, in upper or lower case.
fn begins_alike(a: &str, b: &str) -> bool {
    let first =
        |word: &str| -> Vec<char> { word.chars().flat_map(char::to_lowercase).take(2).collect() };
    let of_b = first(b);
    first(a).iter().any(|letter| of_b.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_word_is_suggested_and_a_far_one_is_not() {
        let known = ["forearm", "upper_arm", "hand"];
        assert_eq!(nearest("forarm", known), Some("forearm"));
        assert_eq!(nearest("foreamr", known), Some("forearm"));
        assert_eq!(nearest("pelvis", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("Y", ["x", "y", "z"]), Some("y"));
        assert_eq!(nearest("w", ["x", "y", "z"]), None);
        assert_eq!(nearest("boom", ["root", "boom_b"]), Some("boom_b"));
        assert_eq!(
            nearest(&"A".repeat(90), [&*"a".repeat(90)]),
            Some(&*"a".repeat(90))
        );
    }

    #[test]
    fn later_findings_are_compared_with_fewer_names_and_the_last_with_none() {
        let suggestions = Suggestions::default();
        let suggested = |word: &str| suggestions.nearest(word, ["forearm", "hand"]);
        for asked in 0..100 {
            let other_letters = asked % 2 == 1;
            let expected = asked < if other_letters { 16 } else { 64 };
            let word = if other_letters { "xxrearm" } else { "forarm" };
            assert_eq!(suggested(word).is_some(), expected, "{asked}");
        }
    }

    #[test]
    fn a_stage_compares_a_bounded_number_of_characters() {
        let suggestions = Suggestions::default();
        let names: Vec<String> = (0..256).map(|n| format!("{n:064}")).collect();
        let word = "x".repeat(64);
        for _ in 0..4 {
            suggestions.nearest(&word, names.iter().map(String::as_str));
        }
        assert!(suggestions.pairs.get() <= MOST_PAIRS);
        assert_eq!(suggestions.nearest("hnad", ["hand"]), None);
    }
}
