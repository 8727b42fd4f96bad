//! The times that `--timings` reports of a whole run.

use std::time::Duration;

use serde::Serialize;

use crate::run::batch::schedule::clock::{Stage, Times};

/// The number of slow inputs that are named.
const SLOWEST: usize = 10;

/// Collects the times of inputs. The memory that it takes does not grow with their number.
#[derive(Debug, Default)]
pub struct Timings {
    stages: [Histogram; Stage::ALL.len()],
    all: Histogram,
    slowest: Vec<(Duration, String)>,
}

/// The times of one stage, or of all stages, over many inputs, in seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figures {
    /// The median, to about 2%.
    pub p50: f64,
    /// The 99th percentile, to about 2%.
    pub p99: f64,
    /// The maximum.
    pub max: f64,
    /// The sum over all inputs and threads.
    pub total: f64,
}

/// The times of a run in the form of reports.
#[derive(Debug, Serialize)]
pub struct TimingsReport {
    /// The stages that have taken any time, in order.
    pub stages: Vec<StageFigures>,
    /// The times of inputs, over all stages.
    pub inputs: Figures,
    /// The slowest inputs, in order of decreasing time.
    pub slowest: Vec<Slow>,
}

/// A stage with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct StageFigures {
    /// The name of the stage.
    pub stage: &'static str,
    /// The figures of the stage.
    #[serde(flatten)]
    pub figures: Figures,
}

/// One slow input.
#[derive(Debug, Serialize)]
pub struct Slow {
    /// The path of the input.
    pub input: String,
    /// Seconds that the input has taken.
    pub seconds: f64,
}

impl Timings {
    /// Adds the times of an input.
    pub fn add(&mut self, input: &str, times: &Times) {
        for stage in Stage::ALL {
            self.stages[stage as usize].add(times.of(stage));
        }
        let total = times.total();
        self.all.add(total);
        let place = self.slowest.partition_point(|(slow, _)| *slow >= total);
        if place < SLOWEST {
            self.slowest.insert(place, (total, input.to_owned()));
            self.slowest.truncate(SLOWEST);
        }
    }

    /// Returns the times of all inputs so far.
    pub fn report(&self) -> TimingsReport {
        let stages = Stage::ALL.iter().zip(&self.stages);
        let stages = stages.filter(|(_, times)| times.total > Duration::ZERO);
        let slowest = self.slowest.iter();
        TimingsReport {
            stages: stages
                .map(|(stage, times)| StageFigures {
                    stage: stage.name(),
                    figures: times.figures(),
                })
                .collect(),
            inputs: self.all.figures(),
            slowest: slowest
                .map(|(time, input)| Slow {
                    input: input.clone(),
                    seconds: time.as_secs_f64(),
                })
                .collect(),
        }
    }
}

/// The binary logarithm of the number of buckets for each doubling of the time. A bucket is at most 1/32 as wide as the times
/// in it, so its middle differs from them by at most 1/64.
const STEPS: u32 = 5;

/// Counts of times in buckets. Each number of nanoseconds below 32 has a bucket; above, each doubling has 32 buckets.
#[derive(Debug, Default)]
struct Histogram {
    counts: Vec<u64>,
    count: u64,
    max: Duration,
    total: Duration,
}

impl Histogram {
    fn add(&mut self, time: Duration) {
        let bucket = bucket(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        if self.counts.len() <= bucket {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.count += 1;
        self.total += time;
        self.max = self.max.max(time);
    }

    /// Returns the smallest time, in seconds, that `percent` of the times do not exceed, to about 2%.
    fn percentile(&self, percent: u64) -> f64 {
        let mut left = (self.count * percent).div_ceil(100);
        let bucket = self.counts.iter().position(|count| {
            let here = *count >= left;
            left = left.saturating_sub(*count);
            here
        });
        let nanoseconds = middle(bucket.unwrap_or(0));
        (nanoseconds * 1e-9).min(self.max.as_secs_f64())
    }

    fn figures(&self) -> Figures {
        Figures {
            p50: self.percentile(50),
            p99: self.percentile(99),
            max: self.max.as_secs_f64(),
            total: self.total.as_secs_f64(),
        }
    }
}

/// Returns the index of the bucket for a time.
fn bucket(nanoseconds: u64) -> usize {
    let doublings = (u64::BITS - nanoseconds.leading_zeros()).saturating_sub(STEPS + 1);
    ((doublings as usize) << STEPS) + (nanoseconds >> doublings) as usize
}

/// Returns the middle of a bucket in nanoseconds.
fn middle(bucket: usize) -> f64 {
    let doublings = (bucket >> STEPS).saturating_sub(1);
    let first = bucket - (doublings << STEPS);
    let width = (doublings as f64).exp2();
    first as f64 * width + (width - 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_near_the_middle_of_its_bucket() {
        let mut last = 0;
        for bits in 0..63 {
            for part in [0, 1, 3, 7] {
                let time = (1u64 << bits) + (part << bits) / 8;
                let bucket = bucket(time);
                assert!(bucket >= last, "{time}");
                last = bucket;
                let off = (middle(bucket) - time as f64).abs();
                assert!(off <= time as f64 / 60.0, "{time} {}", middle(bucket));
            }
        }
        assert!(bucket(u64::MAX) < 2000);
    }

    #[test]
    fn percentiles_are_within_two_percent() {
        let mut times = Histogram::default();
        (1..=1000).for_each(|n| times.add(Duration::from_micros(n)));
        let Figures {
            p50,
            p99,
            max,
            total,
        } = times.figures();
        assert!((p50 / 500e-6 - 1.0).abs() < 0.02, "{p50}");
        assert!((p99 / 990e-6 - 1.0).abs() < 0.02, "{p99}");
        assert_eq!((max, total), (1000e-6, 0.5005));
        let one = {
            let mut times = Histogram::default();
            times.add(Duration::from_micros(1001));
            times.figures()
        };
        assert!(one.p50 <= one.max && one.p99 <= one.max);
        assert_eq!(Histogram::default().figures().p50, 0.0);
    }
}
