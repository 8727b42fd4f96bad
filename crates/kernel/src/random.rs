//! Numbers that look random and are the same on every machine: SplitMix64. The benchmarks, the generator of documents, the
//! tests and the fuzz targets draw from it; nothing that the program writes depends on it.

/// A stream of numbers.
#[derive(Debug)]
pub struct Random(u64);

/// Difference between successive states.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of a seed without its first `count` numbers.
    pub const fn after(seed: u64, count: u64) -> Self {
        Self(seed.wrapping_add(count.wrapping_mul(STEP)))
    }

    /// Draws 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Draws a number in `0..count`; returns 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// Draws a number in `[0, 1)` with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws an element of a list, which must not be empty.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_stream_is_that_of_splitmix64() {
        // The published test vector of the algorithm.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
        assert_eq!(
            Random::after(1_234_567, 1).bits(),
            3_203_168_211_198_807_973
        );
        assert_eq!(random.below(0), 0);
    }
}
