//! Results in the order of their inputs, whatever order they come in.

use std::collections::BTreeMap;

/// Holds early results back until all before them have been handed on, and knows how much that is.
pub(crate) struct InOrder<T> {
    next: usize,
    waiting: BTreeMap<usize, (T, usize)>,
    held: usize,
}

impl<T> InOrder<T> {
    pub fn new() -> Self {
        Self {
            next: 0,
            waiting: BTreeMap::new(),
            held: 0,
        }
    }

    /// Takes the result of input number `index`, which takes about `len` bytes.
    pub fn put(&mut self, index: usize, result: T, len: usize) {
        self.held += len;
        self.waiting.insert(index, (result, len));
    }

    /// The next result, if it is there.
    pub fn next(&mut self) -> Option<T> {
        let (result, len) = self.waiting.remove(&self.next)?;
        self.next += 1;
        self.held -= len;
        Some(result)
    }

    /// Bytes of what is held back.
    pub fn held(&self) -> usize {
        self.held
    }

    /// What is left when some inputs have never given a result, in order.
    pub fn rest(self) -> impl Iterator<Item = T> {
        self.waiting.into_values().map(|(result, _)| result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_leave_in_order_and_none_is_lost() {
        let mut seen = Vec::new();
        let mut order = InOrder::new();
        for n in [2, 0, 1, 5, 3] {
            order.put(n, n, 10);
            while let Some(n) = order.next() {
                seen.push(n);
            }
        }
        assert_eq!((&*seen, order.held()), (&[0, 1, 2, 3][..], 10));
        seen.extend(order.rest());
        assert_eq!(seen, [0, 1, 2, 3, 5]);
    }
}
