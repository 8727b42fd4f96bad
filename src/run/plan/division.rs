//! Dividing a run into shards: how many, and what each task has to do.

use serde::Serialize;

use super::estimate::Measurements;

/// What a task of a cluster has, whatever it has to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskShape {
    /// Processors, one or more. The work is taken to divide evenly among them.
    pub cores: u32,
    /// Seconds from the moment in which the task has its processors to the first input.
    pub start: f64,
}

/// The number of shards, or the minutes from which it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// As many shards.
    Shards(u64),
    /// Shards of about as many minutes, the start of the task included.
    Minutes(f64),
}

/// The start of a task takes all of its time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "a task of {minutes} minutes ends before it has started, which takes {start} seconds; give more minutes"
)]
pub struct TooShort {
    minutes: f64,
    start: f64,
}

/// A run, divided into shards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Division {
    /// Shards.
    pub count: u64,
    /// Processors of each task.
    pub cores: u32,
    /// Seconds that each task takes to start.
    pub start_seconds: f64,
    /// Hours of a task, its start included.
    pub hours: f64,
    /// Hours of the longest task: hashes divide the inputs, not the work.
    pub longest_hours: f64,
    /// Hours of processors of all tasks, their starts included.
    pub core_hours: f64,
}

impl Wanted {
    /// Returns the number of shards for work of `seconds` of one processor: one at least, and no more than there are `inputs`.
    ///
    /// # Errors
    /// If a task has no time for any work.
    pub fn shards(self, seconds: f64, inputs: u64, task: TaskShape) -> Result<u64, TooShort> {
        let minutes = match self {
            Self::Shards(count) => return Ok(count.max(1)),
            Self::Minutes(minutes) => minutes,
        };
        let start = task.start;
        let left = (60.0 * minutes - start) * f64::from(task.cores);
        if left <= 0.0 {
            return Err(TooShort { minutes, start });
        }
        Ok(((seconds / left).ceil() as u64).clamp(1, inputs.max(1)))
    }
}

impl Division {
    /// Divides what was measured into `count` shards.
    ///
    /// By the hashes of its inputs, a shard gets each input with a chance of one in `count`. Its work so has a variance of the sum
    /// of squares over `count`, and the longest of `count` shards is about √(2 ln `count`) standard deviations above the mean.
    pub fn new(measured: &Measurements, count: u64, task: TaskShape) -> Self {
        let seconds = measured.total(|one| one.seconds).estimate;
        let squares = measured.total(|one| one.seconds * one.seconds).estimate;
        let (shards, cores) = (count as f64, f64::from(task.cores));
        let mean = seconds / shards;
        let deviation = (squares * (1.0 - 1.0 / shards) / shards).sqrt();
        let longest = mean + deviation * (2.0 * shards.ln()).sqrt();
        let hours = |work: f64| (task.start + work / cores) / 3600.0;
        Self {
            count,
            cores: task.cores,
            start_seconds: task.start,
            hours: hours(mean),
            longest_hours: hours(longest.min(seconds)),
            core_hours: hours(mean) * cores * shards,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::Measured;
    use super::super::sample::Chosen;
    use super::*;

    const TASK: TaskShape = TaskShape {
        cores: 1,
        start: 30.0,
    };

    #[test]
    fn tasks_of_some_minutes_do_the_work_and_start() {
        let shards =
            |minutes, seconds, task| Wanted::Minutes(minutes).shards(seconds, 1_000_000, task);
        assert_eq!(shards(1.0, 3000.0, TASK), Ok(100), "half a minute is left");
        assert_eq!(shards(1.0, 3000.1, TASK), Ok(101));
        let quick = TaskShape {
            start: 0.0,
            cores: 4,
        };
        assert_eq!(shards(0.5, 3600.0, quick), Ok(30));
        assert_eq!(shards(10.0, 0.0, TASK), Ok(1));
        assert!(shards(0.5, 1.0, TASK).is_err());
        assert_eq!(
            Wanted::Minutes(1.0).shards(1e9, 12, TASK),
            Ok(12),
            "a shard has an input"
        );
        assert_eq!(
            Wanted::Shards(5).shards(1e9, 3, TASK),
            Ok(5),
            "what is asked for"
        );
    }

    fn measured(inputs: u64, seconds: f64, bytes: u64) -> Measurements {
        let (sample, one) = (
            vec![0],
            Measured {
                seconds,
                files: 3,
                bytes,
                failed: false,
            },
        );
        Measurements::new(&[Chosen { inputs, sample }], |_| one)
    }

    #[test]
    fn shards_have_their_part_of_the_work_and_the_longest_some_more() {
        let all = Division::new(&measured(7200, 1.0, 1000), 1, TASK);
        assert_eq!(all.count, 1);
        assert!((all.hours - (2.0 + 30.0 / 3600.0)).abs() < 1e-9);
        assert_eq!(all.hours, all.longest_hours);
        let parts = Division::new(&measured(7200, 1.0, 1000), 72, TASK);
        assert!((parts.hours * 3600.0 - 130.0).abs() < 1e-6);
        assert!((parts.core_hours - 2.6).abs() < 1e-9, "72 starts of 30 s");
        // √(100 · 71/72) · √(2 ln 72) = 9.93 · 2.92 seconds more.
        assert!(
            (parts.longest_hours * 3600.0 - 159.04).abs() < 0.1,
            "{parts:?}"
        );
        let two = Division::new(&measured(1, 1.0, 0), 2, TASK);
        assert!(
            two.longest_hours * 3600.0 <= 31.0,
            "one input is not divided"
        );
    }
}
