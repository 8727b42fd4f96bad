//! What `--timings` tells of a whole run.

use std::time::Duration;

use serde::Serialize;

use crate::run::batch::schedule::clock::{Stage, Times};

/// How many of the slowest inputs are named.
const SLOWEST: usize = 10;

/// Collects the times of inputs, in memory that does not grow with their number.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    stages: [Histogram; Stage::ALL.len()],
    all: Histogram,
    slowest: Vec<(Duration, String)>,
}

/// The time of one stage, or of all, over many inputs, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Half of the inputs take at most so long, to about 2%.
    pub p50: f64,
    /// 99% of them.
    pub p99: f64,
    /// The slowest.
    pub max: f64,
    /// All together, on however many threads.
    pub total: f64,
}

/// Times of a run as they are reported.
#[derive(Clone, Debug, Serialize)]
pub struct TimingsReport {
    /// Each stage that has taken any time, in order.
    pub stages: Vec<StageFigures>,
    /// Whole inputs.
    pub inputs: Figures,
    /// The slowest inputs, the slowest first.
    pub slowest: Vec<Slow>,
}

/// A stage with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct StageFigures {
    /// Its name.
    pub stage: &'static str,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// One slow input.
#[derive(Clone, Debug, Serialize)]
pub struct Slow {
    /// Its path.
    pub input: String,
    /// How long it took.
    pub seconds: f64,
}

impl Timings {
    /// Counts an input in.
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

    /// All figures.
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

/// Steps to each doubling, as a power of two: a step is at most 1/32 wide, and its middle at most 1/64 off.
const STEPS: u32 = 5;

/// Counts of times by size. Nanoseconds below 32 have a place each; then every doubling has 32.
#[derive(Clone, Debug, Default)]
struct Histogram {
    counts: Vec<u64>,
    count: u64,
    max: Duration,
    total: Duration,
}

impl Histogram {
    fn add(&mut self, time: Duration) {
        let place = place(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.count += 1;
        self.total += time;
        self.max = self.max.max(time);
    }

    /// The least time that so many of a hundred do not exceed.
    fn percentile(&self, percent: u64) -> f64 {
        let mut left = (self.count * percent).div_ceil(100);
        let place = self.counts.iter().position(|count| {
            let here = *count >= left;
            left = left.saturating_sub(*count);
            here
        });
        let nanoseconds = middle(place.unwrap_or(0));
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

fn place(nanoseconds: u64) -> usize {
    let doublings = (u64::BITS - nanoseconds.leading_zeros()).saturating_sub(STEPS + 1);
    ((doublings as usize) << STEPS) + (nanoseconds >> doublings) as usize
}

fn middle(place: usize) -> f64 {
    let doublings = (place >> STEPS).saturating_sub(1);
    let first = place - (doublings << STEPS);
    let width = (doublings as f64).exp2();
    first as f64 * width + (width - 1.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_has_a_place_that_is_near_it() {
        let mut last = 0;
        for bits in 0..63 {
            for part in [0, 1, 3, 7] {
                let time = (1u64 << bits) + (part << bits) / 8;
                let place = place(time);
                assert!(place >= last, "{time}");
                last = place;
                let off = (middle(place) - time as f64).abs();
                assert!(off <= time as f64 / 60.0, "{time} {}", middle(place));
            }
        }
        assert!(place(u64::MAX) < 2000);
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
