//! Measuring the time of each stage of the work on an input.
//!
//! A thread that waits for the pieces of a big mesh works on other inputs meanwhile; the time of these is subtracted.

use std::cell::Cell;
use std::time::{Duration, Instant};

rigy_base::named! {
    /// A part of the work on one input.
    pub enum Stage {
        /// Reading and checking the input and the files that it refers to.
        Read = "read",
        /// Documents only: tessellating and skinning.
        Build = "build",
        /// Documents only: posing vertices.
        Pose = "pose",
        /// Encoding outputs, comparing them with existing files, and writing them. For glTF files this includes posing
        /// vertices.
        Write = "write",
        /// Renaming outputs to their final paths.
        Place = "place",
        /// Drawing outputs for the report page.
        Draw = "draw",
    }
}

/// The time spent on one input, by stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times([Duration; Stage::ALL.len()]);

impl Times {
    /// Returns the time of one stage.
    pub fn of(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// Adds to the time of one stage.
    pub fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] += time;
    }

    /// Returns the time of all stages together.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }
}

thread_local! {
    /// The time that this thread has spent on inputs that it has finished.
    static DONE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Measures the work on one input, which stays on one thread.
#[derive(Debug)]
pub struct Clock {
    /// The end of the last lap.
    at: Instant,
    /// The value of `DONE` at that time.
    done: Duration,
    times: Times,
}

impl Clock {
    /// Starts to measure.
    pub fn start() -> Self {
        Self {
            at: Instant::now(),
            done: DONE.get(),
            times: Times::default(),
        }
    }

    /// Adds the time since the last lap to a stage, and returns it.
    pub fn lap(&mut self, stage: Stage) -> Duration {
        let (at, done) = (Instant::now(), DONE.get());
        let spent = (at - self.at).saturating_sub(done - self.done);
        (self.at, self.done) = (at, done);
        self.times.add(stage, spent);
        spent
    }

    /// Ends the measurement. Adds the time since the last lap to a stage, and returns the times of all stages.
    pub fn stop(&mut self, stage: Stage) -> Times {
        self.lap(stage);
        DONE.set(DONE.get() + self.times.total());
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_other_inputs_is_not_counted_twice() {
        let sleep = || std::thread::sleep(Duration::from_millis(20));
        let begun = Instant::now();
        let mut outer = Clock::start();
        sleep();
        outer.lap(Stage::Read);
        let mut inner = Clock::start();
        sleep();
        sleep();
        let inner = inner.stop(Stage::Write).total();
        let outer = outer.stop(Stage::Place);
        assert!(inner >= Duration::from_millis(40));
        assert!(outer.of(Stage::Read) >= Duration::from_millis(20));
        assert!(outer.total() + inner <= begun.elapsed());
    }
}
