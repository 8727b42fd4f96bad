//! SplitMix64: a few lines that give the same numbers on every machine and in every year.

pub struct Random(u64);

impl Random {
    /// The stream of document `index`, whatever else is generated beside it.
    pub fn for_document(seed: u64, index: u64) -> Random {
        let mut of_seed = Random(seed);
        let base = of_seed.bits();
        let mut of_document = Random(base ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03));
        Random(of_document.bits())
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..count`; `count` must not be zero.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// A number in `range.0..=range.1`.
    pub fn within(&mut self, range: (usize, usize)) -> usize {
        range.0 + self.below(range.1 - range.0 + 1)
    }

    /// As `within`, but of the zeros three in four are drawn again.
    pub fn mostly_some(&mut self, range: (usize, usize)) -> usize {
        match self.within(range) {
            0 if range.1 > 0 && self.chance(75) => self.within((1, range.1)),
            count => count,
        }
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number in `[0, 1)` with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// A number in `[-1, 1)`.
    pub fn signed_unit(&mut self) -> f64 {
        self.unit() * 2.0 - 1.0
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// The index of one of the weights, in proportion to them.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the draw lies below the sum of the weights")
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
