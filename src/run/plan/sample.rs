//! Choosing the inputs of a sample: by length, and among inputs of similar length by a hash.

use std::collections::BinaryHeap;

/// Groups of inputs whose lengths have as many binary digits, and the inputs of each with the lowest hashes.
pub struct Strata {
    /// Inputs that the sample is to have.
    wanted: usize,
    strata: Vec<Stratum>,
}

#[derive(Clone, Default)]
struct Stratum {
    inputs: u64,
    bytes: u64,
    /// The lowest hashes so far, the highest of them on top, with the numbers of their inputs.
    lowest: BinaryHeap<(u64, usize)>,
}

/// The sample of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Inputs of the group.
    pub inputs: u64,
    /// The numbers of those in the sample.
    pub sample: Vec<usize>,
}

/// Fewest inputs of a group that are measured, if it has as many: the variance of one is not known.
const FEWEST: u64 = 2;

impl Strata {
    /// Begins a sample of about `wanted` inputs.
    pub fn new(wanted: usize) -> Self {
        let strata = vec![Stratum::default(); u64::BITS as usize + 1];
        Self { wanted, strata }
    }

    /// Adds an input of `bytes` bytes, and a hash that says nothing about its content.
    pub fn add(&mut self, number: usize, bytes: u64, hash: u64) {
        let digits = u64::BITS - bytes.leading_zeros();
        let stratum = &mut self.strata[digits as usize];
        stratum.inputs += 1;
        stratum.bytes = stratum.bytes.saturating_add(bytes);
        stratum.lowest.push((hash, number));
        if stratum.lowest.len() > self.wanted.max(FEWEST as usize) {
            stratum.lowest.pop();
        }
    }

    /// Returns the number of inputs, and their bytes.
    pub fn totals(&self) -> (u64, u64) {
        let sum = |of: fn(&Stratum) -> u64| self.strata.iter().map(of).fold(0, u64::saturating_add);
        (sum(|stratum| stratum.inputs), sum(|stratum| stratum.bytes))
    }

    /// Returns the sample of each group that has inputs. A group has as many of the sample as it has of all bytes, since an
    /// input takes time by its length, and at least two. If all inputs are wanted, all are chosen.
    pub fn choose(self) -> Vec<Chosen> {
        let (inputs, bytes) = self.totals();
        let wanted = self.wanted as u64;
        let choose = |stratum: Stratum| {
            let share = u128::from(wanted) * u128::from(stratum.bytes) / u128::from(bytes.max(1));
            let share = (share as u64).clamp(FEWEST, wanted.max(FEWEST));
            let count = if inputs <= wanted {
                stratum.inputs
            } else {
                share
            };
            let lowest = stratum.lowest.into_sorted_vec().into_iter();
            Chosen {
                inputs: stratum.inputs,
                sample: lowest.map(|(_, n)| n).take(count as usize).collect(),
            }
        };
        let there = self.strata.into_iter().filter(|one| one.inputs > 0);
        there.map(choose).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    fn hash(n: u64) -> u64 {
        Random::after(1, n).bits()
    }

    fn chosen(wanted: usize, order: impl Iterator<Item = u64>) -> Vec<Chosen> {
        let mut strata = Strata::new(wanted);
        order.for_each(|n| {
            strata.add(
                n as usize,
                if n % 100 == 0 { 1 << 20 } else { 1000 },
                hash(n),
            )
        });
        strata.choose()
    }

    #[test]
    fn the_sample_depends_on_the_inputs_alone_and_covers_small_and_large() {
        let forward = chosen(50, 0..10_000);
        assert_eq!(
            forward,
            chosen(50, (0..10_000).rev()),
            "the order does not matter"
        );
        let [small, large] = &forward[..] else {
            panic!("two lengths");
        };
        assert_eq!((small.inputs, large.inputs), (9900, 100));
        assert_eq!(small.sample.len(), 4, "a twelfth of the bytes");
        assert_eq!(large.sample.len(), 45);
        assert!(large.sample.iter().all(|n| n % 100 == 0));
    }

    #[test]
    fn few_inputs_are_all_chosen_and_none_twice() {
        let all = chosen(300, 0..250);
        let mut numbers: Vec<usize> = all.iter().flat_map(|one| one.sample.clone()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..250).collect::<Vec<_>>());
        assert_eq!(chosen(300, 0..0), []);
    }

    #[test]
    fn empty_and_huge_files_have_groups() {
        let mut strata = Strata::new(4);
        strata.add(0, 0, 7);
        strata.add(1, u64::MAX, 8);
        strata.add(2, u64::MAX, 9);
        assert_eq!(strata.totals(), (3, u64::MAX));
        assert_eq!(strata.choose().len(), 2);
    }
}
