//! Results in the order of their inputs, whatever order they come in.

use std::collections::BTreeMap;

/// Holds early results back until all before them have been handed on.
pub(super) struct InOrder<T, F: FnMut(T)> {
    next: usize,
    waiting: BTreeMap<usize, T>,
    hand_on: F,
}

impl<T, F: FnMut(T)> InOrder<T, F> {
    pub fn new(hand_on: F) -> Self {
        Self {
            next: 0,
            waiting: BTreeMap::new(),
            hand_on,
        }
    }

    /// Takes the result of input number `index`.
    pub fn put(&mut self, index: usize, result: T) {
        self.waiting.insert(index, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            (self.hand_on)(result);
            self.next += 1;
        }
    }

    /// Hands on what is left, when some inputs never gave a result.
    pub fn finish(mut self) {
        for result in std::mem::take(&mut self.waiting).into_values() {
            (self.hand_on)(result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_leave_in_order_and_none_is_lost() {
        let mut seen = Vec::new();
        let mut order = InOrder::new(|n| seen.push(n));
        for n in [2, 0, 1, 5, 3] {
            order.put(n, n);
        }
        order.finish();
        assert_eq!(seen, [0, 1, 2, 3, 5]);
    }
}
