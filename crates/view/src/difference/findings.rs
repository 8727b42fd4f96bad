//! A list of differences in words.

use super::MOST_FINDINGS;
use rigy_language::base::diag::shortened;

/// Differences in words, and the largest number among them.
#[derive(Default)]
pub(super) struct Findings {
    texts: Vec<String>,
    left_out: usize,
    worst: f64,
}

impl Findings {
    /// Adds a difference that is not one of numbers.
    pub fn add(&mut self, text: String) {
        self.add_amount(text, f64::INFINITY);
    }

    /// Adds a difference of numbers, the largest of which is `amount`.
    pub fn add_amount(&mut self, text: String, amount: f64) {
        self.worst = self.worst.max(amount);
        if self.texts.len() < MOST_FINDINGS {
            self.texts.push(shortened(text));
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the texts, with a last one that counts those left out, and the largest amount.
    pub fn finish(mut self) -> (Vec<String>, f64) {
        if self.left_out > 0 {
            let more = self.left_out;
            self.texts
                .push(format!("{more} more differences are not listed"));
        }
        (self.texts, self.worst)
    }
}
