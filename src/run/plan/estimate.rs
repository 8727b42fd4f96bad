//! From what was measured of a sample to all inputs.

use serde::Serialize;

use super::sample::Chosen;

/// The facts about one input of the sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Seconds of one thread.
    pub seconds: f64,
    /// Files that it makes.
    pub files: u64,
    /// Bytes of these files.
    pub bytes: u64,
    /// True if it failed.
    pub failed: bool,
}

/// A number that is estimated for all inputs from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub estimate: f64,
    /// Two standard errors less; not below what the sample has itself.
    pub low: f64,
    /// Two standard errors more.
    pub high: f64,
}

/// What was measured, by the groups of the sample.
pub struct Measurements(Vec<(u64, Vec<Measured>)>);

impl Measurements {
    /// Puts what was measured into the groups of a sample; `of` returns what was measured of an input, by its number.
    pub fn new(chosen: &[Chosen], of: impl Fn(usize) -> Measured) -> Self {
        let group = |group: &Chosen| {
            let measured = group.sample.iter().map(|number| of(*number));
            (group.inputs, measured.collect())
        };
        Self(chosen.iter().map(group).collect())
    }

    /// Returns all that was measured.
    pub fn all(&self) -> impl Iterator<Item = &Measured> {
        self.0.iter().flat_map(|(_, measured)| measured)
    }

    /// Estimates the sum of a quantity over all inputs: each group has its number of inputs times the mean of its sample. The
    /// range is two standard errors to both sides, by the variance within the groups. A group of which one input of several
    /// was measured could as well have none of the quantity, or twice as much.
    pub fn total(&self, of: impl Fn(&Measured) -> f64) -> Estimate {
        let (mut estimate, mut variance, mut least) = (0.0, 0.0, 0.0);
        for (inputs, measured) in &self.0 {
            let (all, count) = (*inputs as f64, measured.len() as f64);
            let sum: f64 = measured.iter().map(&of).sum();
            let mean = sum / count.max(1.0);
            estimate += all * mean;
            least += sum;
            let unseen = 1.0 - count / all;
            let spread = match measured.len() {
                0 | 1 => mean * mean,
                _ => {
                    let square = |one: &Measured| (of(one) - mean).powi(2);
                    measured.iter().map(square).sum::<f64>() / (count - 1.0)
                }
            };
            variance += all * all * unseen.max(0.0) * spread / count.max(1.0);
        }
        let error = 2.0 * variance.sqrt();
        Estimate {
            estimate,
            low: (estimate - error).max(least),
            high: estimate + error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(values: &[f64]) -> Vec<Measured> {
        let one = |seconds: &f64| Measured {
            seconds: *seconds,
            ..Measured::default()
        };
        values.iter().map(one).collect()
    }

    fn total(groups: Vec<(u64, Vec<Measured>)>) -> Estimate {
        Measurements(groups).total(|one| one.seconds)
    }

    #[test]
    fn groups_are_scaled_by_their_inputs() {
        let known = total(vec![(2, seconds(&[1.0, 3.0])), (1, seconds(&[5.0]))]);
        let exact = Estimate {
            estimate: 9.0,
            low: 9.0,
            high: 9.0,
        };
        assert_eq!(known, exact, "all inputs were measured");
        // Standard error: 100 · √((1 − 2/100) · 2/2) = 98.995.
        let scaled = total(vec![(100, seconds(&[1.0, 3.0]))]);
        assert_eq!(scaled.estimate, 200.0);
        assert!((scaled.high - 397.99).abs() < 0.01, "{scaled:?}");
        assert_eq!(scaled.low, 4.0_f64.max(200.0 - 197.98987), "{scaled:?}");
        let single = total(vec![(10, seconds(&[2.0]))]);
        assert!(single.high > 55.0 && single.low == 2.0, "{single:?}");
        assert_eq!(total(Vec::new()).high, 0.0);
    }

    #[test]
    fn the_range_holds_the_truth_nineteen_times_of_twenty() {
        let mut random = crate::base::random::Random::new(7);
        let mut number = || random.below(1000) as f64;
        let mut hits = 0;
        for _ in 0..4000 {
            let all: Vec<f64> = (0..500).map(|_| number()).collect();
            let truth: f64 = all.iter().sum();
            let range = total(vec![(500, seconds(&all[..50]))]);
            hits += usize::from((range.low..=range.high).contains(&truth));
        }
        // Two standard errors hold 94.9 % of 4000: 3796, give or take four standard deviations of 14.
        assert!((3740..=3852).contains(&hits), "{hits} of 4000");
    }
}
