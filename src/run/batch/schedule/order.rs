//! Putting results in the order of their inputs.

use std::collections::BTreeMap;

/// Holds early results back until all results before them have been taken, and counts the bytes that are held.
pub(crate) struct InOrder<T> {
    /// The number of the input whose result is taken next.
    next: usize,
    /// Results with their bytes, by input.
    waiting: BTreeMap<usize, (T, usize)>,
    /// Bytes of all results in `waiting`.
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

    /// Adds the result of input number `index`, which takes about `len` bytes.
    pub fn put(&mut self, index: usize, result: T, len: usize) {
        self.held += len;
        self.waiting.insert(index, (result, len));
    }

    /// Takes the next result in order; returns `None` if it has not been added yet.
    pub fn next(&mut self) -> Option<T> {
        let (result, len) = self.waiting.remove(&self.next)?;
        self.next += 1;
        self.held -= len;
        Some(result)
    }

    /// Returns the bytes of the results that are held back.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Returns the results that are still held back, in order, when some inputs give no result.
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
