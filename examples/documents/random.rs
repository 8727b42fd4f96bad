//! Draws that documents need beyond those of [`Random`].

pub use rigy_kernel::random::Random;

/// The stream of document `index`. It does not depend on the other documents that are generated beside it.
pub fn for_document(seed: u64, index: u64) -> Random {
    let base = Random::new(seed).bits();
    let state = Random::new(base ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03)).bits();
    Random::new(state)
}

/// Draws of counts, chances and orders.
pub trait Draw {
    /// Draws a number in `range.0..=range.1`.
    fn within(&mut self, range: (usize, usize)) -> usize;

    /// Draws as `within` does; three of four zeros are drawn again.
    fn mostly_some(&mut self, range: (usize, usize)) -> usize;

    /// True in so many of a hundred draws.
    fn chance(&mut self, percent: usize) -> bool;

    /// Draws a number in `[-1, 1)`.
    fn signed_unit(&mut self) -> f64;

    /// Draws the index of one of the weights, each with a chance in proportion to it.
    fn weighted(&mut self, weights: &[usize]) -> usize;

    /// Puts a list into a random order.
    fn shuffle<T>(&mut self, items: &mut [T]);
}

impl Draw for Random {
    fn within(&mut self, range: (usize, usize)) -> usize {
        range.0 + self.below(range.1 - range.0 + 1)
    }

    fn mostly_some(&mut self, range: (usize, usize)) -> usize {
        match self.within(range) {
            0 if range.1 > 0 && self.chance(75) => self.within((1, range.1)),
            count => count,
        }
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn signed_unit(&mut self) -> f64 {
        self.unit() * 2.0 - 1.0
    }

    fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the draw lies below the sum of the weights")
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
